"""Services for themes: add, change, move, merge, delete; each on record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.codebook.services import hold_codebook
from coach.research.coding.models import Code, Theme, ThemeChange, ThemeMemo
from coach.research.coding.rounds.services import coder_of
from coach.research.studies.models import Study
from coach.research.studies.selectors import studies_for


def themes_for(user: User, study: Study) -> QuerySet[Theme]:
    """Return the themes of a study in their order, for its members."""
    return Theme.objects.filter(study=study, study__in=studies_for(user))


@transaction.atomic
def add_theme(*, study: Study, name: str, actor: User) -> Theme:
    """Add a theme as the last one."""
    hold_codebook(study)
    made = Theme.objects.create(study=study, name=name, position=study.themes.count())
    _trace(made, ThemeChange.Kind.ADDED, actor, after=_said(made))
    record_act(action="research.theme_added", target=made, actor=actor, name=name)
    return made


@transaction.atomic
def change_theme(*, theme: Theme, name: str, memo: str, codes: Iterable[Code], actor: User) -> None:
    """Save the name, the codes and the memo of a theme, with what they were before."""
    hold_codebook(theme.study)
    was = _said(theme)
    theme.name = name
    theme.save(update_fields=["name"])
    theme.codes.set(codes)
    now = _said(theme)
    changed = [each for each in now if was[each] != now[each]]
    if changed:
        before, after = ({each: said[each] for each in changed} for said in (was, now))
        _trace(theme, ThemeChange.Kind.CHANGED, actor, before=before, after=after)
    if memo != memo_of(theme):
        by = coder_of(theme.study, actor, None)
        ThemeMemo.objects.create(theme=theme, body=memo, by=by)
        changed.append("memo")
    if changed:
        record_act(
            action="research.theme_changed", target=theme, actor=actor, name=name, fields=changed
        )


@transaction.atomic
def move_theme(*, theme: Theme, by: int, actor: User) -> None:
    """Swap a theme with the one before it (-1) or after it (1), if there is one."""
    hold_codebook(theme.study)
    row = list(theme.study.themes.all())
    at = row.index(theme)
    if not 0 <= at + by < len(row):
        return
    row[at], row[at + by] = row[at + by], row[at]
    for position, each in enumerate(row):
        each.position = position
    Theme.objects.bulk_update(row, ["position"])
    record_act(action="research.theme_moved", target=theme, actor=actor, name=theme.name)


@transaction.atomic
def merge_themes(*, theme: Theme, into: Theme, actor: User) -> None:
    """Move the codes and memos of a theme to another, and delete it.

    Raises ValidationError unless they are two themes of one study.
    """
    hold_codebook(theme.study)
    if theme.pk == into.pk or theme.study_id != into.study_id:
        raise ValidationError(_("Choose another theme."))
    was, before = _said(theme), _said(into)
    # Read first: the newest memo of both is the current one from now on.
    bodies = [each for each in (memo_of(into), memo_of(theme)) if each]
    into.codes.add(*theme.codes.all())
    theme.memos.update(theme=into)
    theme.changes.update(theme=into)
    if len(bodies) > 1:
        by = coder_of(theme.study, actor, None)
        ThemeMemo.objects.create(theme=into, body="\n\n".join(bodies)[:20_000], by=by)
    _trace(
        into, ThemeChange.Kind.MERGED, actor, before={**before, "merged": was}, after=_said(into)
    )
    record_act(
        action="research.themes_merged", target=into, actor=actor, name=was["name"], into=into.name
    )
    theme.delete()


@transaction.atomic
def remove_theme(*, theme: Theme, actor: User) -> None:
    """Delete a theme; the history keeps its name, codes and newest memo."""
    hold_codebook(theme.study)
    before = {**_said(theme), "memo": memo_of(theme)}
    _trace(theme, ThemeChange.Kind.REMOVED, actor, before=before)
    record_act(action="research.theme_removed", target=theme, actor=actor, name=theme.name)
    theme.delete()


def memo_of(theme: Theme) -> str:
    """Return the newest memo; empty if there is none."""
    newest = theme.memos.first()
    return newest.body if newest else ""


def _said(theme: Theme) -> dict[str, Any]:
    return {"name": theme.name, "codes": [each.name for each in theme.codes.order_by("name")]}


def _trace(theme: Theme, kind: str, actor: User, **said: dict[str, Any]) -> None:
    by = coder_of(theme.study, actor, None)
    ThemeChange.objects.create(study=theme.study, theme=theme, kind=kind, by=by, **said)
