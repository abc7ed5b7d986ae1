"""A real S3 server for tests, out of a wheel: SeaweedFS, which can be ended and started again."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

WEED = Path(sys.executable).parent / "weed"

KEY, SECRET = "rostrum-test", "rostrum-test-secret"
BUCKET = "recordings"

_PARTS = ("master", "volume", "filer", "s3")
_UP_SECONDS = 60.0
_UNTIL_LET_GO = '"$@" & read -r _; kill -KILL $!; wait $! 2>/dev/null'


def _free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _each in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


class S3Server:
    """What keeps the bytes, and the door to it, which alone is ended and started again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._behind: subprocess.Popen[bytes] | None = None
        self._door: subprocess.Popen[bytes] | None = None
        ports = _free_ports(2 * len(_PARTS))
        self._ports = dict(zip(_PARTS, ports[: len(_PARTS)], strict=True))
        self._grpc = dict(zip(_PARTS, ports[len(_PARTS) :], strict=True))
        credentials = [{"accessKey": KEY, "secretKey": SECRET}]
        actions = ["Admin", "Read", "Write", "List", "Tagging"]
        identity = {"name": "rostrum", "credentials": credentials, "actions": actions}
        (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._ports['s3']}"

    @property
    def options(self) -> dict[str, object]:
        """What django-storages is told."""
        return {
            "bucket_name": BUCKET,
            "endpoint_url": self.url,
            "region_name": "us-east-1",
            "access_key": KEY,
            "secret_key": SECRET,
            "client_config": Config(
                connect_timeout=2,
                read_timeout=10,
                retries={"mode": "standard", "max_attempts": 1},
                signature_version="s3v4",
                s3={"addressing_style": "path"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        }

    def start(self) -> None:
        """Start what is not up, and wait until something can be written."""
        if self._behind is None:
            grpc = [f"-{part}.port.grpc={port}" for part, port in self._grpc.items()][:-1]
            ports = [f"-{part}.port={port}" for part, port in self._ports.items()][:-1]
            self._behind = self._run(
                "server",
                f"-dir={self._folder}",
                "-ip=127.0.0.1",
                "-ip.bind=127.0.0.1",
                *ports,
                *grpc,
                "-filer",
                "-master.telemetry=false",
                "-volume.max=16",
                "-master.volumeSizeLimitMB=64",
            )
        if self._door is None:
            filer = f"127.0.0.1:{self._ports['filer']}.{self._grpc['filer']}"
            self._door = self._run(
                "s3",
                f"-filer={filer}",
                "-ip.bind=127.0.0.1",
                f"-port={self._ports['s3']}",
                f"-port.grpc={self._grpc['s3']}",
                f"-config={self._folder / 's3.json'}",
                "-port.iceberg=0",
                "-port.lance=0",
                "-iam=false",
            )
        self._wait()

    def _run(self, *words: str) -> subprocess.Popen[bytes]:
        """A process that ends with this one, however this one ends: then its input is over."""
        command = ["/bin/sh", "-c", _UNTIL_LET_GO, "sh", str(WEED), "-logtostderr=true", *words]
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)

    def end(self) -> None:
        """Nobody answers at its address any more, from one moment to the next."""
        if self._door is not None:
            self._door.communicate()
            self._door = None

    def leave(self) -> None:
        """End all of it."""
        self.end()
        if self._behind is not None:
            self._behind.communicate()

    def client(self):  # type: ignore[no-untyped-def]
        """For looking into the bucket past the product."""
        patient: Any = self.options["client_config"]
        return boto3.client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            config=patient.merge(Config(read_timeout=2)),
        )

    def _wait(self) -> None:
        client, deadline = self.client(), time.monotonic() + _UP_SECONDS
        while True:
            try:
                self._make_bucket(client)
                client.put_object(Bucket=BUCKET, Key="up", Body=b"up")
            except (BotoCoreError, ClientError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return

    @staticmethod
    def _make_bucket(client) -> None:  # type: ignore[no-untyped-def]
        try:
            client.create_bucket(Bucket=BUCKET)
        except ClientError as error:
            if "BucketAlready" not in error.response["Error"]["Code"]:
                raise
