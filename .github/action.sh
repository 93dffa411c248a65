#!/usr/bin/env bash
# What action.yml does. It reads ACTION_* (the inputs) and the variables of the runner: RUNNER_TEMP, GITHUB_ACTION_PATH,
# GITHUB_OUTPUT, GITHUB_STEP_SUMMARY.
set -euo pipefail

state=$RUNNER_TEMP/coldframe
mkdir -p "$state"
fail() { echo "::error title=coldframe::${1//%/%25}"; exit "${2:-2}"; }
output() { echo "$1=$2" >>"$GITHUB_OUTPUT"; }

arguments=() # of the program
[ -z "$ACTION_DOCUMENT" ] || arguments+=("$ACTION_DOCUMENT")
if [ "$ACTION_COMMAND" = test ]; then
  [ -n "$ACTION_URL" ] || fail 'the input url is missing: it is the address of the backend to test'
  arguments+=("$ACTION_URL")
elif [ -n "$ACTION_URL" ]; then
  fail 'the input url goes with "command: test"; the port of a mock is an argument: "args: --port 4010"'
fi
trimmed() { sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"; }
while IFS= read -r line; do # a flag, and behind the first space its value
  line=$(trimmed "$line")
  [ -n "$line" ] || continue
  arguments+=("${line%%[[:space:]]*}")
  [[ $line != *[[:space:]]* ]] || arguments+=("$(trimmed "${line#*[[:space:]]}")")
done <<<"$ACTION_ARGS"

program=$ACTION_BINARY
if [ -z "$program" ] && [ "$ACTION_COMMAND" != stop ]; then
  program=$state/coldframe
  go build -C "$GITHUB_ACTION_PATH" -trimpath -ldflags "-s -w" -o "$program" ./cmd/coldframe
fi

start() {
  [ ! -f "$state/pid" ] || fail 'this job has a mock already; end it with "command: stop"'
  rm -f "$state/code"
  : >"$state/log"
  # It outlives this step. Its exit code is for "command: stop".
  (
    set +e
    "$program" mock ${arguments[@]+"${arguments[@]}"} >"$state/log" 2>&1 </dev/null &
    echo $! >"$state/pid"
    wait $!
    echo $? >"$state/code"
  ) >/dev/null 2>&1 &
  local base=
  for _ in $(seq 600); do # a minute: large documents take their time
    base=$(sed -n 's/^base URLs\{0,1\}: \([^ ,]*\).*/\1/p' "$state/log")
    if [ -n "$base" ] || [ -f "$state/code" ]; then break; fi
    sleep 0.1
  done
  cat "$state/log"
  if [ -z "$base" ]; then
    rm -f "$state/pid"
    fail "the mock does not start: $(tail -n 1 "$state/log")" "$(cat "$state/code" 2>/dev/null || echo 2)"
  fi
  output base-url "$base"
  output url "$(sed 's|^\([a-z]*://[^/]*\).*|\1|' <<<"$base")"
  output log "$state/log"
}

stop() {
  [ -f "$state/pid" ] || fail 'there is no mock to stop: "command: mock" starts one'
  kill -TERM "$(cat "$state/pid")" 2>/dev/null || true
  rm "$state/pid"
  for _ in $(seq 600); do
    [ ! -s "$state/code" ] || break
    sleep 0.1
  done
  local code
  code=$(cat "$state/code") || fail 'the mock does not end'
  output log "$state/log"
  [ "$code" = 0 ] || fail "$(tail -n 1 "$state/log")" "$code"
}

run_test() {
  local reports=$state/reports
  mkdir -p "$reports"
  output reports "$reports"
  exec "$program" test "${arguments[@]}" --report github --report "markdown=$GITHUB_STEP_SUMMARY" --report \
    "json=$reports/contract.json,junit=$reports/contract.xml,sarif=$reports/contract.sarif,html=$reports/contract.html"
}

case $ACTION_COMMAND in
mock) start ;;
stop) stop ;;
test) run_test ;;
*) fail "the input command is \"$ACTION_COMMAND\"; it is one of mock, stop, test" ;;
esac
