#!/usr/bin/env bash
# The step of action.yml: runs the command below Unstuck, keeps log and evidence for the artifact, sets the outputs.
set -uo pipefail

evidence=$(mktemp -d "${RUNNER_TEMP:-/tmp}/unstuck-XXXXXX") || exit 125
report=$evidence/report.json
read -r -a options <<<"${INPUT_OPTIONS:-}"

"$GITHUB_ACTION_PATH/unstuck" run --timeout "$INPUT_TIMEOUT" --kill-on "$INPUT_KILL_ON" --kill-stuck "$INPUT_KILL_STUCK" \
  --log-dir "$evidence" --report "$report" --junit "$evidence/junit.xml" ${options[@]+"${options[@]}"} \
  -- bash --noprofile --norc -eo pipefail -c "$INPUT_COMMAND"
status=$?

outcome=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).outcome' "$report" 2>/dev/null)
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'outcome=%s\nevidence=%s\n' "${outcome:-not-started}" "$evidence" >>"$GITHUB_OUTPUT"
fi
exit "$status"
