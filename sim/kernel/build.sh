#!/usr/bin/env bash
# Builds kernel.wasm from kernel.c. Needs clang and wasm-ld (Debian: clang, lld).
#
#   sim/kernel/build.sh [OUTPUT]
#
# -ffp-contract=off keeps multiplications and additions apart. Freestanding and
# without builtins, no loop becomes a call of memset, which nobody would supply.
# The stack has size 0: TestModule sees to it that the module uses none.
set -euo pipefail
cd "$(dirname "$0")"
output=${1:-kernel.wasm}
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT
clang --target=wasm32 -msimd128 -std=c11 -O3 -fno-unroll-loops \
  -ffp-contract=off -fno-math-errno -ffreestanding -fno-builtin -nostdlib \
  -Wall -Wextra -Werror -c kernel.c -o "$object"
wasm-ld --no-entry --import-memory --strip-all -z stack-size=0 "$object" -o "$output"
chmod 644 "$output"
