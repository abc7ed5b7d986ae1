"""All form sections of the rule editor, in page order."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from coach.curation.editor.fields import Field
from coach.curation.editor.labels import ordered
from coach.curation.editor.layout import Adder, FieldGroup, Section, joined
from coach.curation.editor.schema import LANGUAGES, parts_of
from feedback_rules.model import Rule
from feedback_rules.model.rule import Messages
from feedback_rules.model.wording import LEAST_WORDS, MOST_WORDS

_WITH_OTHERS = ("never_with", "replaces", "replaces_at", "offered")
_NOT_EDITED = ("id", "version")


def sections(document: dict[str, Any], model: type[Rule] = Rule) -> tuple[Section, ...]:
    """Return the whole form for a document, most frequently edited sections first."""

    def groups(*names: str) -> tuple[FieldGroup, ...]:
        placed.update(names)
        return _stacked(parts_of(model, document, names=names))

    placed = {*_NOT_EDITED, *_WITH_OTHERS, "message"}
    others = joined(
        parts_of(model, document, names=_WITH_OTHERS), title=_("Together with other rules")
    )
    return (
        Section(
            key="when",
            title=_("When it applies"),
            groups=(*groups("when", "severity"), others),
            is_open=True,
        ),
        Section(
            key="message",
            title=_("What it says"),
            lead=f"{_length()} {_placeholders()}",
            groups=_messages(document),
            is_open=True,
            is_paired=True,
        ),
        Section(
            key="suggestions",
            title=_("What it praises or advises"),
            lead=_(
                "Suggestions are tried in this order. The first that fits the report is used, "
                "otherwise “What to try” above. No suggestion may advise something that a "
                "strength in the same report already praises."
            ),
            groups=groups("behaviour", "suggestions"),
            is_open=bool(document.get("suggestions")),
        ),
        Section(
            key="cases",
            title=_("Test cases"),
            lead=_(
                "Small invented talks. You need at least one with a card, one without, and one "
                "exactly on the threshold. A change can be approved only if all cases pass."
            ),
            groups=groups("cases"),
            is_open=True,
        ),
        Section(key="gates", title=_("Recording conditions"), groups=groups("gates", "applies")),
        Section(key="evidence", title=_("Which moments are played"), groups=groups("evidence")),
        Section(
            key="weights",
            title=_("How much it matters"),
            lead=_("From 0 to 1. Leave empty for the default, 0.8."),
            groups=groups("weights"),
        ),
        Section(
            key="about",
            title=_("Description and evidence"),
            groups=groups(*(name for name in ordered(model) if name not in placed)),
        ),
    )


def groups_of(document: dict[str, Any], model: type[Rule] = Rule) -> tuple[FieldGroup, ...]:
    """Return all groups of the form, nested ones too."""
    return tuple(
        inner
        for section in sections(document, model)
        for group in section.groups
        for inner in group.all_groups
    )


def fields_of(document: dict[str, Any], model: type[Rule] = Rule) -> tuple[Field, ...]:
    """Return all fields of the form."""
    return tuple(field for group in groups_of(document, model) for field in group.fields)


def _stacked(parts: list[FieldGroup]) -> tuple[FieldGroup, ...]:
    """Return the parts with neighbouring fields in one group."""
    runs = groupby(parts, key=lambda part: not (part.title or part.groups or part.adders))
    return tuple(
        group for are_fields, run in runs for group in ((joined([*run]),) if are_fields else run)
    )


def _messages(document: dict[str, Any], model: type[Messages] = Messages) -> tuple[FieldGroup, ...]:
    """Return the texts of a card, each in all languages side by side."""
    sides = [joined(parts_of(model, document, ("message",), [code])) for code in LANGUAGES]
    pairs = [
        FieldGroup(fields=fields) for fields in zip(*(side.fields for side in sides), strict=True)
    ]
    rows = [group for side in sides for group in side.groups]
    adders = tuple(_both(each) for each in zip(*(side.adders for side in sides), strict=True))
    return (*pairs, *rows, FieldGroup(adders=adders))


def _both(adders: tuple[Adder, ...]) -> Adder:
    """Return one button for the same row in all languages."""

    def act(changed: Any, chosen: str) -> None:
        for each in adders:
            each.act(changed, chosen)

    first = adders[0]
    return Adder(do=first.do, label=first.label, choices=first.choices, act=act)


def _length() -> str:
    """Return the sentence about the linter's limits on the length of a card."""
    words = _(
        "The front of a card, from what was observed to the confidence, has at least "
        "%(least)s words, and at most %(english)s in English and %(french)s in French. "
        "Times are not counted. Put further explanation into the source, shown under "
        "“Why am I seeing this?”."
    )
    return words % {"least": LEAST_WORDS, "english": MOST_WORDS["en"], "french": MOST_WORDS["fr"]}


def _placeholders() -> str:
    return _(
        "Placeholders in curly brackets are filled in: {value}, {range}, {times}, {from}, "
        "{to}, {count}, {quote}, {edge}, {edge_in_five}, {least_count}, {least_seconds}, "
        "{fillers}, {limit}, {baseline}, {missed}."
    )
