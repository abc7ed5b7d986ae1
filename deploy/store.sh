#!/bin/sh
# The store of docker-compose.yml: one bucket, one key, no word to anybody outside.
set -eu
: "${ROSTRUM_S3_ACCESS_KEY:?set it in .env}" "${ROSTRUM_S3_SECRET_KEY:?set it in .env}"
umask 077
cat > /tmp/s3.json <<JSON
{"identities": [{"name": "rostrum",
  "credentials": [{"accessKey": "$ROSTRUM_S3_ACCESS_KEY", "secretKey": "$ROSTRUM_S3_SECRET_KEY"}],
  "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
JSON
# On a machine of its own (deploy/data.yml), with TLS for the others.
set --
if [ -n "${ROSTRUM_STORE_CERTIFICATES:-}" ]; then
  set -- -s3.port.https=8334 -s3.cert.file="$ROSTRUM_STORE_CERTIFICATES/server.pem" \
    -s3.key.file="$ROSTRUM_STORE_CERTIFICATES/server.key"
fi
exec weed server -dir=/data -ip.bind=0.0.0.0 -ip="$(hostname -i | cut -d' ' -f1)" \
  -filer -s3 -s3.port=8333 -s3.config=/tmp/s3.json -s3.iam=false -master.telemetry=false "$@"
