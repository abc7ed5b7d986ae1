"""Puts the report of a rehearsal together from what is stored."""

from __future__ import annotations

from collections.abc import Sequence

from coach.accounts.models import User
from coach.feedback.corrected import corrections_for_reading, report_for_reading
from coach.feedback.items import items_for_reading
from coach.feedback.models import Run, Stage
from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.about_take import again_url, facts_of, player_of, state_words
from coach.feedback.pages.cards import cards
from coach.feedback.pages.corrections import read_corrections
from coach.feedback.pages.extensions import Reading, parts_of_report
from coach.feedback.pages.measures import measure_groups, not_measured
from coach.feedback.pages.moments import moments_lane
from coach.feedback.pages.not_shown import left_out
from coach.feedback.pages.notes import notes_lane, read_notes
from coach.feedback.pages.owner_actions import owners_side
from coach.feedback.pages.plain_facts import plain_facts
from coach.feedback.pages.reading_preferences import as_wished, reading_of
from coach.feedback.pages.report_links import links_beside
from coach.feedback.pages.report_words import (
    hears_nobody,
    neutral_words,
    next_step_words,
    no_coach_words,
    notices,
    over_time_words,
    sound_alone_words,
    transcript_note,
)
from coach.feedback.pages.side_values import ReadingWishes
from coach.feedback.pages.timeline import lanes, transcript
from coach.feedback.pages.values import Card, LeftOut, ReportPage, Trying
from coach.feedback.pages.versions import from_coach
from coach.feedback.reports import report_of
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.selectors import feedback_for_owner, is_held_back, latest_retracted
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import answering_cohort, standing_grant


def report_page(rehearsal: Rehearsal, run: Run, *, reader: User) -> ReportPage:
    """The report as its owner reads it; a coach sees the same, without the owner's side."""
    feedback = feedback_for_owner(rehearsal)
    report = report_for_reading(run, feedback)
    corrections = corrections_for_reading(feedback)
    items = items_for_reading(feedback) if feedback else []
    notes = notes_for_reading(feedback)
    made = cards(items, feedback) if feedback else ()
    read = Reading(
        rehearsal=rehearsal, reader=reader, report=report, feedback=feedback, items=tuple(items)
    )
    is_held = read.is_owner and is_held_back(rehearsal)
    wishes = reading_of(rehearsal, reader, is_held=is_held)
    grant, answering = standing_grant(rehearsal), answering_cohort(rehearsal)
    failed = _failed_parts(run)
    has_coach = grant is not None or not no_coach_words(rehearsal.owner, answering)
    left = left_out(feedback, items, has_coach=has_coach) if feedback else LeftOut()
    neutral, next_step = _around_cards(read, [card.tone for card in made], wishes)
    return ReportPage(
        rehearsal_id=str(rehearsal.pk),
        again_url=again_url(rehearsal),
        title=rehearsal.title,
        facts=facts_of(rehearsal),
        state_words=state_words(feedback, grant, answering),
        constructed=rehearsal.is_constructed,
        notices=(*notices(rehearsal, run, report), *over_time_words(rehearsal, items)),
        plain_facts=() if is_held else plain_facts(report),
        sound_alone=sound_alone_words(report),
        player=player_of(rehearsal, report),
        cards=as_wished(made, wishes),
        reading=wishes,
        neutral=neutral,
        next_step=next_step,
        trying=None if not made and hears_nobody(report) else _trying(left, made),
        left_out=left,
        is_held_back=is_held,
        failed_parts=failed,
        not_measured=() if is_held else not_measured(report),
        measures=() if is_held else measure_groups(report, report_of(run) if corrections else None),
        lanes=() if is_held else (*moments_lane(made, report.media.duration), *lanes(report)),
        sentences=() if is_held else transcript(report, corrections),
        transcript_note=transcript_note(report),
        corrections=read_corrections(corrections),
        notes=read_notes(notes),
        note_lanes=notes_lane(notes, report.media.duration),
        from_coach=from_coach(feedback, latest_retracted(rehearsal)),
        beside=links_beside(rehearsal, reader),
        parts=parts_of_report(read),
        owner=owners_side(
            read, grant=grant, answering=answering, is_held=is_held, has_failed=bool(failed)
        ),
    )


def _around_cards(read: Reading, tones: list[str], wishes: ReadingWishes) -> tuple[str, str]:
    """What stands in the place of cards that are not there, and what to do next."""
    take, feedback, is_mute = read.rehearsal, read.feedback, hears_nobody(read.report)
    return (
        neutral_words(take, feedback, tones, wishes, is_mute=is_mute),
        next_step_words(take, feedback, made=bool(tones), is_mute=is_mute),
    )


def _failed_parts(run: Run) -> tuple[str, ...]:
    """What did not work this time, as the page of its analysis called it."""
    failed = run.stages.filter(state=Stage.State.FAILED).exclude(problem={})
    return tuple(str(BY_NAME[stage.name].title) for stage in failed)


def _trying(left: LeftOut, made: Sequence[Card]) -> Trying | None:
    """Only while nobody has found something to work on: a coach may have added it since."""
    return None if any(card.tone == "improvement" for card in made) else left.trying
