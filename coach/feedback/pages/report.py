"""The report page of a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from coach.accounts.models import User
from coach.feedback.corrected_reports import corrections_for_reading, report_for_reading
from coach.feedback.forms import PartForm
from coach.feedback.items import items_for_reading, withdrawn_by_owner
from coach.feedback.models import Correction, Feedback, Run, Stage
from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.about_take import (
    Fact,
    Player,
    again_url,
    facts_of,
    player_of,
    state_words,
)
from coach.feedback.pages.cards import Card, cards
from coach.feedback.pages.coach_feedback import (
    FromCoach,
    ReadCorrection,
    ReadNote,
    from_coach,
    notes_lane,
    read_corrections,
    read_notes,
)
from coach.feedback.pages.extensions import PagePart, ReportReading, parts_of_report
from coach.feedback.pages.measures import MeasureGroup, NotMeasured, measure_groups, not_measured
from coach.feedback.pages.not_shown import ExerciseSuggestion, NotShown, left_out
from coach.feedback.pages.owner_actions import OwnersSide, owners_side
from coach.feedback.pages.owner_questions import refused_part
from coach.feedback.pages.plain_facts import PlainFact, plain_facts
from coach.feedback.pages.reading_preferences import (
    AS_IT_IS,
    ReadingPreferences,
    as_wished,
    reading_of,
)
from coach.feedback.pages.report_words import (
    gaze_unknown_words,
    hears_nobody,
    neutral_words,
    next_step_words,
    no_coach_words,
    notices,
    over_time_words,
    sound_alone_words,
    transcript_note,
)
from coach.feedback.pages.timeline import Lane, lanes, moments_lane
from coach.feedback.pages.transcript import TranscriptLine, transcript
from coach.feedback.reports import report_of
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.selectors import (
    feedback_for_owner,
    is_held_back,
    latest_retracted,
)
from coach.feedback.transcripts.page import recalculated_words
from coach.rehearsals.models import Rehearsal, Setting
from coach.rehearsals.selectors import answering_cohort, standing_grant


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPage:
    """The values of a report page."""

    rehearsal_id: str
    again_url: str
    title: str
    facts: tuple[Fact, ...]
    """A line of facts: date, length, aim, audience, setting."""
    state_words: str
    """Private; Sent to your coach on ...; Reviewed by ... on ..."""
    constructed: bool
    notices: tuple[str, ...]
    """Messages at the top: a truncated file, a failed stage, a waiting coach."""
    player: Player
    cards: tuple[Card, ...]
    neutral: str
    """A sentence if there is no card, or no strength; else empty."""
    next_step: str
    left_out: NotShown
    trying: ExerciseSuggestion | None
    not_measured: tuple[NotMeasured, ...]
    measures: tuple[MeasureGroup, ...]
    lanes: tuple[Lane, ...]
    sentences: tuple[TranscriptLine, ...]
    plain_facts: tuple[PlainFact, ...] = ()
    gaze_unknown: str = ""
    """A sentence if the share of facing the camera is all but unknown."""
    sound_alone: str = ""
    """A sentence if there is no video: what could not be measured."""
    reading: ReadingPreferences = AS_IT_IS
    is_held_back: bool = False
    """Whether a coach reads it first: the owner sees no results until the release."""
    failed_parts: tuple[str, ...] = ()
    """Names of the stages that failed."""
    transcript_note: str = ""
    """Why there is no transcript, or what to know about it."""
    notes: tuple[ReadNote, ...] = ()
    """Timed notes of a coach; none before the release."""
    note_lanes: tuple[Lane, ...] = ()
    """The lane of these notes; empty without any."""
    parts: tuple[PagePart, ...] = ()
    """The parts of page extensions."""
    corrections: tuple[ReadCorrection, ...] = ()
    """Corrections of the owner, and of a coach after the release."""
    recalculated: str = ""
    """A sentence if measures or cards follow the owner's corrections."""
    from_coach: FromCoach | None = None
    """The coach's comment on the whole take, and what a correction changed."""
    owner: OwnersSide | None = None
    """The owner's part; None for other readers."""

    @property
    def is_owner(self) -> bool:
        """Whether the reader owns the take."""
        return self.owner is not None

    @property
    def first_cards(self) -> tuple[Card, ...]:
        """The cards that are open at first."""
        return self.cards[:1] if self.reading.one_at_a_time else self.cards

    @property
    def later_cards(self) -> tuple[Card, ...]:
        """The cards behind “Next cards”."""
        return self.cards[len(self.first_cards) :]

    @property
    def causes(self) -> int:
        """The number of reasons why something could not be measured, or not measured well."""
        return len(self.not_measured) + len(self.left_out.recording)


def report_page(rehearsal: Rehearsal, run: Run, *, reader: User) -> ReportPage:
    """Return the report for this reader; other readers get it without the owner's part."""
    feedback = feedback_for_owner(rehearsal)
    corrections = corrections_for_reading(feedback)
    report = report_for_reading(run, feedback, corrections)
    items = items_for_reading(feedback) if feedback else []
    notes = notes_for_reading(feedback)
    made = cards(items, feedback) if feedback else ()
    grant, answering = standing_grant(rehearsal), answering_cohort(rehearsal)
    no_coach = no_coach_words(rehearsal.owner, answering)
    has_coach = grant is not None or not no_coach
    left = left_out(feedback, items, has_coach=has_coach) if feedback else NotShown()
    read = ReportReading(
        rehearsal=rehearsal,
        reader=reader,
        report=report,
        feedback=feedback,
        items=tuple(items),
        reached=frozenset(each.rule for each in left.reached),
    )
    parts = parts_of_report(read)
    is_held = read.is_owner and is_held_back(rehearsal)
    wishes = reading_of(rehearsal, reader, is_held=is_held)
    failed = _failed_parts(run)
    neutral, next_step = _around_cards(read, [card.tone for card in made], wishes)
    return ReportPage(
        rehearsal_id=str(rehearsal.pk),
        again_url=again_url(rehearsal),
        title=rehearsal.title,
        facts=facts_of(rehearsal),
        state_words=state_words(feedback, grant, answering),
        constructed=rehearsal.is_constructed,
        notices=(*notices(rehearsal, run, report), *over_time_words(rehearsal, items)),
        gaze_unknown=(
            ""
            if is_held
            else gaze_unknown_words(report, is_stage=rehearsal.setting == Setting.STAGE)
        ),
        plain_facts=() if is_held else plain_facts(report),
        sound_alone=sound_alone_words(report),
        player=player_of(rehearsal, report),
        cards=as_wished(made, wishes),
        reading=wishes,
        neutral=neutral,
        next_step=next_step,
        trying=None if not made and hears_nobody(report) else _trying(left, made),
        left_out=_without_told(left, parts),
        is_held_back=is_held,
        failed_parts=failed,
        not_measured=() if is_held else not_measured(report),
        measures=() if is_held else measure_groups(report, report_of(run) if corrections else None),
        lanes=() if is_held else (*moments_lane(made, report.media.duration), *lanes(report)),
        sentences=() if is_held else transcript(report, corrections),
        transcript_note=transcript_note(report),
        corrections=read_corrections(corrections),
        recalculated=_recalculated(read, corrections),
        notes=read_notes(notes),
        note_lanes=notes_lane(notes, report.media.duration),
        from_coach=from_coach(feedback, _retracted_before(feedback, rehearsal)),
        parts=parts,
        owner=owners_side(
            read,
            grant=grant,
            answering=answering,
            no_coach=no_coach,
            is_held=is_held,
            has_failed=bool(failed),
        ),
    )


def _retracted_before(feedback: Feedback | None, rehearsal: Rehearsal) -> Feedback | None:
    """Return the last retracted feedback; a first version has none before it."""
    is_first = feedback is not None and feedback.version == 1
    return None if is_first else latest_retracted(rehearsal)


def _recalculated(read: ReportReading, corrections: Sequence[Correction]) -> str:
    """Return what the owner's corrections changed, in words; empty if there are none."""
    gone = withdrawn_by_owner(read.feedback) if read.feedback and corrections else 0
    return recalculated_words(read.feedback, corrections, withdrawn=gone, is_owner=read.is_owner)


def with_refused_part(page: ReportPage, *, typed: PartForm, problem: str) -> ReportPage:
    """Return the report with the form for a part as it was submitted, with its error."""
    if page.owner is None:
        return page
    refused = refused_part(page.owner.part, typed=typed, problem=problem)
    return replace(page, owner=replace(page.owner, part=refused))


def _without_told(left: NotShown, parts: Sequence[PagePart]) -> NotShown:
    """Return what is left out, without the focus that a part of the page is about."""
    told = {part.about for part in parts}
    return replace(left, reached=tuple(each for each in left.reached if each.rule not in told))


def _around_cards(
    read: ReportReading, tones: list[str], wishes: ReadingPreferences
) -> tuple[str, str]:
    """Return the sentence in place of missing cards, and the next step."""
    take, feedback, is_mute = read.rehearsal, read.feedback, hears_nobody(read.report)
    return (
        neutral_words(take, feedback, tones, wishes, is_mute=is_mute),
        next_step_words(take, feedback, made=bool(tones), is_mute=is_mute),
    )


def _failed_parts(run: Run) -> tuple[str, ...]:
    """Return the titles of the stages that failed."""
    failed = run.stages.filter(state=Stage.State.FAILED).exclude(problem={})
    return tuple(str(BY_NAME[stage.name].title) for stage in failed)


def _trying(left: NotShown, made: Sequence[Card]) -> ExerciseSuggestion | None:
    """Return the suggestion, unless there is an improvement to work on."""
    return None if any(card.tone == "improvement" for card in made) else left.trying
