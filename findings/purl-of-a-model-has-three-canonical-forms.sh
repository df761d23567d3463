#!/bin/sh
# The package URL of a model on another hub is written in three ways by the three reference libraries.
#
# Expected: `to string` gives the canonical form, so two tools agree on the text (it is the key of components in
# CycloneDX). Input: pkg:huggingface/microsoft/deberta-v3-base@559062ad?repository_url=https://hub-ci.huggingface.co
# Actual: packageurl-python 0.17.6 keeps "://", packageurl-js 2.0.1 writes "%3A%2F%2F", packageurl-go v0.1.7 writes
# ":%2F%2F". Compare package URLs by their parsed parts, never as text.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts packageurl-js@2.0.1 >/dev/null 2>&1
python3 -m venv py && py/bin/pip install -q packageurl-python==0.17.6 2>/dev/null
mkdir go && cd go
cat > go.mod <<'MOD'
module finding
go 1.22
require github.com/package-url/packageurl-go v0.1.7
MOD
cat > main.go <<'GO'
package main

import (
	"fmt"
	"os"

	packageurl "github.com/package-url/packageurl-go"
)

func main() {
	parsed, err := packageurl.FromString(os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println(parsed.ToString())
}
GO
go mod tidy >/dev/null 2>&1 && go build -o ../read . && cd ..
start='pkg:huggingface/microsoft/deberta-v3-base@559062ad?repository_url=https'
given="$start://hub-ci.huggingface.co"
python=$(py/bin/python -c "from packageurl import PackageURL; print(PackageURL.from_string('$given').to_string())")
javascript=$(node -e "const { PackageURL } = require('packageurl-js'); console.log(PackageURL.fromString('$given').toString())")
go=$(./read "$given")
printf 'python %s\njs     %s\ngo     %s\n' "$python" "$javascript" "$go"
[ "$python" = "$given" ] && [ "$javascript" = "$start%3A%2F%2Fhub-ci.huggingface.co" ] && [ "$go" = "$start:%2F%2Fhub-ci.huggingface.co" ]
