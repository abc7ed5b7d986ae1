"""What may be played of a passage or moment now, and otherwise why not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from coach.accounts.models import User
from coach.lib.words.clock import clock
from coach.research.coding.interviews.recording_consent import closed_among
from coach.research.coding.interviews.selectors import studies_redacted_by
from coach.research.coding.models import Recording
from coach.research.coding.selectors import may_code
from coach.research.studies.models import Study
from coach.research.themes.moments import FoundMoment
from coach.research.themes.retrieval import FoundPassage, SpokenTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """A stretch of a recording, in seconds, at an address that checks consent on each request."""

    url: str
    start: float
    end: float

    @property
    def at(self) -> str:
        """Return the address of the stretch, as a media fragment."""
        return f"{self.url}#t={self.start:.2f},{self.end:.2f}"

    @property
    def words(self) -> str:
        """Return its times in words."""
        return f"{clock(self.start)}–{clock(self.end)}"


class Unplayable(Enum):
    """Why a recording is not played. The words name nobody."""

    ROLE = "role"
    CONSENT = "consent"
    GONE = "gone"
    UNTIMED = "untimed"

    @property
    def words(self) -> str | Promise:
        """Return the reason in words."""
        return _REASONS[self]


_REASONS: dict[Unplayable, str | Promise] = {
    Unplayable.ROLE: _(
        "your role in this study does not open the recording. Leads and redactors open those of "
        "interviews, members who code those of takes"
    ),
    Unplayable.CONSENT: _(
        "someone in it has not agreed to this use of recordings or must be asked again, or the "
        "take is not part of the study"
    ),
    Unplayable.GONE: _("no recording is stored"),
    Unplayable.UNTIMED: _("the transcript has no times there"),
}


class Playback:
    """The recordings of a study that a person may open now."""

    def __init__(self, user: User, study: Study, *, before: int = 0) -> None:
        """Read permissions and consents once; `before` is the run-up in seconds."""
        self._study, self._before = study, before
        self._opens_takes = may_code(user, study)
        self._opens_interviews = studies_redacted_by(user).filter(pk=study.pk).exists()
        rows = Recording.objects.filter(study=study, interview__isnull=False)
        self._recordings = {each.interview_id: each for each in rows}
        self._closed = closed_among(study, list(self._recordings.values()))

    def of(self, found: FoundPassage | FoundMoment) -> Clip | Unplayable:
        """Return the clip of a passage or moment, or why there is none."""
        if isinstance(found, FoundMoment):
            return self._of_take(found)
        return self._of_interview(found)

    def clip(self, found: FoundPassage | FoundMoment) -> Clip | None:
        """Return the clip of a passage or moment; None if it may not be played."""
        clip = self.of(found)
        return clip if isinstance(clip, Clip) else None

    def _of_take(self, found: FoundMoment) -> Clip | Unplayable:
        take = found.of.take
        if not self._opens_takes:
            return Unplayable.ROLE
        if not found.of.label:
            return Unplayable.CONSENT
        if take.media_removed_at is not None or not take.has_copy:
            return Unplayable.GONE
        return self._clip("take_media", take.pk, found.start / 1000, found.end / 1000)

    def _of_interview(self, found: FoundPassage) -> Clip | Unplayable:
        if not self._opens_interviews:
            return Unplayable.ROLE
        recording = self._recordings.get(found.unit)
        if recording is None or not (recording.is_here and recording.has_copy):
            return Unplayable.GONE
        if recording.pk in self._closed or any(turn.is_gone for turn in found.turns):
            return Unplayable.CONSENT
        times = _times(found)
        if times is None:
            return Unplayable.UNTIMED
        return self._clip("recording_media", recording.pk, *times)

    def _clip(self, view: str, key: object, start: float, end: float) -> Clip:
        url = reverse(f"research:{view}", args=[self._study.slug, key])
        return Clip(url=url, start=max(start - self._before, 0.0), end=end)


def _times(found: FoundPassage) -> tuple[float, float] | None:
    """Return start and end in seconds; inside a turn they are estimated from the share of its
    words.
    """
    ends = _at(found.turns[0], found.start), _at(found.turns[-1], found.end)
    start, end = ends
    return (start, end) if start is not None and end is not None and start < end else None


def _at(turn: SpokenTurn, place: int) -> float | None:
    if turn.start_ms is None or turn.end_ms is None:
        return None
    share = (min(max(place, turn.start), turn.end) - turn.start) / max(turn.end - turn.start, 1)
    return (turn.start_ms + share * (turn.end_ms - turn.start_ms)) / 1000
