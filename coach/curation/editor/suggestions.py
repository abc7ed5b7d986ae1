"""The form section for a rule's behaviour and its conditional suggestions."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from coach.curation import words
from coach.curation.editor.conditions import condition_group
from coach.curation.editor.fields import Field, Path, get
from coach.curation.editor.layout import Adder, FieldGroup, Section
from coach.curation.editor.wording import LANGUAGES


def suggestions(document: dict[str, Any]) -> Section:
    """Return the section for a document's suggestions."""
    count = len(get(document, ("suggestions",), ()))
    return Section(
        key="suggestions",
        title=_("What it praises or advises"),
        lead=_(
            "Suggestions are tried in this order. The first that fits the report is used, "
            "otherwise “What to try” above. No suggestion may advise something that a "
            "strength in the same report already praises."
        ),
        groups=(
            FieldGroup(fields=_behaviour(("behaviour",))),
            *(_suggestion(document, ("suggestions", index)) for index in range(count)),
        ),
        adders=(Adder(do="add|suggestion|suggestions", label=_("Add a suggestion")),),
        is_open=bool(count),
    )


def _behaviour(path: Path) -> tuple[Field, ...]:
    return (
        Field(
            path=(*path, "kind"),
            label=_("Behaviour"),
            kind="choice",
            choices=(("", "—"), *words.choices(words.BEHAVIOUR)),
            optional=True,
        ),
        Field(
            path=(*path, "where"),
            label=_("Where"),
            kind="many",
            choices=words.choices(words.PLACE),
            default=("talk",),
        ),
    )


def _suggestion(document: dict[str, Any], path: Path) -> FieldGroup:
    texts = tuple(
        Field(
            path=(*path, code),
            label=f"{_('What to try')} · {name}",
            kind="area",
            language=code,
        )
        for code, name in LANGUAGES
    )
    name = Field(path=(*path, "name"), label=_("Its name in cases"))
    rows = range(len(get(document, (*path, "when"), ())))
    where = "|".join(str(part) for part in path)
    return FieldGroup(
        title=_("A suggestion if all of these are true"),
        fields=(name, *texts, *_behaviour((*path, "behaviour"))),
        row=path,
        groups=tuple(condition_group(document, (*path, "when", index)) for index in rows),
        adders=(
            Adder(do=f"add|metric|{where}|when", label=_("Add a number")),
            Adder(do=f"add|event|{where}|when", label=_("Add moments")),
        ),
    )
