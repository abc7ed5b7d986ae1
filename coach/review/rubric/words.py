"""The rated qualities, with observable descriptions of their five levels.

Six qualities after the Public Speaking Competence Rubric (Schreiber, Paul and Shibley, 2012), whose
eleven items they gather; five levels, since coaches who had three asked for more, and because a
level without a description means something else to each coach. The wording is our own: it says what
can be observed in the recording, never what the person is like. Each names the qualities of cards
that belong to it, so that cards and ratings speak of the same things. Levels are ordinal: they are
never summed or averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from coach.rehearsals.models import Goal

LOWEST, HIGHEST = 1, 5
LEVELS = tuple(range(LOWEST, HIGHEST + 1))

CANNOT_JUDGE = _("Cannot be judged from this recording")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedQuality:
    """A quality that coaches rate."""

    code: str
    """The stable code in stored ratings and exports."""
    label: str | Promise
    asks: str | Promise
    """The aspects to look at."""
    anchors: tuple[str | Promise, ...]
    """The descriptions of the levels, lowest first."""
    goals: tuple[Goal, ...] = ()
    """The qualities of cards that belong to it; none where only coaches can judge."""


QUALITIES = (
    RatedQuality(
        code="content",
        label=_("Content"),
        asks=_("The main point, and what supports it"),
        anchors=(
            _("The main point is not clear; statements have no examples, figures or reasons."),
            _("The main point can be guessed; a few statements have an example or a reason."),
            _(
                "The main point is stated once; about half of the statements that need support "
                "have it."
            ),
            _("The main point is clear throughout; most statements are supported."),
            _(
                "The main point is clear throughout and easy to retell; every important statement "
                "has a fitting example, figure or source."
            ),
        ),
    ),
    RatedQuality(
        code="organisation",
        goals=(Goal.STRUCTURE,),
        label=_("Organisation"),
        asks=_("Opening, order, transitions, ending"),
        anchors=(
            _("Parts follow each other without a visible plan; opening and ending are missing."),
            _("There is an opening or an ending; listeners have to work out the order."),
            _("Opening, middle and ending can be told apart; several transitions are missing."),
            _("The opening and the ending are clear; most transitions are stated."),
            _(
                "The opening says where the talk is going, every transition is stated, and the "
                "ending returns to the main point."
            ),
        ),
    ),
    RatedQuality(
        code="language",
        goals=(Goal.CLARITY,),
        label=pgettext_lazy("how a talk is worded", "Language"),
        asks=_("Words and sentences, for this audience"),
        anchors=(
            _("Many sentences break off or contain several ideas; terms are not explained."),
            _("Several terms are not explained, or long sentences hide the point."),
            _("Mostly clear words; some terms or sentences are hard to follow at first hearing."),
            _("Clear, exact words; terms are explained when they first come up."),
            _("Clear, exact words throughout; images or comparisons carry the main point."),
        ),
    ),
    RatedQuality(
        code="voice",
        goals=(Goal.FLUENCY, Goal.VOCAL_VARIETY),
        label=_("Voice"),
        asks=_("Pace, pauses, loudness, pitch variation"),
        anchors=(
            _("Many passages are hard to hear or to follow; pace and pitch hardly change."),
            _("Can be followed with effort; pace, loudness or pitch change now and then."),
            _("Easy to hear; pace and pitch change in places, not always with the meaning."),
            _("Easy to hear; pace, pauses and pitch mostly support the meaning."),
            _(
                "Pace, pauses, loudness and pitch support the meaning throughout; key words "
                "stand out."
            ),
        ),
    ),
    RatedQuality(
        code="body",
        goals=(Goal.PRESENCE,),
        label=_("Body"),
        asks=_("Posture, gestures, face"),
        anchors=(
            _("Gestures and face hardly match the words, or repeated movements draw the eye."),
            _(
                "Gestures and face match the words now and then; repeated movements draw the "
                "eye in places."
            ),
            _("A steady posture; gestures and face match the words in about half of the talk."),
            _("Gestures, face and posture mostly support the words."),
            _("Gestures, face and posture support the words throughout and mark the key points."),
        ),
    ),
    RatedQuality(
        code="audience",
        goals=(Goal.AUDIENCE_CONTACT,),
        label=_("Contact with the audience"),
        asks=_("How the talk addresses its listeners"),
        anchors=(
            _("The audience is not addressed: no look, no question, no example from its world."),
            _("The audience is addressed only at the start or at the end."),
            _("The audience is addressed in several places; some examples are from its world."),
            _("The speaker mostly looks at the audience; examples and depth suit it."),
            _(
                "The audience is addressed throughout; examples, depth and questions suit it, "
                "and there is room for reactions."
            ),
        ),
    ),
)
"""The qualities in the order of rating."""

BY_CODE = {quality.code: quality for quality in QUALITIES}


def level_words(code: str, level: int | None) -> str:
    """Return the words of a level; for None, that it cannot be rated."""
    return str(CANNOT_JUDGE if level is None else BY_CODE[code].anchors[level - LOWEST])
