"""A recording and the form around it, for tests that hand one in."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from coach.accounts.models import User
from coach.rehearsals.models import Upload
from coach.rehearsals.talk_context import TalkContext
from coach.uploads.services import finish_upload
from tests.coach.factories import arrived

CONTEXT = TalkContext(
    title="Thesis", aim="inform", audience="experts", setting="camera", language="en"
)


URL = "/practise/new/"

MP4 = b"\x00\x00\x00\x18ftypmp42"


def filled_in(content: bytes = MP4, **changes: Any) -> dict[str, Any]:
    return {
        "title": "Thesis",
        "aim": "inform",
        "audience": "experts",
        "setting": "camera",
        "camera_position": "level",
        "language": "en",
        "time_limit_minutes": "",
        "goal": "",
        "token": str(uuid.uuid4()),
        "recording": SimpleUploadedFile("talk.mp4", content),
        **changes,
    }


def on_disk(upload: Upload, content: bytes) -> Path:
    arrived(upload).parent.mkdir(parents=True, exist_ok=True)
    arrived(upload).write_bytes(content)
    return arrived(upload)


def waiting(owner: User, content: bytes = MP4, *, complete: bool = False) -> Upload:
    upload = Upload.objects.create(owner=owner, name="talk.mp4", expected_bytes=100)
    on_disk(upload, content)
    finish_upload(upload=upload, received_bytes=len(content), sha256="ab" * 32, complete=complete)
    return upload
