"""Real clients of the tus protocol: tuspy here, tus-js-client in node; in both custodies."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError

from coach.accounts.models import User
from coach.rehearsals.models import Upload
from coach.storage import Storage
from coach.uploads.services import complete_upload
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
MEGABYTE = 1024 * 1024
CONTENT = b"\x1a\x45\xdf\xa3" + os.urandom(11 * MEGABYTE)


@pytest.fixture
def headers(trainee: User, sign_in: SignIn) -> dict[str, str]:
    """What a program sends in Ana's name: her sign-in and the token of a page of hers."""
    client: Client = sign_in(trainee)
    client.get(reverse("feedback:new"))
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    return {
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
        "X-CSRFToken": cookies["csrftoken"],
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A recording, as far as its beginning says."""
    path = tmp_path / "talk.webm"
    path.write_bytes(CONTENT)
    return path


def all_of_it_is_here(upload: Upload) -> bool:
    done = complete_upload(upload=upload)
    return (done.received_bytes, done.sha256) == (
        len(CONTENT),
        hashlib.sha256(CONTENT).hexdigest(),
    )


def test_tuspy_sends_breaks_off_and_another_one_goes_on(
    either: Storage, live_server: LiveServer, headers: dict[str, str], file: Path
) -> None:
    tus = TusClient(live_server.url + reverse("rehearsals:tus"), headers=headers)
    with file.open("rb") as stream:
        first = tus.uploader(
            file_stream=stream,
            chunk_size=3 * MEGABYTE,
            metadata={"filename": "talk.webm"},
            upload_checksum=True,
        )
        first.upload(stop_at=6 * MEGABYTE)
        assert either.kept(Upload.objects.get().pk) == 6 * MEGABYTE
        second = tus.uploader(file_stream=stream, url=first.url, chunk_size=2 * MEGABYTE)
        assert second.offset == 6 * MEGABYTE
        second.upload()
    upload = Upload.objects.get()
    assert (upload.state, upload.name) == ("complete", "talk.webm")
    assert all_of_it_is_here(upload)


def test_tuspy_is_told_of_another_ones_upload_that_there_is_none(
    live_server: LiveServer, headers: dict[str, str], stranger: User, sign_in: SignIn
) -> None:
    address = live_server.url + reverse("rehearsals:tus")
    stream = io.BytesIO(CONTENT[:1000])
    mine = TusClient(address, headers=headers).uploader(file_stream=stream, chunk_size=100)
    mine.upload_chunk()
    theirs = {"Cookie": f"sessionid={sign_in(stranger).cookies['sessionid'].value}"}
    with pytest.raises(TusCommunicationError) as refused:
        TusClient(address, headers=theirs).uploader(file_stream=stream, url=mine.url)
    assert refused.value.status_code == 404


# It stops after some bytes without a goodbye, as a phone does; the second run goes on.
SCRIPT = """
const tus = require('tus-js-client');
const fs = require('fs');
const { endpoint, uploadUrl, headers, file, piece, stop } = JSON.parse(process.argv[1]);
const told = [];
const upload = new tus.Upload(fs.createReadStream(file), {
  endpoint, uploadUrl, headers, chunkSize: piece, retryDelays: [0, 100, 300, 1000, 3000],
  metadata: { filename: 'talk.webm' },
  onAfterResponse: (_request, answer) => told.push(answer.getStatus()),
  onChunkComplete: (_size, sent) => { if (stop && sent >= stop) end(); },
  onError: (error) => { console.error(String(error)); process.exit(1); },
  onSuccess: () => end(),
});
function end() { console.log(JSON.stringify({ url: upload.url, told })); process.exit(0); }
upload.start();
"""


def test_tus_js_client_dies_and_another_one_goes_on(
    live_server: LiveServer, headers: dict[str, str], file: Path, node: str
) -> None:
    address = live_server.url + reverse("rehearsals:tus")
    options = {"endpoint": address, "headers": headers, "file": str(file), "piece": 2 * MEGABYTE}
    first = run_node(node, {**options, "stop": 3 * MEGABYTE})
    assert first["told"] == [201, 204, 204]
    second = run_node(node, {**options, "uploadUrl": first["url"]})
    assert second["told"] == [200, 204, 204, 204, 204]
    upload = Upload.objects.get()
    assert upload.state == "complete"
    assert all_of_it_is_here(upload)


def run_node(node: str, options: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [node, "-e", SCRIPT, json.dumps(options)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told
