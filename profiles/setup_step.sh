#!/bin/bash
# Runs one step of `make setup` and prints one line with the size of its result and its duration.
# Arguments: title, the file or folder that the step makes, and a command line for bash.
# The output of the command is shown only if it fails.
title=$1 result=$2 command=$3
began=$SECONDS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '==> %s' "$title"
if ! bash -eo pipefail -c "$command" >"$log" 2>&1; then
    printf ': failed after %s s\n' "$((SECONDS - began))"
    tail -n 40 "$log" >&2
    exit 1
fi
size=$(du -sm "$result" 2>/dev/null | cut -f 1)
printf ': %s MB, %s s\n' "${size:-0}" "$((SECONDS - began))"
