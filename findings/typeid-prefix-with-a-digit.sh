#!/bin/sh
# typeid-python 0.3.11 takes a TypeID whose prefix has a digit; typeid-js 1.2.0 refuses it.
#
# Expected: a prefix has a-z and _ only (TypeID specification 0.3.0), so r1_01h455vb4pex5vsknk084sn02q is refused.
# Actual: the Python library returns the prefix r1. An id that one service took is refused by the next.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts typeid-js@1.2.0 >/dev/null 2>&1
python3 -m venv py && py/bin/pip install -q typeid-python==0.3.11 2>/dev/null
id=r1_01h455vb4pex5vsknk084sn02q
python=$(py/bin/python -c "from typeid import TypeID; print(TypeID.from_string('$id').prefix)")
javascript=$(node --input-type=module -e "
import { fromString } from 'typeid-js'
try { console.log(fromString('$id')) } catch ({ message }) { console.log(message) }")
printf 'python %s\njs     %s\n' "$python" "$javascript"
[ "$python" = r1 ]
echo "$javascript" | grep -q 'Invalid prefix "r1"'
