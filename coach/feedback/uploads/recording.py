"""The page on which somebody records, and what it is told of camera and microphone."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.accounts.selectors import profile_of
from coach.feedback.forms import RecordedTalkForm
from coach.feedback.pages.resting import rest_words
from coach.feedback.pages.waiting import recorded_uploads
from coach.feedback.uploads.views import again_in, said_before
from coach.lib.web.http import SignedInRequest
from coach.lib.web.large_bodies import SMALL_BODY_BYTES
from coach.lib.words.sizes import size_units
from coach.rehearsals.capture import Busy, looker

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
        return JsonResponse({"message": _("This could not be read.")}, status=400)
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
        "sending": _("Sending your recording"),
        "on_its_way": _("{share}% of it has arrived."),
        "here": _("All of it is here."),
        "waits": _("The connection is interrupted. It goes on by itself as soon as it can."),
        "refused": _("The site did not take it. It is kept in this browser; try again later."),
        "signed_out": _(
            "You are signed out. What you record is kept in this browser. Sign in in "
            "another tab, then press Try again here."
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
        "recording": _("It is recording."),
        "paused": _("It is paused."),
        "limit_near": _("It is recording. Your time limit is near."),
        "limit_over": _("It is recording. Your time limit is over."),
        "longest_near": _("It is recording. It ends by itself in less than a minute."),
    }


def _words_of_checking() -> dict[str, str]:
    """What is said of a picture and some sound before a take begins."""
    return {
        "checking": _("Looking and listening …"),
        "checking_sound": _("Listening …"),
        "all_fine": _("You can be seen and heard well."),
        "all_fine_sound": _("You can be heard well."),
        "rest_fine": _("The rest is fine."),
        "fine_so_far": _("Fine so far."),
    }


def _words_of_trouble() -> dict[str, str]:
    """What is said where a device or the room for what is recorded is missing."""
    return {
        "not_allowed": _(
            "The browser was not allowed to use camera or microphone. Allow them beside the "
            "address of this page, then turn them on again."
        ),
        "not_found": _("No camera or microphone was found. Connect one, or choose another."),
        "in_use": _("Another program uses the camera or the microphone. Close it and try again."),
        "no_device": _("Camera and microphone could not be turned on: {why}"),
        "unplugged": _("The camera or the microphone went away. What was recorded is kept."),
        "sound_gone": _(
            "The microphone gives no sound just now. A call or another program may have it, or it "
            "is switched off."
        ),
        "picture_gone": _(
            "The camera gives no picture just now. Another program may have it, or it is covered "
            "or switched off."
        ),
        "was_gone": _("It is back. Look at this take before you use it: a part may be missing."),
        "longest": _(
            "This is as long as a take may be, so the recording has ended. All of it is kept."
        ),
        "no_room_at_all": _(
            "This browser has no more room, so nothing was recorded. Make room on this device, or "
            "use or discard a take that waits here, then record again."
        ),
        "no_room": _(
            "This browser has no more room, so the recording has ended. What was recorded is kept."
        ),
    }


def _pixels(text: str) -> int:
    count = int(text) if text.isdecimal() and len(text) < 6 else 0
    return count if count <= _MOST_PIXELS else 0
