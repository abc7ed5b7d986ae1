"""What a browser sends."""

from __future__ import annotations

import uuid
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from coach.rehearsals.models import Rehearsal

FORM = {
    "title": "Opening of my thesis talk",
    "aim": "inform",
    "audience": "experts",
    "setting": "camera",
    "camera_position": "level",
    "language": "en",
    "goal": "",
}


def sent_form(content: bytes) -> dict[str, Any]:
    """The form, filled in, with a recording."""
    recording = SimpleUploadedFile("talk.wav", content, content_type="audio/wav")
    return {**FORM, "token": str(uuid.uuid4()), "recording": recording}


def send(client: Client, content: bytes) -> Rehearsal:
    """Hand a recording in; the take that it became."""
    response = client.post(reverse("feedback:new"), sent_form(content))
    assert response.status_code == 302, response.content.decode()
    return Rehearsal.objects.latest("created_at")
