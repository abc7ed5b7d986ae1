"""Sentences of a report above, after and in place of its cards."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.results import Reason, Report
from coach.accounts.models import User
from coach.accounts.selectors import CoachedCohort, cohort_has_coach
from coach.feedback.items import StandingItem
from coach.feedback.models import Feedback, Run
from coach.feedback.pages.reading_preferences import ReadingPreferences
from coach.feedback.selectors import (
    is_read_by_coaches,
    is_sent,
    is_waiting_for_coach,
)
from coach.lib.words.clock import about
from coach.lib.words.numbers import percent
from coach.lib.words.sentences import sentence, sentences
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.retention import day_words
from coach.rehearsals.selectors import answering_cohort
from feedback_rules.explain import nothing_found

_MORE_TO_GO_ON_SECONDS = 90.0
"""The length that the sentence recommends: from here on rates rest on enough counts (rule of
thumb)."""
_FACING, _WIDEST_SHARE = "gaze.camera_facing_share", 0.4
"""The widest interval that says something of facing the camera, as in the analysis (rule of
thumb)."""


def notices(rehearsal: Rehearsal, run: Run, report: Report) -> Iterable[str]:
    """Return the notices about the recording and this analysis, for the top of the report."""
    if rehearsal.media_removed_at:
        yield _(
            "The recording was deleted on %(day)s, at the end of your group’s retention period. "
            "The report stays."
        ) % {"day": day_words(rehearsal.media_removed_at)}
    if rehearsal.is_partial:
        yield _("The upload did not finish; this is the analysis of the uploaded part.")
    if report.media.audio is None:
        yield _(
            "This recording has no sound, so there is no transcript and no feedback on your "
            "voice. This report is based on the picture alone. Check the microphone before the "
            "next take."
        )
    elif hears_nobody(report):
        yield _(
            "We heard no speech in this recording, so there is no feedback on voice and words. "
            "Check that the right microphone is on before the next take."
        )
    yield from sentences(report.media.notes)
    if Run.State.RUNNING in run.later_states:
        yield _("This take is being analysed again. This report is from the earlier analysis.")
    elif run.later_states:
        yield _("The new analysis failed. This report is from the earlier analysis.")


def hears_nobody(report: Report) -> bool:
    """Return whether there is no sound or no speech, so that exercises do not help."""
    if report.media.audio is None:
        return True
    return not report.words and any(
        each.reason is Reason.NO_SPEECH for each in report.skipped.values()
    )


def sound_alone_words(report: Report) -> str:
    """Return a neutral notice that the take has no picture, which may be a choice."""
    if report.media.audio is None or report.media.video is not None:
        return ""
    return _(
        "This take is audio only. Without a picture, we cannot measure gaze, posture and hands."
    )


def gaze_unknown_words(report: Report, *, is_stage: bool) -> str:
    """Return that the share of facing the camera is all but unknown; empty if it is known.

    No card speaks of such a share, so without a sentence the report would be silent.
    """
    share = report.measurements.get(_FACING)
    if share is None or share.interval is None:
        return ""
    low, high = share.interval
    if high - low <= _WIDEST_SHARE:
        return ""
    words = (
        _(
            "We cannot tell how much you faced your audience: anything from %(low)s to %(high)s "
            "of the time. So no card is about it."
        )
        if is_stage
        else _(
            "We cannot tell how much you faced the camera: anything from %(low)s to %(high)s of "
            "the time. So no card is about it."
        )
    )
    return words % {"low": percent(low), "high": percent(high)}


def over_time_words(rehearsal: Rehearsal, items: Iterable[StandingItem]) -> Iterable[str]:
    """Return that a take exceeded its limit; empty if a card says so already."""
    seconds, limit = rehearsal.measured_seconds, rehearsal.time_limit
    said = any(each.card.metric == "signal.talk_seconds" for each in items)
    if seconds and limit and seconds > 1.1 * limit and not said:
        yield _("This take ran about %(over)s over your time limit.") % {
            "over": about(seconds - limit).removeprefix(_("about "))
        }


def neutral_words(
    rehearsal: Rehearsal,
    feedback: Feedback | None,
    tones: list[str],
    reading: ReadingPreferences,
    *,
    is_mute: bool = False,
) -> str:
    """Return the text for a report without cards or without a strength; `tones` are the cards'.

    `is_mute`: there is no speech, and a notice above says what to do about it.
    """
    if feedback is None and is_waiting_for_coach(rehearsal):
        if is_sent(rehearsal):
            return _(
                "Your coach reviews this take first. The feedback appears here when your coach "
                "releases it."
            )
        if reading.waits_gently:
            return _("Send this take to your coach, who reviews it first.")
        if rehearsal.waits_by_choice:
            return _("You chose to wait for your coach’s feedback: send this take to your coach.")
        return _("In your group, a coach reviews the feedback first: send this take to your coach.")
    if not tones and is_mute:
        return ""
    if not tones:
        return nothing_found("fr" if get_language() == "fr" else "en")
    if "strength" not in tones and not (feedback is not None and feedback.is_released):
        return _(
            "No strength was clear enough in the measurements to name one. This says nothing "
            "about your talk: a coach can see things we cannot measure."
        )
    return ""


def next_step_words(
    rehearsal: Rehearsal, feedback: Feedback | None, *, made: bool, is_mute: bool = False
) -> str:
    """Return the next step; `made`: there are cards, `is_mute`: there is no speech."""
    if feedback is None and is_waiting_for_coach(rehearsal):
        return _next_step_with_coach(rehearsal)
    if is_mute and not made:
        return ""
    if (feedback is None or not made) and (rehearsal.duration or 0) < _MORE_TO_GO_ON_SECONDS:
        return _("Record another take when you like; with 90 seconds or more we can measure more.")
    if feedback is None or not made:
        return _("Record another take when you like.")
    return _("Try the first exercise once, then record the same talk again.")


def _next_step_with_coach(rehearsal: Rehearsal) -> str:
    """Return the next step if nothing is readable before the release."""
    if is_sent(rehearsal):
        return _("Wait for your coach’s reply, or record another take in the meantime.")
    if no_coach_words(rehearsal.owner, answering_cohort(rehearsal)):
        return _("Ask your administrator to add you to a group with a coach. Your take is saved.")
    return _("Send this take to your coach: the button is at the top of this page.")


def no_coach_words(owner: User, cohort: CoachedCohort | None) -> str:
    """Return why no coach would answer a take, or an empty string."""
    if cohort is not None and cohort.is_coached:
        return ""
    if cohort is not None and owner.can_review and cohort_has_coach(cohort):
        return _("You are the only coach of your group, so nobody else can reply yet.")
    return _("You are not in a group with a coach yet. Your administrator can add you to one.")


def transcript_note(report: Report) -> str:
    """Return why there is no transcript; empty if there is one."""
    if report.words:
        return ""
    if other_language_heard(report):
        return _("There is no transcript in the language you chose.")
    return _("There is no transcript: we heard no words.")


def other_language_heard(report: Report) -> str:
    """Return the detected language if it differs from the stated one; else empty."""
    skipped = report.skipped.values()
    heard = (each for each in skipped if each.reason is Reason.LANGUAGE_MISMATCH)
    return next(map(sentence, heard), "")


def noted_words(feedback: Feedback) -> str:
    """Return thanks for a disagreement, with the recipient."""
    take = feedback.rehearsal
    if is_read_by_coaches(take):
        return _("Thank you. Your disagreement is saved with the card, and your coach can see it.")
    if is_sent(take):
        return _(
            "Thank you. Your disagreement is saved with the card, for the next coach who "
            "joins your group."
        )
    if feedback.is_released:  # a withdrawn take cannot be sent again
        return _("Thank you. Your disagreement is saved with the card.")
    return _(
        "Thank you. Your disagreement is saved with the card. Your coach will see it if you "
        "send this take."
    )


def corrected_words(*, is_anew: bool) -> str:
    """Return the message after saving corrections."""
    if is_anew:
        return _("Saved. The feedback was redrafted from the same measures.")
    return _("Saved.")
