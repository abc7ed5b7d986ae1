"""Labels of actions on the review queue and second opinions in the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import Words, register_acts

_OPINIONS: dict[str, Words] = {
    "first": pgettext_lazy("logged", "the first"),
    "second": pgettext_lazy("logged", "the second"),
    "calibration": pgettext_lazy("logged", "on a calibration clip"),
    "resolution": pgettext_lazy("logged", "the chosen one"),
    "review": pgettext_lazy("logged", "review"),
}
_TICKS: dict[str, Words] = {
    "done": pgettext_lazy("logged", "done"),
    "reopened": pgettext_lazy("logged", "opened again"),
}
_STATES: dict[str, Words] = {
    "open": pgettext_lazy("logged", "open"),
    "finished": pgettext_lazy("logged", "finished"),
    "handed_in": pgettext_lazy("logged", "submitted"),
    "flagged": pgettext_lazy("logged", "flagged"),
}
register_acts(
    {
        "review.claimed": gettext_lazy("Claimed a take from the queue"),
        "review.given_back": gettext_lazy("Returned a take to the queue"),
        "review.assigned": gettext_lazy("Assigned a waiting take to a coach"),
        "review.handed_over": gettext_lazy("Handed a take over to a colleague"),
        "review.cards_shown": gettext_lazy("Had the automatic cards of a take shown"),
        "review.flagged": gettext_lazy("Flagged a take in the queue"),
        "review.flag_cleared": gettext_lazy("Cleared the flag of a take"),
        "review.comment_kept": gettext_lazy("Saved a comment to the comment bank"),
        "review.comment_changed": gettext_lazy("Changed a saved comment"),
        "review.comment_removed": gettext_lazy("Deleted a saved comment"),
        "review.starters_kept": gettext_lazy("Saved starter comments to the comment bank"),
        "threads.written": gettext_lazy("Wrote under a card or a note"),
        "threads.ticked": gettext_lazy("Marked a card or a note as done, or opened it again"),
        "spoken.recorded": gettext_lazy("Recorded a spoken reply to a trainee"),
        "spoken.transcribed_again": gettext_lazy(
            "Started the transcription of a spoken reply again"
        ),
        "spoken.deleted": gettext_lazy("Deleted a spoken reply"),
        "rubric.finished": gettext_lazy("Rated the qualities of a talk"),
        "rubric.reopened": gettext_lazy("Reopened their ratings"),
        "second.begun": gettext_lazy("Started a second opinion or a calibration clip"),
        "second.given_up": gettext_lazy("Returned a second opinion or a calibration clip"),
        "second.handed_in": gettext_lazy("Submitted a second opinion or a calibration clip"),
        "second.resolved": gettext_lazy("Chose the opinion that counts"),
        "second.discussed": gettext_lazy("Wrote to the coaches about two opinions"),
        "second.clip_marked": gettext_lazy("Made a take a calibration clip"),
        "second.clip_unmarked": gettext_lazy("Removed a take from the calibration clips"),
    },
    names={
        "not_judged": pgettext_lazy("logged", "not rated"),
        "occasion": pgettext_lazy("logged", "occasion"),
        "place": pgettext_lazy("logged", "which opinion"),
        "shared_with": pgettext_lazy("logged", "shared with group"),
    },
    values={
        "threads.ticked:before": _TICKS,
        "place": _OPINIONS,
        "occasion": _OPINIONS,
        "review.flag_cleared:before": _STATES,
        "review.flagged:before": _STATES,
        "rubric.finished:before": _STATES,
        "rubric.reopened:before": _STATES,
        "second.handed_in:before": _STATES,
        "second.resolved:before": _OPINIONS,
    },
)
