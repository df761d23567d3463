#!/bin/sh
# oapi-codegen v2.8.2 leaves out the components that only webhooks point at, and uses their types all the same.
#
# Expected: Go that compiles. The document is valid OpenAPI 3.1, and its webhook has a body and a header parameter in
# the components. With `output-options: skip-prune: true` both types are generated.
# Actual: `undefined: ThingCreated` and `undefined: DeliveryId`.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
cat >openapi.json <<'JSON'
{ "openapi": "3.1.0", "info": { "title": "Example", "version": "1" }, "paths": {},
  "webhooks": { "thing.created": { "post": {
    "operationId": "thingCreated",
    "parameters": [{ "$ref": "#/components/parameters/DeliveryId" }],
    "requestBody": { "required": true,
      "content": { "application/json": { "schema": { "$ref": "#/components/schemas/ThingCreated" } } } },
    "responses": { "200": { "description": "Received" } } } } },
  "components": {
    "parameters": { "DeliveryId": { "name": "delivery-id", "in": "header", "required": true, "schema": { "type": "string" } } },
    "schemas": { "ThingCreated": { "type": "object", "properties": { "id": { "type": "string" } } } } } }
JSON
printf 'module example\n\ngo 1.25\n' >go.mod
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -package main -generate types -o types.go openapi.json 2>/dev/null
seen=$(go vet . 2>&1 | grep -o 'undefined: [A-Za-z]*' | sort -u | head -1)
echo "go vet: $seen"
[ "$seen" = "undefined: DeliveryId" ] || [ "$seen" = "undefined: ThingCreated" ]
