"""Looks at the pages of a study at a glance."""

from __future__ import annotations

from django.urls import reverse

from coach.accounts.models import User
from coach.research.dashboard.pages import asked_by
from coach.research.dashboard.registry import BY_NAME
from coach.research.dashboard.spec import DashboardRequest, Row
from coach.research.studies.models import Study


def url(name: str, study: Study, *more: str) -> str:
    return reverse(f"research:{name}", args=[study.slug, *more])


def rows(name: str, asked: DashboardRequest) -> list[Row]:
    return list(BY_NAME[name].rows(asked))


def asked_of(study: Study, reader: User, **chosen: str) -> DashboardRequest:
    return asked_by(reader, study, chosen)
