"""Puts the pages about a rehearsal together from what is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.results import Reason, Report
from coach.accounts.models import Cohort, User
from coach.accounts.selectors import cohort_has_coach
from coach.feedback.corrected import corrections_for_reading, report_for_reading
from coach.feedback.items import StandingItem, items_for_reading
from coach.feedback.models import Dispute, Feedback, Question, Run, Stage
from coach.feedback.notes import notes_for_reading
from coach.feedback.pages.about_take import facts_of, player_of, state_words
from coach.feedback.pages.beside import links_beside
from coach.feedback.pages.camera import camera_box
from coach.feedback.pages.cards import cards
from coach.feedback.pages.corrections import read_corrections
from coach.feedback.pages.left_out import left_out
from coach.feedback.pages.measures import measure_groups, not_measured
from coach.feedback.pages.moments import moments_lane
from coach.feedback.pages.notes import notes_lane, read_notes
from coach.feedback.pages.part import part_box
from coach.feedback.pages.parts import Reading, parts_of_report
from coach.feedback.pages.promise import promise_words
from coach.feedback.pages.reading import as_wished, reading_of
from coach.feedback.pages.sent_takes import sent_takes
from coach.feedback.pages.side_values import NO_OTHERS, ReadingWishes
from coach.feedback.pages.threads import asked_box
from coach.feedback.pages.timeline import lanes, transcript
from coach.feedback.pages.values import Card, LeftOut, ReportPage, Trying, Viewer
from coach.feedback.pages.versions import from_coach
from coach.feedback.reports import report_of
from coach.feedback.runs.plan import BY_NAME
from coach.feedback.selectors import (
    feedback_for_owner,
    is_held_back,
    is_read_by_coaches,
    is_sent,
    is_waiting_for_coach,
    latest_retracted,
    latest_run,
)
from coach.feedback.services import reanalysis_obstacle
from coach.lib.words.clock import about
from coach.lib.words.dates import date_words
from coach.lib.words.punctuation import pair_words
from coach.lib.words.sentences import sentence, sentences
from coach.rehearsals.models import Rehearsal, SpokenLanguage
from coach.rehearsals.retention import day_words
from coach.rehearsals.selectors import answering_cohort, standing_grant, viewed_words
from feedback_rules.explain import nothing_found

_MORE_TO_GO_ON_SECONDS = 90.0
"""As the sentence says it (rule of thumb): from here on rates have enough to count."""


def report_page(rehearsal: Rehearsal, run: Run, *, reader: User) -> ReportPage:
    """The report as its owner reads it; a coach sees the same, without the owner's buttons."""
    is_owner = reader.pk == rehearsal.owner_id
    feedback = feedback_for_owner(rehearsal)
    report = report_for_reading(run, feedback)
    corrections = corrections_for_reading(feedback)
    items = items_for_reading(feedback) if feedback else []
    notes = notes_for_reading(feedback)
    made = cards(items, feedback) if feedback else ()
    grant = standing_grant(rehearsal)
    sent = grant is not None
    asked = _asked(rehearsal) if is_owner and sent else None
    answering = answering_cohort(rehearsal)
    no_coach = _no_coach(answering)
    is_released = feedback is not None and feedback.is_released
    is_held = is_owner and is_held_back(rehearsal)
    reading = reading_of(rehearsal, reader, is_held=is_held)
    failed_parts = _failed_parts(run)
    left = left_out(feedback, items) if feedback else LeftOut()
    return ReportPage(
        rehearsal_id=str(rehearsal.pk),
        title=rehearsal.title,
        facts=facts_of(rehearsal),
        state_words=state_words(feedback, grant, answering),
        promised=promise_words(grant, answering, asked)
        if is_owner and not no_coach and not is_released
        else "",
        constructed=rehearsal.is_constructed,
        notices=(*_notices(rehearsal, run, report), *_over_time(rehearsal, items)),
        sound_alone=_sound_alone(report),
        player=player_of(rehearsal, report),
        cards=as_wished(made, reading),
        reading=reading,
        neutral=_neutral(rehearsal, feedback, [card.tone for card in made], reading),
        next_step=_next_step(rehearsal, feedback, made=bool(made)),
        trying=_trying(left, made),
        left_out=left,
        is_held_back=is_held,
        failed_parts=failed_parts,
        can_try_again=bool(failed_parts) and is_owner and _can_try_again(rehearsal),
        can_measure_again=is_owner and not is_held and _lacks_a_part(rehearsal, report),
        not_measured=() if is_held else not_measured(report),
        measures=() if is_held else measure_groups(report, report_of(run) if corrections else None),
        lanes=() if is_held else (*moments_lane(made, report.media.duration), *lanes(report)),
        sentences=() if is_held else transcript(report, corrections),
        transcript_note=_transcript_note(report),
        is_owner=is_owner,
        can_send=is_owner and not sent and not no_coach and not is_released,
        can_withdraw=is_owner and sent,
        withdraws_for_good=is_released,
        sent=sent,
        is_read=is_owner and sent and is_read_by_coaches(rehearsal),
        others_sent=sent_takes(rehearsal, is_released=is_released)
        if is_owner and sent
        else NO_OTHERS,
        no_coach=no_coach,
        viewers=tuple(_viewers(rehearsal)) if is_owner else (),
        heard_language=_other_language_heard(report) if is_owner else "",
        other_languages=_other_languages(rehearsal, report) if is_owner else (),
        camera=camera_box(
            rehearsal, report, is_held=is_held, can_take_back=sent and not is_released
        )
        if is_owner
        else None,
        part=part_box(rehearsal, report) if is_owner else None,
        corrections=read_corrections(corrections),
        notes=read_notes(notes),
        note_lanes=notes_lane(notes, report.media.duration),
        from_coach=from_coach(feedback, latest_retracted(rehearsal)),
        asked=asked_box(asked) if is_owner and sent else None,
        dispute_reasons=tuple((code, str(label)) for code, label in Dispute.Reason.choices),
        beside=links_beside(rehearsal, reader),
        parts=parts_of_report(
            Reading(
                rehearsal=rehearsal,
                reader=reader,
                report=report,
                feedback=feedback,
                items=tuple(items),
            )
        ),
    )


def _asked(rehearsal: Rehearsal) -> Question | None:
    """What a coach asked last, before releasing."""
    return rehearsal.questions.filter(item=None).select_related("feedback").order_by("-at").first()


def noted_words(feedback: Feedback) -> str:
    """Thanks for a disagreement, and who reads it."""
    take = feedback.rehearsal
    if is_read_by_coaches(take):
        return _("Thank you. It is noted with the item, and your coach sees it.")
    if is_sent(take):
        return _("Thank you. It is noted with the item, for a coach who comes to your group.")
    if feedback.is_released:  # once taken back it is not sent again
        return _("Thank you. It is noted with the item.")
    return _("Thank you. It is noted with the item. If you send this take, your coach sees it.")


def corrected_words(*, is_anew: bool) -> str:
    """What a correction of the talk has changed."""
    if is_anew:
        return _("Saved. The feedback was drafted anew from the same measures.")
    return _("Saved.")


def _no_coach(cohort: Cohort | None) -> str:
    if cohort is not None and cohort_has_coach(cohort):
        return ""
    return _("You are in no group with a coach yet. Your administrator can add you to one.")


def _notices(rehearsal: Rehearsal, run: Run, report: Report) -> Iterable[str]:
    if rehearsal.media_removed_at:
        yield _(
            "The recording was removed on %(day)s: it was kept for as long as your group keeps "
            "recordings. What was found out stays."
        ) % {"day": day_words(rehearsal.media_removed_at)}
    if rehearsal.is_partial:
        yield _("The upload stopped midway; this is the analysis of the part that arrived.")
    if report.media.audio is None:
        yield _(
            "This recording has no sound, so nothing could be heard or written down. What stands "
            "here comes from the picture alone. Check the microphone before the next take."
        )
    elif not report.words and _is_silent(report):
        yield _(
            "Nobody is heard speaking in this recording, so nothing is said about voice and words. "
            "Check that the right microphone is on before the next take."
        )
    yield from sentences(report.media.notes)
    after = rehearsal.runs.filter(created_at__gt=run.created_at).values_list("state", flat=True)
    if Run.State.RUNNING in after:
        yield _("This take is being analysed again. What stands here is from before.")
    elif after:
        yield _("Analysing it again did not work. What stands here is from before.")


def _is_silent(report: Report) -> bool:
    return any(each.reason is Reason.NO_SPEECH for each in report.skipped.values())


def _sound_alone(report: Report) -> str:
    """No fault: many talks are rehearsed for the ear, and one may choose not to be seen."""
    if report.media.audio is None or report.media.video is not None:
        return ""
    return _("This take is sound alone. Where you look, posture and hands would need a picture.")


def _over_time(rehearsal: Rehearsal, items: Iterable[StandingItem]) -> Iterable[str]:
    """Once is enough: nothing where a card says so already."""
    seconds, limit = rehearsal.measured_seconds, rehearsal.time_limit
    said = any(each.card.metric == "signal.talk_seconds" for each in items)
    if seconds and limit and seconds > 1.1 * limit and not said:
        yield _("This take ran about %(over)s over your time limit.") % {
            "over": about(seconds - limit).removeprefix(_("about "))
        }


def _failed_parts(run: Run) -> tuple[str, ...]:
    """What did not work this time, as the page of its analysis called it."""
    failed = run.stages.filter(state=Stage.State.FAILED).exclude(problem={})
    return tuple(str(BY_NAME[stage.name].title) for stage in failed)


def _lacks_a_part(rehearsal: Rehearsal, report: Report) -> bool:
    """Whether weights or a library were missing where it was analysed, and it can be done again."""
    is_lacking = any(each.reason is Reason.MODEL_MISSING for each in report.skipped.values())
    return is_lacking and _can_try_again(rehearsal)


def _can_try_again(rehearsal: Rehearsal) -> bool:
    is_running = rehearsal.runs.filter(state=Run.State.RUNNING).exists()
    return not is_running and not reanalysis_obstacle(rehearsal)


def _neutral(
    rehearsal: Rehearsal, feedback: Feedback | None, tones: list[str], reading: ReadingWishes
) -> str:
    if feedback is None and is_waiting_for_coach(rehearsal):
        if is_sent(rehearsal):
            return _(
                "Your coach reads it first. You will find the feedback here once it is released."
            )
        if reading.waits_gently:
            return _("Send this take to your coach: they read it first.")
        if rehearsal.waits_by_choice:
            return _("You chose to read your coach first: send this take to your coach.")
        return _("In your group a coach reads the feedback first: send this take to your coach.")
    if not tones:
        return nothing_found("fr" if get_language() == "fr" else "en")
    if "strength" not in tones and not (feedback is not None and feedback.is_released):
        return _(
            "No strength was clear enough in the measurements to name one. That says nothing about "
            "your talk: a coach can see what we cannot measure."
        )
    return ""


def _trying(left: LeftOut, made: Sequence[Card]) -> Trying | None:
    """Only while nobody has found something to work on: a coach may have added it since."""
    return None if any(card.tone == "improvement" for card in made) else left.trying


def _next_step(rehearsal: Rehearsal, feedback: Feedback | None, *, made: bool) -> str:
    if feedback is None and is_waiting_for_coach(rehearsal):
        return _next_step_with_coach(rehearsal)
    if (feedback is None or not made) and (rehearsal.duration or 0) < _MORE_TO_GO_ON_SECONDS:
        return _(
            "Record another take whenever you like; 90 seconds or more gives us more to go on."
        )
    if feedback is None or not made:
        return _("Record another take whenever you like.")
    return _("Try the first exercise once, then record the same talk again.")


def _next_step_with_coach(rehearsal: Rehearsal) -> str:
    """Where nothing is read before a coach has released it."""
    if is_sent(rehearsal):
        return _("Wait for your coach’s answer, or record another take meanwhile.")
    if _no_coach(answering_cohort(rehearsal)):
        return _("Ask your administrator for a group with a coach. Your take is kept.")
    return _("Send this take to your coach: the button is at the top of this page.")


def _transcript_note(report: Report) -> str:
    if report.words:
        return ""
    if _other_language_heard(report):
        return _("There is no transcript in the language that you named.")
    return _("There is no transcript: we heard no words.")


def _other_language_heard(report: Report) -> str:
    """What was heard instead of the language that was named; empty where it was that one."""
    skipped = report.skipped.values()
    heard = (each for each in skipped if each.reason is Reason.LANGUAGE_MISMATCH)
    return next(map(sentence, heard), "")


def _other_languages(rehearsal: Rehearsal, report: Report) -> tuple[tuple[str, str], ...]:
    """What else to analyse it in, where another language was heard than the one that was named."""
    run = latest_run(rehearsal)
    is_going_on = run is not None and run.state == Run.State.RUNNING
    if not _other_language_heard(report) or is_going_on or reanalysis_obstacle(rehearsal):
        return ()
    return tuple(
        (each.value, _("Find out the language"))
        if each is SpokenLanguage.AUTO
        else (each.value, _("Analyse it as %(language)s") % {"language": each.label})
        for each in SpokenLanguage
        if each != rehearsal.language
    )


def _viewers(rehearsal: Rehearsal) -> Iterable[Viewer]:
    for viewing in rehearsal.viewings.select_related("viewer")[:50]:
        yield Viewer(
            who=pair_words(viewing.who, viewed_words(viewing)), when=date_words(viewing.at)
        )
