#!/usr/bin/env bash
# Runs a test program compiled for the browser under node:
#
#   GOOS=js GOARCH=wasm go test -exec="$PWD/wasm/node/run_test.sh" ./...
#
# It is Go's own runner with a short environment. A Go program for WebAssembly
# gets its arguments and environment in 8 KB of memory, which the environment
# of a developer's or a build machine alone can exceed.
set -euo pipefail
exec env -i PATH="$PATH" HOME="${HOME:-/}" TMPDIR="${TMPDIR:-/tmp}" \
  "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" "$@"
