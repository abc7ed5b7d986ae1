"""Asking for the pages of a recording, and sending to them."""

from __future__ import annotations

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from coach.research.coding.models import Passage, Recording
from coach.research.coding.recordings.passages import mark_of
from tests.coach.feedback.recordings import wav_bytes

WAV = wav_bytes(0.2)

VIEWS = [
    ("get", "recording"),
    ("get", "recording_now"),
    ("get", "record_interview"),
    ("get", "recording_media"),
    ("post", "recording_step"),
    ("post", "check_recording"),
    ("post", "send_recording"),
    ("post", "hand_in_recording"),
    ("post", "discard_recording"),
    ("post", "assign_voice"),
    ("post", "add_voice"),
    ("post", "take_recording_in"),
]


def url(recording: Recording, name: str = "recording", *more: object) -> str:
    return reverse(f"research:{name}", args=[recording.study.slug, recording.pk, *more])


def typed(passage: Passage, text: str) -> dict[str, str]:
    """What the form of a passage sends: the words, and which ones stood there before."""
    return {f"text_{passage.pk}": text, f"seen_{passage.pk}": mark_of(passage)}


def tus(
    client: Client, address: str, method: str, body: bytes = b"", **headers: str
) -> HttpResponse:
    said = {"Tus-Resumable": "1.0.0", **{k.replace("_", "-"): v for k, v in headers.items()}}
    kind = "application/offset+octet-stream" if body else ""
    answer: HttpResponse = client.generic(method, address, body, content_type=kind, headers=said)
    return answer
