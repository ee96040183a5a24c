#!/bin/sh
# SPDX-License-Identifier: MIT
# expect-status.sh N COMMAND...: runs the command and fails unless it exits with status N.
expected=$1
shift
"$@"
status=$?
[ "$status" = "$expected" ] && exit 0
echo "exit status $status, expected $expected" >&2
exit 1
