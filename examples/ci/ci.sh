#!/usr/bin/env bash
# Holds both sides of an API to its document, in any CI that has a shell:
#
#   examples/ci/ci.sh frontend    the front end's tests against a mock; they fail
#                                 where they use too little of the document
#   examples/ci/ci.sh backend     a real backend against the document
#   examples/ci/ci.sh             both
#
# Reports are left in ./reports, or in the folder REPORTS. Programs are built in a temporary folder, or in the folder
# PROGRAMS, which keeps them. It needs go and bash.
set -euo pipefail
cd "$(dirname "$0")/../.."

case ${1:-both} in
frontend | backend | both) ;;
*) echo "usage: examples/ci/ci.sh [frontend|backend]" >&2; exit 2 ;;
esac

reports=${REPORTS:-reports}
mkdir -p "$reports"
work=$(mktemp -d)
started=
trap 'kill "${started:-}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
programs=${PROGRAMS:-$work}
go build -trimpath -ldflags "-s -w" -o "$programs/" ./cmd/coldframe ./examples/ci/service ./examples/ci/shop

# start runs a server until it has printed its URL, which becomes $url.
start() {
  : >"$work/log" # the URL of the server before is not this one's
  "$@" >"$work/log" 2>&1 &
  started=$! url=
  while [ -z "$url" ]; do
    kill -0 "$started" || { cat "$work/log"; exit 1; }
    url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$work/log" || true)
    [ -n "$url" ] || sleep 0.1
  done
}

frontend() {
  start "$programs/coldframe" mock openapi.yaml --port 0 \
    --coverage "$reports/frontend.lcov" --coverage "$reports/frontend.txt" --min-coverage 60
  API_URL=$url "$programs/shop"
  # The mock ends with 1 where less of the document was used than it was asked for.
  kill "$started"
  wait "$started" || { tail -n 1 "$work/log"; exit 1; }
}

backend() {
  export SERVICE_TOKEN=${SERVICE_TOKEN:-secret}
  start "$programs/service" -address 127.0.0.1:0
  # The baseline has the findings that are known; only new ones fail. It was
  # written with --report json=examples/ci/baseline.json.
  COLDFRAME_TOKEN=$SERVICE_TOKEN "$programs/coldframe" test openapi.yaml "$url" \
    --baseline examples/ci/baseline.json --min-coverage 90 \
    --report "junit=$reports/contract.xml,sarif=$reports/contract.sarif,html=$reports/contract.html" \
    ${GITHUB_ACTIONS:+--report github}
  kill "$started"
}

case ${1:-both} in
both)
  frontend
  backend
  ;;
*) "$1" ;;
esac
