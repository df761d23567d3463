#!/bin/sh
# ratelimit-header-parser 0.1.0 reads the RateLimit header of the present IETF draft as an object of nulls.
#
# Expected: RateLimit: "default";r=50;t=30 and RateLimit-Policy: "default";q=100;w=60 (draft 09, structured fields) give
# limit 100, remaining 50, reset in 30 seconds, or undefined as for an answer without such headers.
# Actual: { limit: null, used: null, remaining: null, reset: null }, because the parser knows draft 07 only
# (limit=100, remaining=50, reset=30). A client that waits while `remaining < 1` compares null and waits for ever or
# never. Clients of this service should read the two headers as structured fields.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ratelimit-header-parser@0.1.0 >/dev/null 2>&1
cat > read.mjs <<'JS'
import { parseRateLimit } from 'ratelimit-header-parser'
const read = (headers) => JSON.stringify(parseRateLimit(new Headers(headers)))
console.log(read({ 'RateLimit': '"default";r=50;t=30', 'RateLimit-Policy': '"default";q=100;w=60' }))
console.log(read({}) ?? 'undefined')
JS
seen=$(node read.mjs)
echo "$seen"
[ "$seen" = '{"limit":null,"used":null,"remaining":null,"reset":null}
undefined' ]
