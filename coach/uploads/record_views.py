"""The page on which somebody records, and what it is told of camera and microphone."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.accounts.selectors import profile_of
from coach.feedback.pages.incomplete_uploads import recorded_uploads
from coach.feedback.pages.rest_advice import rest_words
from coach.lib.web.http import SignedInRequest
from coach.lib.web.large_bodies import SMALL_BODY_BYTES
from coach.lib.words.sizes import size_units
from coach.uploads.device_check import Busy, looker
from coach.uploads.forms import RecordedTalkForm
from coach.uploads.views import again_in, said_before

_MOST_PIXELS = 16_384


@require_safe
@trainees_only
def record(request: SignedInRequest) -> HttpResponse:
    """Camera and microphone, takes, and the one that is used."""
    known = said_before(request)
    gentle = profile_of(request.user).gentle
    context = {
        # As a form would send it.
        "known": {
            name: "on" if said is True else str(said) for name, said in known.items() if said
        },
        "form": RecordedTalkForm(initial=known, asks_ease=gentle),
        "sound_only": gentle,
        "asks_ease": gentle,
        "minutes": known.get("time_limit_minutes") or "",
        "looks_first": bool(known.get("looks_into_lens_first")),
        "max_minutes": settings.MAX_MINUTES,
        "said": booth_words(),
        "waiting": recorded_uploads(request.user),
        "rest": rest_words(request.user),
        "again": again_in(request),
    }
    return with_devices(render(request, "feedback/record.html", context))


def with_devices(response: HttpResponse) -> HttpResponse:
    """A page that may ask for camera and microphone.

    Every other page is refused both (coach.lib.web.http.forbid_camera_and_microphone).
    """
    response.headers["Permissions-Policy"] = "camera=(self), microphone=(self)"
    return response


@require_POST
@trainees_only
def look(request: SignedInRequest) -> JsonResponse:
    """What a picture or some sound says before somebody records a take."""
    return looked_at(request)


def looked_at(request: SignedInRequest) -> JsonResponse:
    """What a picture (JPEG) or some sound (16 bits, 16 kHz) says; nothing of it is kept."""
    width, height = (_pixels(request.GET.get(name, "")) for name in ("width", "height"))
    kind = request.GET.get("kind")
    if kind not in {"picture", "sound"} or (kind == "picture" and not width * height):
        return JsonResponse({"message": _("We could not read this.")}, status=400)
    if int(request.META.get("CONTENT_LENGTH") or 0) > SMALL_BODY_BYTES:
        return JsonResponse({"message": _("This is more than a picture.")}, status=413)
    try:
        if kind == "picture":
            findings = looker.ask("picture", request.body, width=width, height=height)
        else:
            findings = looker.ask("sound", request.body)
    except Busy:
        return JsonResponse({"message": _("The check is busy just now.")}, status=503)
    return JsonResponse({"findings": findings})


def booth_words() -> dict[str, str]:
    """What the script of a page that records says."""
    return {
        **size_units(),
        **_words_of_sending(),
        **_words_of_recording(),
        **_words_of_checking(),
        **_words_of_trouble(),
    }


def _words_of_sending() -> dict[str, str]:
    return {
        "sending": _("Uploading your recording"),
        "on_its_way": _("{share}% saved"),
        "here": _("Take saved"),
        "waits": _("The connection is interrupted. The upload resumes as soon as it is back."),
        "refused": _(
            "The site did not accept this take. It is saved in this browser; try again later."
        ),
        "signed_out": _(
            "You are signed out. Your recording is saved in this browser. Sign in in another "
            "tab, then press Try again here."
        ),
    }


def _words_of_recording() -> dict[str, str]:
    return {
        "camera": _("Camera"),
        "microphone": _("Microphone"),
        "recording_name": _("Recording {when}"),
        "pause": _("Pause"),
        "go_on": _("Go on"),
        "look": _("Look into the lens"),
        "recording": _("Recording"),
        "paused": _("Paused"),
        "limit_near": _("Recording. Your time limit is near."),
        "limit_over": _("Recording. You are over your time limit."),
        "longest_near": _("Recording. It stops automatically in less than a minute."),
    }


def _words_of_checking() -> dict[str, str]:
    """What is said of a picture and some sound before a take begins."""
    return {
        "checking": _("Checking picture and sound …"),
        "checking_sound": _("Checking sound …"),
        "all_fine": _("We can see and hear you well."),
        "all_fine_sound": _("We can hear you well."),
        "rest_fine": _("The rest is fine."),
        "fine_so_far": _("Fine so far."),
    }


def _words_of_trouble() -> dict[str, str]:
    """What is said where a device or the room for what is recorded is missing."""
    return {
        "not_allowed": _(
            "Your browser is blocking the camera or microphone. Allow them in the address bar, "
            "then turn them on again."
        ),
        "not_found": _("We found no camera or microphone. Connect one, or choose another."),
        "in_use": _("Another program is using the camera or microphone. Close it and try again."),
        "no_device": _("We could not turn on the camera and microphone: {why}"),
        "unplugged": _(
            "The camera or microphone was disconnected. Everything recorded so far is saved."
        ),
        "sound_gone": _(
            "The microphone gives no sound. A call or another program may be using it, or it is "
            "switched off."
        ),
        "picture_gone": _(
            "The camera gives no picture. Another program may be using it, or it is covered or "
            "switched off."
        ),
        "was_gone": _("It works again. Check this take before you use it: a part may be missing."),
        "longest": _(
            "The recording has reached the maximum length and has stopped. All of it is saved."
        ),
        "no_room_at_all": _(
            "This browser has no space left, so nothing was recorded. Free some space on this "
            "device, or use or discard a take listed here, then record again."
        ),
        "no_room": _(
            "This browser has no space left, so the recording has stopped. Everything recorded "
            "so far is saved."
        ),
    }


def _pixels(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 6 else 0
    return count if count <= _MOST_PIXELS else 0
