"""The sentences that the script of an upload shows, in the reader's language."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from coach.lib.words.sizes import size_units

register = template.Library()


@register.simple_tag
def upload_words() -> dict[str, str]:
    """What `upload.js` says, by its name there."""
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
        "handed_in": _("The analysis has started."),
        "refused": _(
            "The site did not accept this file. Nothing else was changed. Try another "
            "recording, or try again later."
        ),
    }
