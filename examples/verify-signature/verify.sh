#!/bin/sh
# Checks that an answer of the service is the operator's, byte for byte, with nothing but curl and openssl.
#
#   ./verify.sh [base URL]        without one: the sandbox that `npm start` runs
set -eu

here=$(cd "$(dirname "$0")" && pwd)
file="${SVC_DATA:-$here/../../.svc}/sandbox.json"
base=${1:-$(sed -n 's/.*"baseUrl": *"\([^"]*\)".*/\1/p' "$file" 2>/dev/null || true)}
if [ -z "$base" ]; then
  echo 'No sandbox is running: run `npm start` at the root of the repository first, or give the base URL of a service.' >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The operator's public key: fetch it once, compare it with what the operator published elsewhere, and keep it.
curl -fsS "$base/api/v1/public-key" -o key.pem

# Any answer will do; they are all signed. This one needs no API key. The body goes to a file untouched: the signature covers its bytes.
curl -sS "$base/api/v1/health" -D headers -o body
sed -n 's/^[Xx]-[Ss]ignature: *//p' headers | tr -d '\r\n' | openssl base64 -d -A -out signature

echo 'the answer as it came:'
openssl dgst -sha256 -verify key.pem -signature signature body

echo 'with one byte more:'
printf ' ' >>body
if openssl dgst -sha256 -verify key.pem -signature signature body 2>/dev/null; then
  echo 'A changed answer was accepted.' >&2
  exit 1
fi
