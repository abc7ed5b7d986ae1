"""A real little HTTPS server that takes webhooks, with a certificate of its own."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "hooks.example.org"


class Receiver:
    """What it got, and what it answers."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        self.status = 200
        self.headers: dict[str, str] = {}
        self.drips = False
        self.port = 0

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/rostrum?of=us"


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((self.path, dict(self.headers), body))
            while receiver.drips:
                self.wfile.write(b"H")
                self.wfile.flush()
                time.sleep(0.1)
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    return Handler


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_where: object) -> None:
        """Say nothing of a sender that hangs up."""


def certificate(folder: Path, name: str = HOST) -> Path:
    """Write a key and its certificate for a name; return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@contextmanager
def listening(pem: Path) -> Iterator[Receiver]:
    """Start the server on a free port of this machine."""
    receiver = Receiver()
    server = _Server(("127.0.0.1", 0), _handler(receiver))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.drips = False
        server.shutdown()
        server.server_close()
