"""The form sections for a rule's description, evidence and weights."""

from __future__ import annotations

from django.utils.translation import gettext as _

from coach.curation import words
from coach.curation.editor.fields import Field
from coach.curation.editor.layout import FieldGroup, Section


def weights() -> Section:
    """Return the section for the rule's weights: its base, and by aim, audience and setting."""
    base = (
        Field(
            path=("weights", "actionability"),
            label=_("How easily it can be practised"),
            kind="number",
            default=0.8,
        ),
        Field(
            path=("weights", "reliability"),
            label=_("How reliable its detector is"),
            kind="number",
            default=0.9,
        ),
    )
    lists = (
        ("aims", _("By aim"), words.aims()),
        ("audiences", _("By audience"), words.audiences()),
        ("settings", _("By setting"), words.settings()),
    )
    groups = [
        FieldGroup(
            title=title,
            fields=tuple(
                Field(path=("weights", name, code), label=label, kind="number", optional=True)
                for code, label in these
            ),
        )
        for name, title, these in lists
    ]
    return Section(
        key="weights",
        title=_("How much it matters"),
        lead=_("From 0 to 1. Leave empty for the default, 0.8."),
        groups=(FieldGroup(fields=base), *groups),
    )


def about() -> Section:
    """Return the section for the rule's description: labels, texts, sources and author."""
    named: tuple[tuple[str, str, words.Choices], ...] = (
        ("status", _("Status"), words.choices(words.STATUS)),
        ("quality", _("Quality"), words.qualities()),
        ("tone", _("Tone"), words.choices(words.TONE)),
        ("family", _("Family"), words.families()),
        ("modality", _("Where it is noticed"), words.choices(words.MODALITY)),
        ("decided_by", _("Who decides"), words.choices(words.DECIDED_BY)),
        ("grade", _("Evidence"), words.choices(words.GRADE)),
        ("value_format", _("The value reads as"), words.choices(words.VALUE_FORMAT)),
    )
    lists = FieldGroup(
        fields=tuple(
            Field(path=(key,), label=label, kind="choice", choices=these)
            for key, label, these in named
        )
    )
    texts = FieldGroup(
        fields=(
            Field(path=("title",), label=_("Title")),
            Field(path=("source",), label=_("Source, with its year, or “Rule of thumb”")),
            Field(
                path=("message", "en", "source"),
                label=_("The same source for English cards"),
                optional=True,
                language="en",
            ),
            Field(
                path=("message", "fr", "source"),
                label=_("The same source for French cards"),
                optional=True,
                language="fr",
            ),
            Field(path=("rationale",), label=_("Rationale"), kind="area"),
            Field(path=("references",), label=_("References, one per line"), kind="lines"),
            Field(path=("false_positives",), label=_("Known errors, one per line"), kind="lines"),
            Field(
                path=("cites_study",),
                label=_("The figures in its comparison are a study’s"),
                kind="tick",
                default=False,
                help=_("They stay when the threshold moves."),
            ),
            Field(path=("author",), label=_("Written by")),
        )
    )
    return Section(key="about", title=_("Description and evidence"), groups=(lists, texts))
