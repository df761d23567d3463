#!/bin/sh
# @pandatix/js-cvss 0.4.4 gives some CVSS 3.1 base scores with two decimals.
#
# Expected: every CVSS 3.1 score has one decimal, rounded up (specification 3.1, 7.1 and appendix A: Roundup).
# CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:C/C:N/I:H/A:H is 7.5, as PyPI cvss 3.6 and npm ae-cvss-calculator 1.0.13 say.
# Actual: 7.46. A register that compares or stores scores from two tools shows one finding with two scores.
# Also: neither import nor require of the package works in Node (ERR_MODULE_NOT_FOUND: its files import each other
# without extensions), so this script bundles it first.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @pandatix/js-cvss@0.4.4 ae-cvss-calculator@1.0.13 rolldown@1.0.0 >/dev/null 2>&1
vector=CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:C/C:N/I:H/A:H
node --input-type=module -e "await import('@pandatix/js-cvss')" 2>&1 | grep -q ERR_MODULE_NOT_FOUND
npx rolldown node_modules/@pandatix/js-cvss/dist/index.js --format cjs --file bundle.cjs >/dev/null
seen=$(node -e "
const { CVSS31 } = require('./bundle.cjs'), { Cvss3P1 } = require('ae-cvss-calculator')
console.log(new CVSS31('$vector').BaseScore(), new Cvss3P1('$vector').calculateScores().base)")
echo "js-cvss, ae-cvss-calculator: $seen"
[ "$seen" = "7.46 7.5" ]
