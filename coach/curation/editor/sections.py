"""All form sections of the rule editor, in page order."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from coach.curation import words
from coach.curation.editor.about import about, weights
from coach.curation.editor.cases import case_group
from coach.curation.editor.conditions import condition_group, detail_adders, event_fields
from coach.curation.editor.fields import Field, Path, get
from coach.curation.editor.layout import Adder, FieldGroup, Section
from coach.curation.editor.schema import model_fields
from coach.curation.editor.suggestions import suggestions
from coach.curation.editor.wording import message
from feedback_rules.model.rule import Applies, Evidence, Gates, Severity

_GATES: Path = ("gates",)


def sections(document: dict[str, Any]) -> tuple[Section, ...]:
    """Return the whole form for a document, most frequently edited sections first."""
    return (
        _conditions(document),
        message(document),
        suggestions(document),
        _cases(document),
        _gates(document),
        _evidence(document),
        weights(),
        about(),
    )


def fields_of(document: dict[str, Any]) -> tuple[Field, ...]:
    """Return all fields of the form."""
    return tuple(field for section in sections(document) for field in section.fields)


def _rows(document: dict[str, Any], path: Path) -> tuple[FieldGroup, ...]:
    count = len(get(document, path, ()))
    return tuple(condition_group(document, (*path, index)) for index in range(count))


def _adders(path: str) -> tuple[Adder, ...]:
    return (
        Adder(do=f"add|metric|{path}", label=_("Add a number")),
        Adder(do=f"add|event|{path}", label=_("Add moments")),
        Adder(do=f"add|skipped|{path}", label=_("Add a missing measure")),
    )


def _conditions(document: dict[str, Any]) -> Section:
    lists = (
        ("all", _("All of these must be true")),
        ("any", _("And one of these, if there are any")),
        ("co_signals", _("Second signs: one of these, otherwise the card waits for a coach")),
        ("unless", _("No card if one of these is true")),
    )
    groups = [
        FieldGroup(
            title=title, groups=_rows(document, ("when", name)), adders=_adders(f"when|{name}")
        )
        for name, title in lists
    ]
    return Section(
        key="when",
        title=_("When it applies"),
        groups=(*groups, _without_co_signal(), _severity(), _beside_others()),
        is_open=True,
    )


def _without_co_signal() -> FieldGroup:
    return FieldGroup(
        fields=(
            Field(
                path=("when", "without_co_signal"),
                label=_("Without a second sign"),
                kind="choice",
                choices=words.choices(words.WITHOUT_CO_SIGNAL),
                default="coach",
            ),
        )
    )


def _beside_others() -> FieldGroup:
    """Return the fields for a rule's relations to other rules."""
    one_a_line = _("One id per line, for example PAU002.")
    lists = (
        ("never_with", _("Never shown together with these, because they contradict")),
        ("replaces", _("Replaces these rules")),
        ("replaces_at", _("Replaces these if both play the same moment")),
    )
    fields = tuple(
        Field(path=(name,), label=label, kind="lines", default=(), help=one_a_line)
        for name, label in lists
    )
    offered = Field(
        path=("offered",),
        label=_("Its exercise may be offered if no card stood out"),
        kind="tick",
        default=False,
    )
    return FieldGroup(title=_("Together with other rules"), fields=(*fields, offered))


def _severity() -> FieldGroup:
    fields = model_fields(
        Severity,
        ("severity",),
        {
            "metric": _("Main number"),
            "edge": _("The limit of its range"),
            "width": _("Distance at which it has full weight"),
            "direction": _("Direction"),
            "relative_to": _("Taken"),
        },
        choices={
            "metric": words.metrics(),
            "direction": words.choices(words.DIRECTION),
            "relative_to": words.choices(words.RELATIVE_TO),
        },
        helps={
            "edge": _("Beyond this value it counts as out of range; usually the threshold above.")
        },
    )
    return FieldGroup(title=_("Distance from the range"), fields=fields)


def _cases(document: dict[str, Any]) -> Section:
    count = len(get(document, ("cases",), ()))
    return Section(
        key="cases",
        title=_("Test cases"),
        lead=_(
            "Small invented talks. You need at least one with a card, one without, and one "
            "exactly on the threshold. A change can be approved only if all cases pass."
        ),
        groups=tuple(case_group(document, index) for index in range(count)),
        is_open=True,
    )


def _gates(document: dict[str, Any]) -> Section:
    needs = FieldGroup(
        title=_("Required numbers"),
        groups=_rows(document, (*_GATES, "needs")),
        adders=(Adder(do="add|metric|gates|needs", label=_("Add a number")),),
    )
    return Section(
        key="gates",
        title=_("Recording conditions"),
        groups=(
            FieldGroup(fields=_gate_fields()),
            needs,
            FieldGroup(title=_("For which talks"), fields=_applies()),
        ),
    )


def _gate_fields() -> tuple[Field, ...]:
    """Return the fields for the recording conditions."""
    return model_fields(
        Gates,
        _GATES,
        {
            "min_quality": _("Measured at least"),
            "min_coverage": _("Over at least this share of speech"),
            "min_n": _("Counted at least"),
            "min_seconds": _("Length of the talk at least (seconds)"),
            "min_word_probability": _("Confidence of words at least, 0 to 1"),
            "min_confidence": _("Confidence at least, 0 to 1"),
            "silent_if": _("No card if this was found"),
        },
        choices={"min_quality": words.choices(words.MEASURED), "silent_if": words.reasons()},
        left_out={"needs"},
    )


def _applies() -> tuple[Field, ...]:
    return model_fields(
        Applies,
        ("applies",),
        {
            "aims": _("Aims"),
            "audiences": _("Audiences"),
            "settings": _("Settings"),
            "media": _("Needs"),
            "except_camera_positions": _("Not if the camera is"),
            "languages": _("Languages"),
            "slides": _("Slides"),
            "notes": _("Notes on the screen"),
            "speakers": _("Speakers"),
        },
        choices={
            "aims": words.aims(),
            "audiences": words.audiences(),
            "settings": words.settings(),
            "media": words.choices(words.MEDIA),
            "except_camera_positions": words.cameras(),
            "slides": words.choices(words.SLIDES),
            "notes": words.choices(words.NOTES),
            "speakers": words.choices(words.SPEAKERS),
        },
        helps={
            "languages": _(
                "Two letters each, one per line. If nothing is ticked or written, the rule "
                "applies everywhere."
            )
        },
    )


def _evidence(document: dict[str, Any]) -> Section:
    path: Path = ("evidence", "events")
    rows = tuple(
        FieldGroup(
            title=_("Moments to play"),
            fields=event_fields(get(document, (*path, index), {}), (*path, index)),
            row=(*path, index),
            adders=detail_adders(get(document, (*path, index), {}), (*path, index)),
        )
        for index in range(len(get(document, path, ())))
    )
    adder = Adder(do="add|evidence|evidence|events", label=_("Add moments"))
    return Section(
        key="evidence",
        title=_("Which moments are played"),
        groups=(
            FieldGroup(title=_("These moments"), groups=rows, adders=(adder,)),
            FieldGroup(fields=_evidence_fields()),
        ),
    )


def _evidence_fields() -> tuple[Field, ...]:
    """Return the fields for the choice of moments and the fallback without any."""
    return model_fields(
        Evidence,
        ("evidence",),
        {
            "order": _("Which ones"),
            "fallback": _("If there are none"),
            "scope": _("The claim is about"),
            "quote": _("Quotes"),
        },
        choices={
            "order": words.choices(words.ORDER),
            "fallback": words.choices(words.FALLBACK),
            "scope": words.choices(words.SCOPE),
            "quote": words.choices(words.QUOTE),
        },
        helps={"scope": _("Only a claim about moments may contain times.")},
        left_out={"events"},
    )
