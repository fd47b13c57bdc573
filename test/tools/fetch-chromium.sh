#!/usr/bin/env bash
# Puts a headless Chromium into a directory, for the tests of the documentation site. It comes, with the libraries that the machine
# lacks, as packages from the machine's own apt sources, which are only unpacked: nothing is installed. Prints why when it cannot be
# had, and then exits with success: tests that need it say so and are skipped.
#
#   usage: fetch-chromium.sh [directory]      default: .cache/tools
set -euo pipefail

target=${1:-.cache/tools}
mkdir -p "$target"
target=$(cd "$target" && pwd -P)

give_up() {
  echo "tools: $1; tests that need Chromium will be skipped" >&2
  exit 0
}

[ ! -x "$target/chromium" ] || exit 0
for program in chromium chromium-headless-shell chromium-browser google-chrome; do
  if found=$(command -v "$program"); then
    ln -sf "$found" "$target/chromium"
    exit 0
  fi
done
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up "there is no apt here"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial"
private_apt() {
  timeout 120 apt-get -qq -o Dir::State::lists="$work/lists" -o Dir::Cache="$work" -o Dir::Cache::archives="$work/archives" \
    -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)" "$@" >/dev/null 2>&1
}
private_apt update || give_up "the package archive could not be reached"
private_apt install --yes --no-install-recommends --download-only chromium-headless-shell ||
  give_up "the package archive has no chromium-headless-shell"

rm -rf "$target/chromium-files"
mkdir "$target/chromium-files"
for package in "$work"/archives/*.deb; do dpkg-deb -x "$package" "$target/chromium-files"; done
program=$(cd "$target" && find chromium-files/usr/lib -type f -name chromium-headless-shell | head -n 1)
[ -n "$program" ] || give_up "the package has no program"
# Relative to the script itself, so that it still works in a checkout that was moved.
libraries=$(cd "$target" && find chromium-files/usr/lib -name '*.so*' -printf '$here/%h\n' | sort -u | paste -sd :)
printf '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\nLD_LIBRARY_PATH="%s" exec "$here/%s" "$@"\n' "$libraries" "$program" >"$target/chromium.new"
chmod +x "$target/chromium.new"
mv "$target/chromium.new" "$target/chromium"
