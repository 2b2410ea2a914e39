#!/usr/bin/env bash
# Runs a test program compiled for the browser under node:
#
#   GOOS=js GOARCH=wasm go test -exec="$PWD/wasm/node/run_test.sh" ./...
#
# It is Go's own runner with the loops of sim/kernel and a short environment. A
# Go program for WebAssembly gets its arguments and environment in 8 KB of
# memory, which the environment of a developer's or a build machine alone can
# exceed. FLOCKSCOPE_SIMD=0 runs the portable loops instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# The stack is as large as Go's own runner makes it, so that no test exceeds it.
exec env -i PATH="$PATH" HOME="${HOME:-/}" TMPDIR="${TMPDIR:-/tmp}" FLOCKSCOPE_SIMD="${FLOCKSCOPE_SIMD:-1}" \
  node --stack-size=8192 --require "$here/kernel.js" \
  "$(go env GOROOT)/lib/wasm/wasm_exec_node.js" "$@"
