#!/usr/bin/env bash
# Puts the programs that tests talk to, kubectl, etcd and etcdctl, into a directory. They come as packages from the
# machine's own apt sources and are only unpacked: nothing is installed. Prints why when they cannot be had, and then
# leaves with success, since tests that need a missing program say so and are skipped.
#
#   usage: fetch-tools.sh [directory]      default: .cache/tools
set -euo pipefail

target=${1:-.cache/tools}
programs=(kubectl etcd etcdctl)
packages=(kubectl kubernetes-client etcd-server etcd-client)

complete() {
  local program
  for program in "${programs[@]}"; do [ -x "$target/$program" ] || return 1; done
}

give_up() {
  echo "tools: $1; tests that need ${programs[*]} will be skipped" >&2
  exit 0
}

mkdir -p "$target"
target=$(cd "$target" && pwd)
complete && exit 0

# Programs that are installed serve where packages cannot be had: some are front ends of other versions.
take_installed() {
  local program found
  for program in "${programs[@]}"; do
    found=$(command -v "$program" || true)
    if [ -n "$found" ] && [ ! -e "$target/$program" ]; then ln -s "$found" "$target/$program"; fi
  done
  complete && exit 0
  give_up "$1"
}

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || take_installed "there is no apt here"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/parts" "$work/root"
touch "$work/installed" # what is installed does not matter, nor that it may be newer

# The first archive the machine knows, asked for suites recent enough to hold the packages.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' | grep -v security | head -n 1 || true)
[ -n "$archive" ] || take_installed "no package archive is configured"

private_apt() {
  apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/parts" \
    -o Dir::State="$work/state" -o Dir::State::status="$work/installed" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root "$@"
}

for suite in trixie sid; do
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" >"$work/sources.list"
  private_apt update >/dev/null 2>&1 || continue
  for package in "${packages[@]}"; do
    (cd "$work" && private_apt download "$package" >/dev/null 2>&1) || true
  done
  for archive_file in "$work"/*.deb; do
    [ -e "$archive_file" ] && dpkg-deb -x "$archive_file" "$work/root"
  done
  for program in "${programs[@]}"; do
    if [ -x "$work/root/usr/bin/$program" ]; then cp "$work/root/usr/bin/$program" "$target/"; fi
  done
  complete && exit 0
done
take_installed "the package archive could not be reached or lacks a package"
