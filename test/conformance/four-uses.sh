#!/usr/bin/env bash
# The four uses of the project, one after another, in a copy of it that is thrown away:
#   1. add a kind and generate    2. serve it    3. publish OpenAPI and generate a client    4. rehearse a removal
#
#   usage: four-uses.sh [kubectl]
set -euo pipefail

kubectl=${1:-kubectl}
project=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

say() { printf '\n== %s\n' "$*"; }
expect() { # expect <text> <command…>: the output, errors included, contains the text
  local text=$1 output
  shift
  output=$("$@" 2>&1 || true)
  printf '%s\n' "$output"
  grep -qF -- "$text" <<<"$output" || { printf 'expected "%s" from: %s\n' "$text" "$*" >&2; exit 1; }
}
serve() { # serve <flags>: a server with fresh data, until the next one
  if [ -n "$server" ]; then kill "$server"; wait "$server" || true; fi
  rm -rf "$work/run" "$work/log"
  make -s serve ARGS="--secure-port=0 --data-dir=$work/run/data --cert-dir=$work/pki --kubeconfig-out=$work/run/kubeconfig $*" >"$work/log" 2>&1 &
  server=$!
  until grep -qs 'serving on' "$work/log"; do
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.1
  done
}

mkdir "$work/project"
cd "$project"
# Files that were deleted and not yet committed are listed, too: they cannot be copied.
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -p -t "$work/project" 2>/dev/null || true
# Not a link to the directory itself: whatever happens to it here must not happen to the original.
mkdir "$work/project/node_modules"
ln -s "$project"/node_modules/* "$project"/node_modules/.bin "$work/project/node_modules/"
touch "$work/project/node_modules/.package-lock.json"
cd "$work/project"
export KUBECONFIG=$work/run/kubeconfig HOME=$work

say "1. Add a kind and generate"
make -s scaffold KIND=theatre.example.com/v1/Play
make -s generate

say "2. Serve"
serve
cat >play.yaml <<'YAML'
apiVersion: theatre.example.com/v1
kind: Play
metadata: { name: hamlet }
spec: { title: Hamlet, priority: High }
YAML
expect "play.theatre.example.com/hamlet created" "$kubectl" apply -f play.yaml
expect "Hamlet" "$kubectl" get plays
expect "Desired state of the Play." "$kubectl" explain play.spec
sed 's/High/Urgent/; s/hamlet/refused/' play.yaml >refused.yaml
expect 'supported values: "High", "Low"' "$kubectl" apply -f refused.yaml

say "3. Publish OpenAPI and generate a client"
make -s openapi
node_modules/.bin/openapi-typescript dist/openapi/v3/apis/theatre.example.com/v1.json --default-non-nullable=false --output client.ts
cat >use-client.ts <<'TS'
import type { components } from "./client.ts";

type Play = components["schemas"]["com.example.theatre.v1.Play"];
export const play: Play = { spec: { title: "Hamlet", priority: "High" } };
// @ts-expect-error the generated type knows the values
export const refused: Play = { spec: { title: "Hamlet", priority: "Urgent" } };
TS
node_modules/.bin/node node_modules/typescript-native/bin/tsc --noEmit --ignoreConfig --strict --skipLibCheck \
  --module nodenext --moduleResolution nodenext --allowImportingTsExtensions --types node use-client.ts
echo "the generated client compiles"

say "4. Rehearse a removal: switched off, and as later and earlier releases"
serve --runtime-config=theatre.example.com/v1=false
expect "the server doesn't have a resource type \"plays\"" "$kubectl" get plays
serve --release=1.24
expect "batch/v1beta1 CronJob is deprecated in v1.21+" "$kubectl" get cronjobs.v1beta1.batch
serve --release=1.25
expect "the server doesn't have a resource type" "$kubectl" get cronjobs.v1beta1.batch

say "All four work."
