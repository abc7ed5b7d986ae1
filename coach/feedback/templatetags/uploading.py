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
            "This file is {size}; the most that can be sent is {most}. Export it at 1080p or "
            "less, or cut it into parts. Nothing was sent."
        ),
        "long": _(
            "This recording is about {length} min long; the most is {most} min. Cut it into "
            "shorter parts. Nothing was sent."
        ),
        "sending": _("Sending your recording"),
        "arrived": _("Everything has arrived. Checking the file."),
        "sent": _("{sent} of {total}"),
        "speed": _("{speed} a second"),
        **size_units(),
        "seconds_left": _("about {n} seconds left"),
        "minutes_left": _("about {n} min left"),
        "broken": _("The connection broke. Your recording is here already; try again in a moment."),
        "waits": _("The connection is interrupted. It goes on by itself as soon as it can."),
        "signed_out": _(
            "You are signed out. Sign in in another tab, then press the button here again: the "
            "upload goes on from where it stopped."
        ),
        "paused": _("Paused. What has arrived is kept."),
        "pause": _("Pause"),
        "go_on": _("Go on"),
        "part_here": _("{size} of it are here already: it goes on from there."),
        "silent": _(
            "This file has no sound, so nothing can be said of your voice and words. You can "
            "send it all the same."
        ),
        "handed_in": _("It is being analysed."),
        "refused": _(
            "The site refused this file. Nothing else was changed; try another recording or "
            "try again later."
        ),
    }
