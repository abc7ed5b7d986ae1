"""A client of the tus protocol that looks at every header."""

from __future__ import annotations

import os
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coach.rehearsals.models import Upload
from tests.coach.uploads.handing_in import MP4

TALK = MP4 + os.urandom(300_000)
PIECE = "application/offset+octet-stream"


class Sender:
    """A client of the protocol, as strict as the text of it."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.url = ""

    def ask(self, method: str, url: str = "", body: bytes = b"", **headers: str) -> HttpResponse:
        sent = {"Tus-Resumable": "1.0.0"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        kind = sent.pop("Content-Type", PIECE if body or method == "PATCH" else "")
        given: dict[str, Any] = {"content_type": kind, "headers": sent, "CONTENT_TYPE": kind}
        answer = self.client.generic(method, url or self.url, body, **given)
        assert answer.headers["Tus-Resumable"] == "1.0.0"
        return answer

    def begin(self, length: int | None = len(TALK), **more: str) -> HttpResponse:
        size = {"Upload_Defer_Length": "1"} if length is None else {"Upload_Length": str(length)}
        answer = self.ask("POST", reverse("rehearsals:tus"), **size, **more)
        self.url = answer.headers.get("Location", "")
        return answer

    def send(self, piece: bytes, offset: int, **more: str) -> HttpResponse:
        return self.ask("PATCH", body=piece, Upload_Offset=str(offset), **more)

    def offset(self) -> int:
        return int(self.ask("HEAD").headers["Upload-Offset"])

    @property
    def upload(self) -> Upload:
        return Upload.objects.get(pk=self.url.split("/")[-2])
