"""Labels of actions on analyses and feedback in the audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import Words, register_acts

_DROPPED: dict[str, Words] = {
    "quote_mismatch": pgettext_lazy("logged", "the quote was not in the transcript"),
    "outside_media": pgettext_lazy("logged", "the moment was outside the recording"),
}
_CAMERA: dict[str, Words] = {
    "in_front": pgettext_lazy("logged", "in front"),
    "elsewhere": pgettext_lazy("logged", "elsewhere"),
    "unknown": pgettext_lazy("logged", "answer withdrawn"),
}
_CORRECTIONS: dict[str, Words] = {
    "not_a_filler": pgettext_lazy("logged", "not a filler"),
    "not_a_look_away": pgettext_lazy("logged", "not a look-away"),
    "word": pgettext_lazy("logged", "another word"),
    "missed_filler": pgettext_lazy("logged", "missed filler"),
    "meant_pause": pgettext_lazy("logged", "pause that was meant"),
}
_STATES: dict[str, Words] = {
    "draft": pgettext_lazy("logged", "draft"),
    "released": pgettext_lazy("logged", "released"),
    "retracted": pgettext_lazy("logged", "retracted"),
}
_DESK_ACTS: dict[str, Words] = {
    "verdict": pgettext_lazy("logged", "decision"),
    "order": pgettext_lazy("logged", "order"),
    "word": pgettext_lazy("logged", "comment on the whole take"),
    "note": pgettext_lazy("logged", "note"),
    "correction": pgettext_lazy("logged", "correction"),
}
_VERDICTS: dict[str, Words] = {
    "accept": pgettext_lazy("logged", "accepted"),
    "edit": pgettext_lazy("logged", "reworded"),
    "reject": pgettext_lazy("logged", "rejected"),
    "replace": pgettext_lazy("logged", "replaced"),
    "add": pgettext_lazy("logged", "own card"),
    "hold": pgettext_lazy("logged", "held back"),
}
_ALONE: dict[str, Words] = {
    "alone": pgettext_lazy("logged", "alone"),
    "unknown": pgettext_lazy("logged", "answer withdrawn"),
}
register_acts(
    {
        "feedback.run_started": gettext_lazy("Started an analysis"),
        "feedback.run_finished": gettext_lazy("Finished an analysis"),
        "feedback.run_failed": gettext_lazy("An analysis failed"),
        "feedback.drafted": gettext_lazy("Drafted feedback"),
        "feedback.part_marked": gettext_lazy("Chose the part of a recording to measure"),
        "feedback.alone_answered": gettext_lazy("Answered whether others were talking"),
        "feedback.camera_answered": gettext_lazy("Answered the camera question"),
        "feedback.talk_corrected": gettext_lazy("Corrected the details of a talk"),
        "feedback.verdict": gettext_lazy("Decided on a card"),
        "feedback.verdict_undone": gettext_lazy("Undid a decision"),
        "feedback.item_added": gettext_lazy("Added a card"),
        "feedback.note_written": gettext_lazy("Wrote a timed note"),
        "feedback.note_changed": gettext_lazy("Changed a note"),
        "feedback.note_removed": gettext_lazy("Deleted a note"),
        "feedback.note_restored": gettext_lazy("Restored a deleted note"),
        "feedback.corrected": gettext_lazy("Corrected a word or an event"),
        "feedback.correction_undone": gettext_lazy("Undid a correction"),
        "feedback.item_moved": gettext_lazy("Moved a card"),
        "feedback.word_written": gettext_lazy("Commented on the whole take"),
        "feedback.undone": gettext_lazy("Undid their last act on the review page"),
        "feedback.released": gettext_lazy("Released feedback"),
        "feedback.release_taken_back": gettext_lazy("Cancelled a release before it was sent"),
        "feedback.correction_begun": gettext_lazy("Started correcting released feedback"),
        "feedback.correction_dropped": gettext_lazy("Dropped a correction of released feedback"),
        "feedback.retracted": gettext_lazy("Retracted released feedback"),
        "feedback.disputed": gettext_lazy("Disagreed with a card"),
        "feedback.question_asked": gettext_lazy("Asked their coach about a card"),
        "feedback.trainee_asked": gettext_lazy("Asked a trainee before releasing"),
        "feedback.question_withdrawn": gettext_lazy("Withdrew a question"),
        "feedback.answered": gettext_lazy("Answered a question or an objection"),
        "feedback.dispute_withdrawn": gettext_lazy("Withdrew an objection to a card"),
    },
    names={
        "aim": pgettext_lazy("logged", "aim"),
        "answer": pgettext_lazy("logged", "answer"),
        "audience": pgettext_lazy("logged", "audience"),
        "brought_back": pgettext_lazy("logged", "restored"),
        "characters": pgettext_lazy("logged", "characters"),
        "event": pgettext_lazy("logged", "event"),
        "goal": pgettext_lazy("logged", "goal"),
        "held_back": pgettext_lazy("logged", "held back"),
        "replaces": pgettext_lazy("logged", "replaces"),
        "speaks_as": pgettext_lazy("logged", "first language"),
        "time_limit": pgettext_lazy("logged", "time limit"),
    },
    values={
        "tag": "feedback.TimedNote.tag",
        "dropped": _DROPPED,
        "feedback.alone_answered:answer": _ALONE,
        "feedback.camera_answered:answer": _CAMERA,
        "feedback.corrected:kind": _CORRECTIONS,
        "feedback.correction_undone:kind": _CORRECTIONS,
        "feedback.disputed:before": "feedback.Dispute.reason",
        "feedback.disputed:reason": "feedback.Dispute.reason",
        "feedback.dispute_withdrawn:before": "feedback.Dispute.reason",
        "feedback.release_taken_back:before": _STATES,
        "feedback.released:before": _STATES,
        "feedback.retracted:before": _STATES,
        "feedback.undone:kind": _DESK_ACTS,
        "feedback.verdict:before": _VERDICTS,
        "feedback.verdict:kind": _VERDICTS,
        "feedback.verdict:reason": "feedback.Verdict.reason",
        "feedback.verdict_undone:kind": _VERDICTS,
    },
)
