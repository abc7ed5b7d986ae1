"""The form section for a rule's texts, part by part, with the languages side by side."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.curation import words
from coach.curation.editor.fields import Field, get
from coach.curation.editor.layout import Adder, FieldGroup, Section
from feedback_rules.model.wording import LEAST_WORDS, MOST_WORDS

_PARTS = (
    ("claim", gettext_lazy("What was observed")),
    ("claim_near", gettext_lazy("The same for a focus just past its threshold")),
    ("figure", gettext_lazy("The figure")),
    ("comparison", gettext_lazy("Compared with what")),
    ("why", gettext_lazy("Why it matters")),
    ("suggestion", gettext_lazy("What to try")),
    ("certainty", gettext_lazy("Confidence, after “Fairly sure:”")),
    ("counterfactual", gettext_lazy("What would have been different")),
    ("label", gettext_lazy("Its name in lists")),
    ("unit", gettext_lazy("The unit in words")),
)
LANGUAGES = (("en", "English"), ("fr", "Français"))
"""Language codes, with the name of each language in itself."""


def message(document: dict[str, Any]) -> Section:
    """Return the section for a document's texts, including its reasons by aim."""
    groups = [_pair(part, str(label)) for part, label in _PARTS]
    aims = dict(words.aims())
    given = [get(document, ("message", code, "why_for"), {}) for code, _name in LANGUAGES]
    groups += [
        _pair(f"why_for|{aim}", _("Why it matters: %(aim)s") % {"aim": aims.get(aim, aim)})
        for aim in dict.fromkeys([*given[0], *given[1]])
    ]
    unused = tuple(each for each in words.aims() if each[0] not in {*given[0], *given[1]})
    groups += [_pair("exercise|title", _("Exercise")), _pair("exercise|text", _("Instructions"))]
    groups.append(_pair("exercise|minutes", _("Minutes"), kind="whole", default=3))
    adders = (Adder(do="why_for", label=_("Add a reason for an aim"), choices=unused),)
    return Section(
        key="message",
        title=_("What it says"),
        lead=f"{_length()} {_placeholders()}",
        groups=tuple(groups),
        adders=adders if unused else (),
        is_open=True,
        is_paired=True,
    )


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


def _pair(part: str, label: str, *, kind: str = "area", default: Any = None) -> FieldGroup:
    fields = tuple(
        Field(
            path=("message", code, *part.split("|")),
            label=f"{label} · {name}",
            kind="whole" if kind == "whole" else "area",
            default=default,
            optional="why_for" in part or part == "claim_near",
            language=code,
        )
        for code, name in LANGUAGES
    )
    return FieldGroup(fields=fields)
