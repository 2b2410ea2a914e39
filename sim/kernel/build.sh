#!/usr/bin/env bash
# Builds kernel.wasm from the C files beside it. Needs clang and wasm-ld (Debian:
# clang, lld).
#
#   sim/kernel/build.sh [OUTPUT]
#
# -ffp-contract=off keeps multiplications and additions apart. Freestanding and
# without builtins, no loop becomes a call of memset, which nobody would supply.
# Without loop strength reduction a load keeps its constant offset; with it,
# browsers spend an addition on nearly each load, a tenth of a product's time.
# The stack has size 0: TestModule sees to it that the module uses none.
set -euo pipefail
cd "$(dirname "$0")"
output=${1:-kernel.wasm}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for source in kernel kmeans draws; do
  clang --target=wasm32 -msimd128 -std=c11 -O3 -fno-unroll-loops \
    -ffp-contract=off -fno-math-errno -ffreestanding -fno-builtin -fno-jump-tables -nostdlib \
    -mllvm -disable-lsr -Wall -Wextra -Werror -c $source.c -o "$objects/$source.o"
done
wasm-ld --no-entry --import-memory --strip-all -z stack-size=0 "$objects"/*.o -o "$output"
chmod 644 "$output"
# Where there is no clang the sums tell whether the module is that of the sources.
if [ "$output" = kernel.wasm ]; then
  sha256sum build.sh kernel.c kmeans.c draws.c kernel.wasm >kernel.sum
fi
