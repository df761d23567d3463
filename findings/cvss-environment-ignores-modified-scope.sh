#!/bin/sh
# @pandatix/js-cvss 0.4.4 weighs privileges by the base scope when only the modified scope changes.
#
# Expected: in the environmental score the weight of Privileges Required depends on Modified Scope (specification 3.1,
# table 15: 0.27 for High when the modified scope is unchanged). For the vector below the score is 2.9, as PyPI cvss
# 3.6 and npm ae-cvss-calculator 1.0.13 say.
# Actual: 3.2, computed with the weight 0.5 of the changed base scope.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @pandatix/js-cvss@0.4.4 ae-cvss-calculator@1.0.13 rolldown@1.0.0 >/dev/null 2>&1
vector=CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:C/C:L/I:H/A:N/AR:H/MS:U/MI:L
npx rolldown node_modules/@pandatix/js-cvss/dist/index.js --format cjs --file bundle.cjs >/dev/null
seen=$(node -e "
const { CVSS31 } = require('./bundle.cjs'), { Cvss3P1 } = require('ae-cvss-calculator')
console.log(new CVSS31('$vector').EnvironmentalScore(), new Cvss3P1('$vector').calculateScores().environmental)")
echo "js-cvss, ae-cvss-calculator: $seen"
[ "$seen" = "3.2 2.9" ]
