#!/bin/sh
# license-expression 30.4.4 calls a valid SPDX expression with a LicenseRef unknown.
#
# Expected: "LicenseRef-Acme-1 OR MIT" validates: SPDX names own licences by LicenseRef-, and CycloneDX allows any SPDX
# expression in licenses[].expression.
# Actual: parse(…, validate=True) raises "Unknown license key(s): LicenseRef-Acme-1", and the same for
# DocumentRef-x:LicenseRef-y. npm spdx-expression-parse 5.0.0 reads both.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts spdx-expression-parse@5.0.0 >/dev/null 2>&1
python3 -m venv py && py/bin/pip install -q license-expression==30.4.4 2>/dev/null
python=$(py/bin/python - <<'PY'
from license_expression import get_spdx_licensing
try:
    print(get_spdx_licensing().parse('LicenseRef-Acme-1 OR MIT', validate=True))
except Exception as error:
    print(error)
PY
)
javascript=$(node -e "console.log(JSON.stringify(require('spdx-expression-parse')('LicenseRef-Acme-1 OR MIT')))")
printf 'python %s\njs     %s\n' "$python" "$javascript"
[ "$python" = "Unknown license key(s): LicenseRef-Acme-1" ]
[ "$javascript" = '{"left":{"license":"LicenseRef-Acme-1"},"conjunction":"or","right":{"license":"MIT"}}' ]
