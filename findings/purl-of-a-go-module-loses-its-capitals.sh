#!/bin/sh
# The package URL of a Go module with capitals depends on the library: packageurl-go v0.1.7 lowers them, as the
# definition of the type asks; packageurl-js 2.0.1 keeps them, as the Go module proxy needs.
#
# Expected: one text for one module. github.com/Masterminds/semver/v3 is a case-sensitive path.
# Actual: pkg:golang/github.com/masterminds/semver/v3@v3.2.1 and pkg:golang/github.com/Masterminds/semver/v3@v3.2.1. Two
# inventories of one repository then have no component in common: compare Go modules without regard to case.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts packageurl-js@2.0.1 >/dev/null 2>&1
cat > go.mod <<'MOD'
module finding
go 1.22
require github.com/package-url/packageurl-go v0.1.7
MOD
cat > main.go <<'GO'
package main

import (
	"fmt"

	packageurl "github.com/package-url/packageurl-go"
)

func main() {
	parsed, err := packageurl.FromString("pkg:golang/github.com/Masterminds/semver/v3@v3.2.1")
	if err != nil {
		panic(err)
	}
	fmt.Println(parsed.ToString())
}
GO
go mod tidy >/dev/null 2>&1
go=$(go run .)
javascript=$(node -e "const { PackageURL } = require('packageurl-js'); console.log(PackageURL.fromString('pkg:golang/github.com/Masterminds/semver/v3@v3.2.1').toString())")
printf 'go %s\njs %s\n' "$go" "$javascript"
[ "$go" = "pkg:golang/github.com/masterminds/semver/v3@v3.2.1" ]
[ "$javascript" = "pkg:golang/github.com/Masterminds/semver/v3@v3.2.1" ]
