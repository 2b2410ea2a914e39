#!/usr/bin/env bash
# Puts the Worker that make built on Cloudflare. Without CLOUDFLARE_API_TOKEN it
# does everything short of that, and says so.
#   CLOUDFLARE_API_TOKEN=... wasm/edge/deploy.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
export WRANGLER_SEND_METRICS=false
wrangler() { .build/wrangler/node_modules/.bin/wrangler "$@" --config wasm/edge/wrangler.jsonc; }

if [ -z "${CLOUDFLARE_API_TOKEN:-}" ]; then
  wrangler deploy --dry-run --outdir "$PWD/.build/edge-bundle"
  echo "Everything is ready, and nothing was sent: set CLOUDFLARE_API_TOKEN to deploy."
  exit
fi

wrangler deploy
# The key that makes the ids of links is made once, and nobody needs to know it.
if ! wrangler secret list | grep -q LINK_KEY; then
  od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' | wrangler secret put LINK_KEY
fi
