"""What acts are done to, in the words that people use; every kind that is ever recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

if TYPE_CHECKING:
    from coach.accounts.models import Cohort, Consent, User
    from coach.curation.dry_runs.models import DryRun
    from coach.curation.models import Mute, Proposal
    from coach.feedback.annotations import Correction, TimedNote
    from coach.feedback.models import Feedback, Item, Run
    from coach.practice.models import ExerciseDone, FocusArea, SpanAgain
    from coach.rehearsals.models import Rehearsal, Upload
    from coach.research.coding.models.codebook import Code, CodebookVersion
    from coach.research.coding.models.codings import Adjudication, Coder, Coding, Round
    from coach.research.coding.models.interviews import Guide, Interview, Transcript
    from coach.research.coding.models.recordings import Recording
    from coach.research.exports.models import Export
    from coach.research.studies.models.consent import ConsentDocument
    from coach.research.studies.models.questionnaires import Questionnaire
    from coach.research.studies.models.study import Study
    from coach.review.models import BankComment
    from coach.rulesets.models import RuleSetRelease

    # What may be given to `record_act`, so that mypy finds a kind without a word.
    Thing: TypeAlias = (
        User
        | Cohort
        | Consent
        | Rehearsal
        | Upload
        | RuleSetRelease
        | Run
        | Feedback
        | Item
        | TimedNote
        | Correction
        | ExerciseDone
        | SpanAgain
        | FocusArea
        | BankComment
        | Proposal
        | DryRun
        | Mute
        | Study
        | ConsentDocument
        | Questionnaire
        | Export
        | Code
        | CodebookVersion
        | Coder
        | Round
        | Coding
        | Adjudication
        | Guide
        | Interview
        | Transcript
        | Recording
    )

THINGS: dict[str, str | Promise] = {
    "accounts.user": pgettext_lazy("thing", "person"),
    "accounts.cohort": pgettext_lazy("thing", "cohort"),
    "accounts.consent": pgettext_lazy("thing", "consent"),
    "rehearsals.rehearsal": pgettext_lazy("thing", "take"),
    "rehearsals.upload": pgettext_lazy("thing", "upload"),
    "rulesets.rulesetrelease": pgettext_lazy("thing", "rule set"),
    "feedback.run": pgettext_lazy("thing", "analysis"),
    "feedback.feedback": pgettext_lazy("thing", "feedback"),
    "feedback.item": pgettext_lazy("thing", "item"),
    "feedback.timednote": pgettext_lazy("thing", "note"),
    "feedback.correction": pgettext_lazy("thing", "correction"),
    "practice.exercisedone": pgettext_lazy("thing", "exercise"),
    "practice.spanagain": pgettext_lazy("thing", "stretch done again"),
    "practice.focusarea": pgettext_lazy("thing", "focus"),
    "review.bankcomment": pgettext_lazy("thing", "kept comment"),
    "curation.proposal": pgettext_lazy("thing", "proposal for a rule"),
    "curation.dryrun": pgettext_lazy("thing", "dry run"),
    "curation.mute": pgettext_lazy("thing", "muted rule"),
    "research.study": pgettext_lazy("thing", "study"),
    "research.consentdocument": pgettext_lazy("thing", "information sheet"),
    "research.questionnaire": pgettext_lazy("thing", "questionnaire"),
    "research.export": pgettext_lazy("thing", "export"),
    "research.code": pgettext_lazy("thing", "code"),
    "research.codebookversion": pgettext_lazy("thing", "codebook"),
    "research.coder": pgettext_lazy("thing", "coder"),
    "research.round": pgettext_lazy("thing", "coding round"),
    "research.coding": pgettext_lazy("thing", "coding"),
    "research.adjudication": pgettext_lazy("thing", "settled difference"),
    "research.guide": pgettext_lazy("thing", "interview guide"),
    "research.interview": pgettext_lazy("thing", "interview"),
    "research.transcript": pgettext_lazy("thing", "transcript"),
    "research.recording": pgettext_lazy("thing", "interview recording"),
}


def thing_words(kind: str) -> str:
    """The word for a kind; of one that has none, as older versions had, the name of its model."""
    return str(THINGS.get(kind) or kind.rpartition(".")[2])
