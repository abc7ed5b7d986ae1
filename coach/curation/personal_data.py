"""A curator's personal data in the studio: rules written, decided, tried, muted and published."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from coach.accounts.models import User
from coach.curation.dry_runs.models import DryRun
from coach.curation.models import Mute, Proposal
from coach.curation.services import erase_for
from coach.lib.personal_data import PersonalData
from coach.rulesets.models import RuleSetRelease, RuleVersion


def _export(user: User) -> dict[str, Any]:
    versions = RuleVersion.objects.filter(author=user)
    proposals = Proposal.objects.filter(decided_by=user)
    mutes = Mute.objects.filter(Q(muted_by=user) | Q(lifted_by=user))
    releases = RuleSetRelease.objects.filter(published_by=user)
    return {
        "rules_written": list(versions.values("rule", "number", "why", "created_at")),
        "rules_decided": list(proposals.values("rule", "state", "reason", "decided_at")),
        "rules_muted": list(mutes.values("rule", "why", "muted_at", "lifted_at")),
        "rules_tried": list(DryRun.objects.filter(started_by=user).values("title", "created_at")),
        "rules_published": list(releases.values("number", "note", "published_at")),
    }


PERSONAL_DATA = PersonalData(
    app="curation",
    kept=dict.fromkeys(
        ("rules_written", "rules_published", "rules_decided", "rules_muted", "rules_tried"),
        "for ever, without the name once its person is erased",
    ),
    export=_export,
    handed_out={
        "rulesets.ruleversion.author": "rules_written",
        "rulesets.rulesetrelease.published_by": "rules_published",
        "curation.proposal.decided_by": "rules_decided",
        "curation.mute.muted_by": "rules_muted",
        "curation.mute.lifted_by": "rules_muted",
        "curation.dryrun.started_by": "rules_tried",
    },
    erase=erase_for,
)
