#!/usr/bin/env bash
# Installs the generators of API clients that test/conformance/client-generators.test.ts uses, in exact versions.
#
#   usage: fetch-client-generators.sh <folder>
set -euo pipefail

folder=$1
packages=(openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.95.0 orval@7.13.2 typescript@5.9.3)
[ "$(cat "$folder/installed" 2>/dev/null)" != "${packages[*]}" ] || exit 0
mkdir -p "$folder"
echo '{ "private": true, "type": "module" }' >"$folder/package.json"
npm install --prefix "$folder" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error "${packages[@]}"
echo "${packages[*]}" >"$folder/installed"
