#!/bin/sh
# Make a certificate authority of the site and the certificate of the machine with the data, in
# ./certificates. Run it there, as root, with the name by which other machines reach it:
#   sh deploy/certificates.sh data.rostrum.example
# Other machines get certificates/ca.pem. Keep certificates/ca.key elsewhere: it signs the next one.
set -eu
name=${1:?name the machine with the data, such as data.rostrum.example}
umask 077
mkdir -p certificates && cd certificates
if [ ! -f ca.key ]; then
  openssl req -x509 -newkey rsa:3072 -sha256 -nodes -days 3650 -subj "/CN=Rostrum $name" \
    -keyout ca.key -out ca.pem
fi
openssl req -newkey rsa:3072 -sha256 -nodes -subj "/CN=$name" -keyout server.key -out server.csr
printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\n' "$name" > server.ext
openssl x509 -req -sha256 -days 825 -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial \
  -extfile server.ext -out server.pem
# Each image reads its own copy, with the account that its server runs as.
for service in postgres valkey store; do
  mkdir -p "$service"
  cp ca.pem server.pem server.key "$service"
done
if [ ! -f valkey/valkey.conf ]; then
  printf 'requirepass %s\n' "$(openssl rand -hex 32)" > valkey/valkey.conf
fi
rm server.csr server.ext server.key
chown -R 999 postgres valkey
chmod 644 ca.pem
echo "Password of Valkey, for CELERY_BROKER_URL: $(cut -d' ' -f2 valkey/valkey.conf)"
