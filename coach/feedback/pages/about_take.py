"""Facts, player and state of a take, for every page that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.results import Report
from coach.accounts.models import Cohort
from coach.feedback.models import Feedback
from coach.feedback.reports import Played
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import pair_words, within_quotes
from coach.rehearsals.comparability import browser_worked_on_sound
from coach.rehearsals.models import AccessGrant, Rehearsal


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A label and its value, in words."""

    label: str
    value: str
    is_named: bool = False
    """Whether the label is visible; labels of other facts are only for screen readers."""

    @property
    def heading(self) -> str:
        """The label, with a colon if it is visible."""
        return pair_words(self.label, "").strip() if self.is_named else self.label

    @property
    def seen(self) -> str:
        """The fact as a line of facts shows it."""
        return pair_words(self.label, self.value) if self.is_named else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Values of the media element."""

    media_url: str
    media_type: str
    captions_url: str
    poster_url: str
    duration: float
    has_video: bool
    language: str
    fps: float | None = None
    """The frame rate, for stepping by one frame; None if unknown."""
    may_be_saved: bool = True


def facts_of(rehearsal: Rehearsal) -> tuple[Fact, ...]:
    """Return one line of facts: date, length, aim, audience, setting."""
    facts = [
        Fact(label=_("Added"), value=date_words(rehearsal.created_at)),
        Fact(label=_("Length"), value=clock(rehearsal.duration or 0)),
        Fact(label=_("Aim"), value=rehearsal.get_aim_display()),
        Fact(label=_("Audience"), value=rehearsal.get_audience_display()),
        Fact(label=_("Setting"), value=rehearsal.get_setting_display()),
    ]
    if rehearsal.time_limit:
        limit = clock(rehearsal.time_limit)
        facts.append(Fact(label=_("Time limit"), value=limit, is_named=True))
    if rehearsal.notes:
        notes = rehearsal.get_notes_display()
        facts.append(Fact(label=_("Notes on the screen"), value=notes, is_named=True))
    if is_part_marked(rehearsal):
        facts.append(Fact(label=_("Measured"), value=part_words(rehearsal)))
    if camera := camera_fact(rehearsal):
        facts.append(camera)
    if rehearsal.spoke_alone:
        facts.append(Fact(label=_("Voices"), value=_("alone (your answer)")))
    if rehearsal.capture:
        facts.append(Fact(label=_("Sound"), value=_sound_words(rehearsal)))
    return tuple(facts)


def _sound_words(rehearsal: Rehearsal) -> str:
    """Return whether the browser processed the sound; measured loudness then says less."""
    if browser_worked_on_sound(rehearsal):
        return _("Recorded here, processed by the browser")
    return _("Recorded here, unprocessed")


def camera_fact(rehearsal: Rehearsal) -> Fact | None:
    """Return the owner's answer about the camera position, or None if there is none."""
    if rehearsal.camera_in_front is None:
        return None
    is_in_front = rehearsal.camera_in_front
    if rehearsal.camera_as_before:
        words = (
            _("camera in front (your answer for an earlier take)")
            if is_in_front
            else _("camera elsewhere (your answer for an earlier take)")
        )
    elif is_in_front:
        words = _("camera in front (your answer)")
    else:
        words = _("camera elsewhere (your answer)")
    return Fact(label=_("Camera"), value=words)


def is_part_marked(rehearsal: Rehearsal) -> bool:
    """Return whether only a part of the recording is measured."""
    return (
        rehearsal.part_start is not None
        or rehearsal.part_end is not None
        or bool(rehearsal.part_left_out)
    )


def part_words(rehearsal: Rehearsal) -> str:
    """Return the measured parts as times: 0:00–5:02."""
    return ", ".join(f"{clock(start)}–{clock(end)}" for start, end in rehearsal.own_parts)


def player_of(rehearsal: Rehearsal, report: Report) -> Player:
    """Return the player's values, if the report is already loaded."""
    return player_for(rehearsal, Played.of(report))


def player_for(rehearsal: Rehearsal, played: Played) -> Player:
    """Return the player's values; without a poster address if there is no poster."""
    args = [rehearsal.pk]
    has_poster = rehearsal.has_poster
    return Player(
        media_url="" if rehearsal.media_removed_at else reverse("rehearsals:media", args=args),
        media_type=rehearsal.playback_type,
        captions_url=reverse("feedback:captions", args=args) if played.has_words else "",
        poster_url=reverse("rehearsals:poster", args=args) if has_poster else "",
        duration=played.duration,
        fps=played.fps,
        has_video=played.has_video,
        language=played.language,
    )


def again_url(take: Rehearsal) -> str:
    """Return the page for the next take: the recorder if this take was recorded there."""
    page = reverse("feedback:record" if take.capture else "feedback:new")
    return f"{page}?again={take.pk}"


def state_words(
    feedback: Feedback | None,
    grant: AccessGrant | None,
    answering: Cohort | None,
) -> str:
    """Return the take's state in words: private, sent with `grant`, or reviewed."""
    if feedback is not None and feedback.is_released and feedback.released_at:
        return _("Reviewed by %(name)s on %(date)s") % {
            "name": name_words(feedback.released_by_name),
            "date": date_words(feedback.released_at),
        }
    if grant is not None and grant.cohort != answering:
        return _(
            "Sent on %(date)s to the coaches of “%(group)s”, who can see it until it is withdrawn"
        ) % {"date": date_words(grant.created_at), "group": within_quotes(grant.cohort)}
    if grant is not None:
        return _("Sent to your coach on %(date)s") % {"date": date_words(grant.created_at)}
    return _("Private: only you and guests you invite can see this")
