# WEBHOOK_SECRET=whsec_… sh send.sh https://hooks.example.com/plumbline
id="dlv_test_$(date +%s)"
timestamp=$(date +%s)
body='{"id":"sig_test","type":"webhook.test","data":{"message":"This is a test."}}'
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$(printf '%s.%s.%s' "$id" "$timestamp" "$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
curl -i "${1:-http://localhost:8080}" \
  -H 'content-type: application/json' \
  -H "webhook-id: $id" \
  -H "webhook-timestamp: $timestamp" \
  -H "webhook-signature: v1,$signature" \
  --data-binary "$body"
