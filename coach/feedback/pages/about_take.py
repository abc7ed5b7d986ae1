"""What each page with a take says of it: its facts, its player, and where it stands."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.results import Report
from coach.accounts.models import Cohort
from coach.feedback.models import Feedback
from coach.feedback.pages.camera import camera_fact
from coach.feedback.pages.trim_range import is_part_marked, part_words
from coach.feedback.pages.values import Fact, Player
from coach.feedback.reports import Played
from coach.lib.words.clock import clock
from coach.lib.words.dates import date_words
from coach.lib.words.placeholder_names import name_words
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.comparability import browser_worked_on_sound
from coach.rehearsals.models import AccessGrant, Rehearsal


def facts_of(rehearsal: Rehearsal) -> tuple[Fact, ...]:
    """One line about the take: date, length, aim, audience, setting."""
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
    """Of a take that was recorded here: levels of sound that a browser worked on say less."""
    if browser_worked_on_sound(rehearsal):
        return _("Recorded here, processed by the browser")
    return _("Recorded here, unprocessed")


def player_of(rehearsal: Rehearsal, report: Report) -> Player:
    """What the media element needs, where the report is read anyway."""
    return player_for(rehearsal, Played.of(report))


def player_for(rehearsal: Rehearsal, played: Played) -> Player:
    """What the media element needs; the poster only where there is one."""
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
    """Where its talk is rehearsed again: beside the recorder if this take was recorded there."""
    page = reverse("feedback:record" if take.capture else "feedback:new")
    return f"{page}?again={take.pk}"


def state_words(
    feedback: Feedback | None,
    grant: AccessGrant | None,
    answering: Cohort | None,
) -> str:
    """Where the take stands: sent by `grant`, to be answered by the group `answering`, in words."""
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
