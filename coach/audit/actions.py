"""Every act that changes state has a name here, and a label that people can read."""

from __future__ import annotations

ACTIONS: dict[str, str] = {
    "accounts.consent_given": "Gave consent",
    "accounts.consent_withdrawn": "Withdrew consent",
    "accounts.families_changed": "Changed what is analysed",
    "accounts.erased": "Erased a person's data",
    "rehearsals.stored": "Stored a rehearsal",
    "rehearsals.upload_cut_off": "Kept a cut-off upload",
    "rehearsals.upload_discarded": "Discarded a cut-off upload",
    "rehearsals.deleted": "Deleted a rehearsal",
    "rehearsals.sent": "Sent a rehearsal to the coach",
    "rehearsals.withdrawn": "Took a rehearsal back from the coach",
    "feedback.run_started": "Started an analysis",
    "feedback.run_finished": "Finished an analysis",
    "feedback.run_failed": "An analysis ended without a report",
    "feedback.drafted": "Drafted feedback",
    "feedback.verdict": "Decided on an item",
    "feedback.verdict_undone": "Undid a decision",
    "feedback.item_added": "Added an item",
    "feedback.released": "Released feedback",
    "feedback.disputed": "Disputed an item",
    "review.claimed": "Took a rehearsal from the queue",
    "review.given_back": "Gave a rehearsal back to the queue",
    "rulesets.published": "Published a rule set",
    "research.exported": "Exported research data",
}
