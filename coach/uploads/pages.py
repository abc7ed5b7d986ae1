"""Values of the upload pages: uploads to resume, and the scripts' sentences."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.feedback.pages.incomplete_uploads import called, what_happened
from coach.lib.words.dates import date_words
from coach.lib.words.sizes import size_units, size_words
from coach.rehearsals.models import Upload
from coach.rehearsals.retention import upload_kept_until
from coach.rehearsals.selectors import uploads_for
from coach.uploads.tus.protocol import metadata_of

_MOST = 50
"""The maximum number of uploads on one page; sites may allow more to wait."""


def unfinished_uploads(user: User) -> list[dict[str, object]]:
    """Return the user's uploads of takes that resume when the same file is chosen."""
    return unfinished_as_shown(uploads_for(user))


def unfinished_as_shown(uploads: QuerySet[Upload]) -> list[dict[str, object]]:
    """Return those uploads that resume when the same file is chosen, for the script.

    `modified` is the file's date in milliseconds since 1970, as the browser reported it.
    """
    began = Q(state__in=[Upload.State.RECEIVING, Upload.State.CUT_OFF], is_resumable=True)
    found = uploads.filter(began, expected_bytes__isnull=False, received_bytes__gt=0)
    return [
        {
            "url": reverse("rehearsals:tus_upload", args=[upload.pk]),
            "name": upload.name,
            "size": upload.expected_bytes,
            "modified": metadata_of(upload.metadata).get("modified", ""),
            "received": upload.received_bytes,
            "received_words": size_words(upload.received_bytes),
        }
        for upload in found.order_by("-created_at")[:_MOST]
    ]


def as_shown(upload: Upload) -> dict[str, object]:
    """Return the template values of an upload."""
    return {
        "name": called(upload),
        "goes_on": upload.is_resumable and upload.expected_bytes is not None,
        "is_complete": upload.state == Upload.State.COMPLETE,
        "was_troubled": bool(upload.problem),
        "what_happened": what_happened(upload),
        "received": size_words(upload.received_bytes),
        "expected": size_words(upload.expected_bytes) if upload.expected_bytes else "",
        "when": date_words(upload.created_at),
        "kept_until": date_words(upload_kept_until(upload)),
        "analyse_url": reverse("feedback:cut_off", args=[upload.pk]),
        "discard_url": reverse("rehearsals:discard_upload", args=[upload.pk]),
    }


def upload_words() -> dict[str, str]:
    """Return the sentences of `upload.js`, by key."""
    return {
        "missing": _("Choose a recording first."),
        "empty": _("This file is empty (0 bytes). Choose another one, or record it again."),
        "large": _(
            "This file is {size}; the limit is {most}. Export it at 1080p or less, or cut it "
            "into parts. Nothing was sent."
        ),
        "long": _(
            "This recording is about {length} min long; the limit is {most} min. Cut it into "
            "shorter parts. Nothing was sent."
        ),
        "sending": _("Uploading your recording"),
        "arrived": _("Upload complete. Checking the file."),
        "sent": _("{sent} of {total}"),
        "speed": _("{speed} per second"),
        **size_units(),
        "seconds_left": _("about {n} seconds left"),
        "minutes_left": _("about {n} min left"),
        "broken": _(
            "The connection was lost. Your recording is already uploaded; try again in a moment."
        ),
        "waits": _("The connection is interrupted. The upload resumes as soon as it is back."),
        "signed_out": _(
            "You are signed out. Sign in in another tab, then press the button here again to "
            "resume the upload."
        ),
        "paused": _("Paused. The uploaded part is saved."),
        "pause": _("Pause"),
        "go_on": _("Go on"),
        "part_here": _("{size} already uploaded; the upload resumes from there."),
        "silent": _(
            "This file has no sound, so we cannot analyse your voice and words. You can still "
            "send it."
        ),
        "short_60": _(
            "A short take: we count words, fillers and pauses. From 60 s we also compare parts of "
            "the talk; from 90 s every measure is possible."
        ),
        "short_90": _("From 90 s every measure of a talk is possible."),
        "handed_in": _("The analysis has started."),
        "refused": _(
            "The site did not accept this file. Nothing else was changed. Try another "
            "recording, or try again later."
        ),
    }


def recorder_words() -> dict[str, str]:
    """Return the sentences of the recorder script, by key."""
    return {
        **size_units(),
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
        "checking": _("Checking picture and sound …"),
        "checking_sound": _("Checking sound …"),
        "all_fine": _("We can see and hear you well."),
        "all_fine_sound": _("We can hear you well."),
        "rest_fine": _("The rest is fine."),
        "fine_so_far": _("Fine so far."),
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
        "pace": _("{n} words per minute"),
        "left_half": _("Half your time left"),
        "left_60": _("1 minute left"),
        "left_15": _("15 seconds left"),
        "hardly_heard": _("We hardly hear you"),
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
