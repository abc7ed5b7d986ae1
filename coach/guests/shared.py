"""Content of a report shared by a link: the whole report, or its cards alone."""

from __future__ import annotations

from dataclasses import dataclass

from coach.feedback.corrected_reports import report_for_reading
from coach.feedback.items import items_for_reading
from coach.feedback.pages.about_take import Fact, Player, facts_of, player_of, state_words
from coach.feedback.pages.cards import Card, cards
from coach.feedback.pages.measures import MeasureGroup, measure_groups
from coach.feedback.pages.timeline import Lane, lanes, moments_lane
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_report_run
from coach.guests.access import Guest
from coach.guests.pages import guests_player
from coach.lib.words.dates import date_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage:
    """The shared report; parts left out by the owner are empty."""

    title: str
    name: str
    owner: str
    until: str
    state: str
    facts: tuple[Fact, ...]
    language: str
    cards: tuple[Card, ...]
    player: Player | None
    """None if the recording is not shared."""
    duration: float
    lanes: tuple[Lane, ...] = ()
    sentences: tuple[TranscriptLine, ...] = ()
    measures: tuple[MeasureGroup, ...] = ()

    @property
    def width(self) -> str:
        """Return the page width: two columns if there is a recording, otherwise one."""
        return "wide" if self.player else "middle"


def shared_page(guest: Guest) -> SharedPage | None:
    """Return the page; None while there is no feedback to read, or if it was retracted."""
    link, take = guest.link, guest.link.rehearsal
    run, feedback = latest_report_run(take), feedback_for_owner(take)
    if run is None or feedback is None or is_held_back(take):
        return None
    report = report_for_reading(run, feedback)
    made = cards(items_for_reading(feedback), feedback)
    length = report.media.duration
    return SharedPage(
        title=take.title,
        name=guest.name,
        owner=str(take.owner),
        until=date_words(link.expires_at),
        state=state_words(feedback, None, None) if feedback.is_released else "",
        facts=facts_of(take),
        language=report.language.code,
        cards=made,
        player=guests_player(guest, player_of(take, report)) if link.shows_recording else None,
        duration=length,
        lanes=(*moments_lane(made, length), *lanes(report)) if link.shows_all else (),
        sentences=transcript(report) if link.shows_all else (),
        measures=measure_groups(report) if link.shows_all else (),
    )
