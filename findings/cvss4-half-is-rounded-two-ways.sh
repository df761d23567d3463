#!/bin/sh
# CVSS 4.0 libraries disagree by 0.1 on vectors whose exact score ends in a half.
#
# Expected: half is rounded up, also when binary arithmetic puts it just below the half. The exact score of the vector
# below is 5.65, so 5.7, as PyPI cvss 3.6 and npm ae-cvss-calculator 1.0.13 say.
# Actual: npm cvss4 1.0.7 says 5.6. Of 4,000 random vectors 155 differed. A threshold such as "7.0 is high" moves with
# the library.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts cvss4@1.0.7 ae-cvss-calculator@1.0.13 >/dev/null 2>&1
python3 -m venv py && py/bin/pip install -q cvss==3.6 2>/dev/null
vector=CVSS:4.0/AV:N/AC:H/AT:P/PR:H/UI:A/VC:H/VI:N/VA:L/SC:L/SI:N/SA:N
seen="$(py/bin/python -c "from cvss import CVSS4; print(CVSS4('$vector').base_score)") $(node -e "
const { calculateBaseScore } = require('cvss4'), { Cvss4P0 } = require('ae-cvss-calculator')
const score = calculateBaseScore('$vector')
console.log(new Cvss4P0('$vector').calculateScores().overall, score.score ?? score)")"
echo "cvss (PyPI), ae-cvss-calculator, cvss4: $seen"
[ "$seen" = "5.7 5.7 5.6" ]
