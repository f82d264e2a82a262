#!/bin/sh
# Codex below Unstuck, for programs that start `codex` themselves. The SDK keeps the stderr of its agent to itself: what
# Unstuck reports goes to a file.
exec unstuck run --kill-stuck part --timeout 1h -- codex "$@" 2>>"${CODEX_STDERR:-/dev/null}"
