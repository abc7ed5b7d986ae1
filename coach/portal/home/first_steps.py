"""First steps for each part of the site: links that are ticked once done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import Cohort, Membership, Role, User
from coach.accounts.selectors import has_coach, read_by_coaches_first
from coach.assignments.models import Assignment
from coach.curation.dry_runs.models import DryRun
from coach.curation.models import Proposal
from coach.feedback.models import Feedback, Verdict
from coach.feedback.selectors import released_by_now
from coach.portal.models import HiddenSteps
from coach.rehearsals.models import AccessGrant, Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for
from coach.research.exports.selectors import downloads_for, exports_for
from coach.research.studies.models import ConsentDocument, Study
from coach.research.studies.selectors import studies_for
from coach.review.bank.comments import comments_for
from coach.rulesets.models import RuleSetRelease, RuleVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """One first step: its label, link, and whether it is done."""

    words: str
    url: str
    """URL of the step; without a link on that page itself."""
    is_done: bool


def steps_for(user: User, part: str) -> tuple[FirstStep, ...]:
    """Return the first steps for a part of the site; empty once all are done or hidden."""
    if HiddenSteps.objects.filter(user=user, part=part).exists():
        return ()
    steps = STEPS[part](user)
    return () if all(step.is_done for step in steps) else steps


def hide_steps(*, user: User, part: str) -> None:
    """Hide the first steps of this part from this person."""
    HiddenSteps.objects.get_or_create(user=user, part=part)


def _practise(user: User) -> tuple[FirstStep, ...]:
    done = _practised(user)
    can_send = done["sent"] or has_coach(user)
    newest = done["newest"]
    report = reverse("feedback:report", args=[newest]) if newest else ""
    again = f"?again={newest}" if newest else ""
    return (
        _step(_("Record a talk or upload a recording"), "feedback:record", done["any"]),
        FirstStep(
            words=_("Read what to keep and what to work on"),
            url=report or reverse("portal:sample"),
            is_done=done["opened"],
        ),
        *(_sending(report, is_done=done["sent"]) if can_send else ()),
        FirstStep(
            words=_("Record the same talk again"),
            url=f"{reverse('feedback:new')}{again}",
            is_done=done["again"],
        ),
    )


def _sending(report: str, *, is_done: bool) -> tuple[FirstStep, ...]:
    words = _("Send a take to your coach from its report")
    return (FirstStep(words=words, url=report or reverse("feedback:takes"), is_done=is_done),)


def _practised(user: User) -> dict[str, Any]:
    """Return the completed steps and the take whose report can be read, in one query."""
    takes = own_rehearsals_for(user).order_by()
    analysed = takes.filter(runs__state="done").order_by("-created_at").values("pk")[:1]
    sent = AccessGrant.objects.filter(rehearsal__owner=user, cohort__isnull=False)
    twin = takes.filter(talk=OuterRef("talk")).exclude(pk=OuterRef("pk"))
    person = User.objects.filter(pk=user.pk).annotate(
        any=Exists(takes),
        opened=Exists(_read(takes)),
        sent=Exists(sent),
        again=Exists(takes.filter(Exists(twin))),
        newest=Subquery(analysed),
    )
    return {**person.values("any", "opened", "sent", "again", "newest").get()}


def _read(takes: QuerySet[Rehearsal]) -> QuerySet[Rehearsal]:
    """Return the takes whose report was opened with readable feedback, after a coach if
    required.
    """
    waits = Q(waits_by_choice=True) | read_by_coaches_first()
    released = Exists(released_by_now().filter(rehearsal=OuterRef("pk")))
    return takes.filter(~waits | released, opened_at__isnull=False)


def _review(user: User) -> tuple[FirstStep, ...]:
    return (
        _step(
            _("Take the first talk from the queue and decide on a card"),
            "review:queue",
            Verdict.objects.filter(coach=user).exists(),
        ),
        _step(
            _("Release the feedback, so that its trainee reads it"),
            "review:queue",
            Feedback.objects.filter(released_by=user).exists(),
        ),
        _step(
            _("Keep a comment that you write often"), "review:comments", comments_for(user).exists()
        ),
        FirstStep(
            words=_("Look at the keys, and choose your own if you like"),
            url=reverse("portal:keys"),
            is_done=bool(user.shortcuts),
        ),
    )


def _rules(user: User) -> tuple[FirstStep, ...]:
    own = RuleVersion.objects.filter(author=user)
    return (
        _step(_("Open a rule and propose a change"), "curation:rules", own.exists()),
        _step(
            _("Try a change on takes before it is decided"),
            "curation:dry_runs",
            DryRun.objects.filter(started_by=user).exists(),
        ),
        _step(
            _("Decide on a colleague’s proposal"),
            "curation:rules",
            Proposal.objects.filter(decided_by=user).exists(),
        ),
        _step(
            _("Publish what was approved as the next rule set"),
            "curation:publish",
            RuleSetRelease.objects.filter(published_by=user).exists(),
        ),
    )


def _research(user: User) -> tuple[FirstStep, ...]:
    studies = studies_for(user)
    first = studies.order_by("pk").first()
    study = reverse("research:study", args=[first.slug]) if first else reverse("research:new_study")
    sheets = ConsentDocument.objects.filter(study__in=studies)
    running = studies.exclude(state=Study.State.DRAFT)
    has_data = downloads_for(user).exists() or exports_for(user).exists()
    return (
        _step(_("Plan a study"), "research:new_study", studies.exists()),
        FirstStep(words=_("Write what people agree to"), url=study, is_done=sheets.exists()),
        FirstStep(words=_("Start it"), url=study, is_done=running.exists()),
        FirstStep(words=_("Take the data"), url=reverse("research:home"), is_done=has_data),
    )


def _administration(_user: User) -> tuple[FirstStep, ...]:
    coaches = Membership.objects.filter(role=Role.COACH)
    trainees = Membership.objects.filter(role=Role.TRAINEE)
    group = Cohort.objects.order_by("pk").first()
    invite = reverse("portal:invite") + (f"?group={group.pk}" if group else "")
    return (
        _step(_("Make a group"), "portal:add_group", group is not None),
        FirstStep(words=_("Give it a coach"), url=invite, is_done=coaches.exists()),
        FirstStep(words=_("Invite its trainees"), url=invite, is_done=trainees.exists()),
        _step(_("Set an assignment"), "review:assignments", Assignment.objects.exists()),
    )


def _step(words: str, name: str, is_done: bool) -> FirstStep:  # noqa: FBT001
    return FirstStep(words=words, url=reverse(name), is_done=is_done)


STEPS: Mapping[str, Callable[[User], tuple[FirstStep, ...]]] = {
    "practise": _practise,
    "review": _review,
    "rules": _rules,
    "research": _research,
    "administration": _administration,
}
"""By part of the site (`coach.accounts.navigation`)."""
