"""What the audit log keeps of an act, in the words that people use: names, and values of lists.

A value that somebody chose from a list is said as the list says it, found by the field that holds
it: the models of the upper apps are asked for by name, since this one knows none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import pgettext, pgettext_lazy

from analysis.metrics import BY_ID
from coach.lib.pages.shortcuts import GROUPS
from coach.lib.words.measure_words import event_words, label_of
from coach.lib.words.punctuation import pair_words

Words: TypeAlias = str | Promise
NOTHING = "–"

NAMES: dict[str, Words] = {
    "added": pgettext_lazy("logged", "added"),
    "aim": pgettext_lazy("logged", "aim"),
    "answer": pgettext_lazy("logged", "answer"),
    "at": pgettext_lazy("logged", "at"),
    "audience": pgettext_lazy("logged", "audience"),
    "brought_back": pgettext_lazy("logged", "brought back"),
    "by": pgettext_lazy("logged", "by"),
    "changed": pgettext_lazy("logged", "changed"),
    "characters": pgettext_lazy("logged", "characters"),
    "code": pgettext_lazy("logged", "code"),
    "codebook": pgettext_lazy("logged", "version of the codebook"),
    "coder": pgettext_lazy("logged", "coder"),
    "coders": pgettext_lazy("logged", "coders"),
    "codings": pgettext_lazy("logged", "codings"),
    "cohort": pgettext_lazy("logged", "cohort"),
    "colour": pgettext_lazy("logged", "colour"),
    "conditions": pgettext_lazy("logged", "conditions"),
    "days": pgettext_lazy("logged", "days"),
    "decision": pgettext_lazy("logged", "decision"),
    "description": pgettext_lazy("logged", "what it means"),
    "dropped": pgettext_lazy("logged", "dropped"),
    "each_to": pgettext_lazy("logged", "coders of each"),
    "end": pgettext_lazy("logged", "end"),
    "entries": pgettext_lazy("logged", "entries"),
    "event": pgettext_lazy("logged", "what was heard or seen"),
    "examples": pgettext_lazy("logged", "examples"),
    "exclude_when": pgettext_lazy("logged", "do not use it when"),
    "exercise": pgettext_lazy("logged", "exercise"),
    "fields": pgettext_lazy("logged", "changed"),
    "file": pgettext_lazy("logged", "file"),
    "goal": pgettext_lazy("logged", "goal"),
    "gone": pgettext_lazy("logged", "gone"),
    "held_back": pgettext_lazy("logged", "held back"),
    "in_file": pgettext_lazy("logged", "codes in the file"),
    "include_when": pgettext_lazy("logged", "use it when"),
    "interview": pgettext_lazy("logged", "interview"),
    "interviews": pgettext_lazy("logged", "interviews"),
    "into": pgettext_lazy("logged", "into"),
    "is_codable": pgettext_lazy("logged", "can be applied"),
    "keys": pgettext_lazy("logged", "own keys"),
    "kind": pgettext_lazy("logged", "kind"),
    "language": pgettext_lazy("logged", "language"),
    "measure": pgettext_lazy("logged", "measure"),
    "method": pgettext_lazy("logged", "how it was said"),
    "model": pgettext_lazy("logged", "model"),
    "name": pgettext_lazy("logged", "name"),
    "not_judged": pgettext_lazy("logged", "not judged"),
    "note": pgettext_lazy("logged", "note"),
    "number": pgettext_lazy("logged", "number"),
    "occasion": pgettext_lazy("logged", "occasion"),
    "off": pgettext_lazy("logged", "single keys switched off"),
    "origin": pgettext_lazy("logged", "tool it came from"),
    "people": pgettext_lazy("logged", "people"),
    "person": pgettext_lazy("logged", "person"),
    "place": pgettext_lazy("logged", "which opinion"),
    "places": pgettext_lazy("logged", "places"),
    "policy": pgettext_lazy("logged", "when feedback is shown"),
    "problems": pgettext_lazy("logged", "problems"),
    "purpose": pgettext_lazy("logged", "purpose"),
    "questions": pgettext_lazy("logged", "questions"),
    "read_by": pgettext_lazy("logged", "read by"),
    "reason": pgettext_lazy("logged", "reason"),
    "recipient": pgettext_lazy("logged", "recipient"),
    "redactions": pgettext_lazy("logged", "places taken out"),
    "rehearsal": pgettext_lazy("logged", "take"),
    "replaces": pgettext_lazy("logged", "in the place of"),
    "restores": pgettext_lazy("logged", "back to rule set"),
    "role": pgettext_lazy("logged", "role"),
    "round": pgettext_lazy("logged", "round"),
    "rule": pgettext_lazy("logged", "rule"),
    "rule_set": pgettext_lazy("logged", "rule set"),
    "same": pgettext_lazy("logged", "codings that both had"),
    "scope": pgettext_lazy("logged", "consent to"),
    "scopes": pgettext_lazy("logged", "consent to"),
    "seed": pgettext_lazy("logged", "number that the shares were drawn with"),
    "sha256": pgettext_lazy("logged", "checksum"),
    "shared_with": pgettext_lazy("logged", "shared with cohort"),
    "shortcut": pgettext_lazy("logged", "key"),
    "shows_all": pgettext_lazy("logged", "with every measure"),
    "shows_findings": pgettext_lazy("logged", "with the findings"),
    "speaks_as": pgettext_lazy("logged", "first language"),
    "start": pgettext_lazy("logged", "start"),
    "state": pgettext_lazy("logged", "state"),
    "study": pgettext_lazy("logged", "study"),
    "tag": pgettext_lazy("logged", "quality"),
    "takes": pgettext_lazy("logged", "takes"),
    "time_limit": pgettext_lazy("logged", "time limit"),
    "title": pgettext_lazy("logged", "title"),
    "to": pgettext_lazy("logged", "to"),
    "turns": pgettext_lazy("logged", "turns"),
    "unfinished": pgettext_lazy("logged", "unfinished"),
    "version": pgettext_lazy("logged", "version"),
    "with_recording": pgettext_lazy("logged", "with the recording"),
}
"""Every name that `record_act` is given, and those within; a model's own fields have theirs."""

_ROLES: dict[str, Words] = {
    "trainee": pgettext_lazy("logged", "trainee"),
    "coach": pgettext_lazy("logged", "coach"),
    "curator": pgettext_lazy("logged", "curator"),
    "researcher": pgettext_lazy("logged", "researcher"),
    "administrator": pgettext_lazy("logged", "administrator"),
}
_VERDICTS: dict[str, Words] = {
    "accept": pgettext_lazy("logged", "accepted"),
    "edit": pgettext_lazy("logged", "reworded"),
    "reject": pgettext_lazy("logged", "rejected"),
    "replace": pgettext_lazy("logged", "replaced"),
    "add": pgettext_lazy("logged", "an item of their own"),
    "hold": pgettext_lazy("logged", "held back"),
}
_DESK_ACTS: dict[str, Words] = {
    "verdict": pgettext_lazy("logged", "decision"),
    "order": pgettext_lazy("logged", "order"),
    "word": pgettext_lazy("logged", "a word about the whole take"),
    "note": pgettext_lazy("logged", "note"),
    "correction": pgettext_lazy("logged", "correction"),
}
_OPINIONS: dict[str, Words] = {
    "first": pgettext_lazy("logged", "the first"),
    "second": pgettext_lazy("logged", "the second"),
    "calibration": pgettext_lazy("logged", "on a calibration clip"),
    "resolution": pgettext_lazy("logged", "the settled one"),
    "review": pgettext_lazy("logged", "review"),
}
_STANDING: dict[str, Words] = {
    "open": pgettext_lazy("logged", "open"),
    "finished": pgettext_lazy("logged", "finished"),
    "handed_in": pgettext_lazy("logged", "handed in"),
    "flagged": pgettext_lazy("logged", "flagged"),
    "draft": pgettext_lazy("logged", "draft"),
    "released": pgettext_lazy("logged", "released"),
    "retracted": pgettext_lazy("logged", "retracted"),
}
_CORRECTIONS: dict[str, Words] = {
    "not_a_filler": pgettext_lazy("logged", "not a filler"),
    "not_a_look_away": pgettext_lazy("logged", "not a look-away"),
    "word": pgettext_lazy("logged", "another word"),
}
_DROPPED: dict[str, Words] = {
    "quote_mismatch": pgettext_lazy("logged", "the quote was not in the transcript"),
    "outside_media": pgettext_lazy("logged", "the moment was outside the recording"),
}
_CAMERA: dict[str, Words] = {
    "in_front": pgettext_lazy("logged", "in front"),
    "elsewhere": pgettext_lazy("logged", "elsewhere"),
    "unknown": pgettext_lazy("logged", "answer taken back"),
}

LISTS: dict[str, str | Mapping[str, Words]] = {
    "language": "research.ConsentDocument.language",
    "policy": "accounts.Cohort.policy",
    "scope": "research.ConsentDocument.scope",
    "scopes": "research.ConsentDocument.scope",
    "method": "research.ConsentEvent.method",
    "tag": "feedback.TimedNote.tag",
    "place": _OPINIONS,
    "occasion": _OPINIONS,
    "dropped": _DROPPED,
    "accounts.consent_given:purpose": "accounts.Consent.purpose",
    "accounts.consent_withdrawn:purpose": "accounts.Consent.purpose",
    "accounts.joined:role": _ROLES,
    "accounts.left:role": _ROLES,
    "accounts.roles_changed:before": _ROLES,
    "feedback.camera_answered:answer": _CAMERA,
    "feedback.corrected:kind": _CORRECTIONS,
    "feedback.correction_undone:kind": _CORRECTIONS,
    "feedback.disputed:before": "feedback.Dispute.reason",
    "feedback.disputed:reason": "feedback.Dispute.reason",
    "feedback.dispute_withdrawn:before": "feedback.Dispute.reason",
    "feedback.release_taken_back:before": _STANDING,
    "feedback.released:before": _STANDING,
    "feedback.retracted:before": _STANDING,
    "feedback.undone:kind": _DESK_ACTS,
    "feedback.verdict:before": _VERDICTS,
    "feedback.verdict:kind": _VERDICTS,
    "feedback.verdict:reason": "feedback.Verdict.reason",
    "feedback.verdict_undone:kind": _VERDICTS,
    "notices.mails_chosen:before": "notices.Mute.kind",
    "research.coder_said:before": "research.Coder.kind",
    "research.consent_said:kind": "research.ConsentEvent.kind",
    "research.group_changed:before": "research.Participant.group",
    "research.member_removed:before": "research.Member.role",
    "research.member_set:before": "research.Member.role",
    "research.redaction_decided:kind": "research.Redaction.kind",
    "research.redaction_decided:state": "research.Redaction.state",
    "research.redaction_marked:kind": "research.Redaction.kind",
    "research.settled:decision": "research.Adjudication.decision",
    "research.unsettled:decision": "research.Adjudication.decision",
    "review.flag_cleared:before": _STANDING,
    "review.flagged:before": _STANDING,
    "rubric.finished:before": _STANDING,
    "rubric.reopened:before": _STANDING,
    "rulesets.published:kind": "rulesets.RuleSetRelease.kind",
    "second.handed_in:before": _STANDING,
    "second.resolved:before": _OPINIONS,
}
"""Values that stand for something, by their name, or by act and name where it has several
meanings; what stood before comes from the same list as what stands after."""


def detail_words(action: str, kind: str, detail: Mapping[str, object]) -> str:
    """'before → after · name: value': what the log keeps of an act on something of this kind."""
    rest = dict(detail)
    said = []
    if {"before", "after"} <= rest.keys():
        said = _change(action, kind, rest.pop("before"), rest.pop("after"))
    said += [
        pair_words(name_words(kind, name), _value(action, kind, name, value))
        for name, value in rest.items()
    ]
    return " · ".join(said) or NOTHING


def _change(action: str, kind: str, before: object, after: object) -> list[str]:
    """Of something with several sides only those that differ."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        was, now = (_value(action, kind, "before", each) for each in (before, after))
        return [f"{was} → {now}"]
    names = [each for each in {**before, **after} if before.get(each) != after.get(each)]
    return [
        pair_words(
            name_words(kind, name),
            " → ".join(_value(action, kind, name, side.get(name)) for side in (before, after)),
        )
        for name in names
    ]


def name_words(kind: str, name: str) -> str:
    """What is said under this name of something of this kind; as it stands, if it has no words."""
    if name == "before":
        return pgettext("logged", "before")
    if name == "after":
        return pgettext("logged", "after")
    own = _field_words(kind, name)
    return str(own or NAMES.get(name) or name)


def choice_words(action: str, name: str) -> Mapping[str, Words]:
    """The words of each value that can stand under this name in entries of this act."""
    if name == "after":
        name = "before"
    named = LISTS.get(f"{action}:{name}") or LISTS.get(name) or {}
    return _choices(named) if isinstance(named, str) else named


def _value(action: str, kind: str, name: str, value: object) -> str:
    if value in (None, "", [], {}):
        return NOTHING
    if isinstance(value, bool):
        return pgettext("logged", "yes") if value else pgettext("logged", "no")
    if isinstance(value, dict):
        return ", ".join(_pairs(action, kind, name, value))
    if isinstance(value, list):
        return ", ".join(_value(action, kind, name, each) for each in value)
    if isinstance(value, str):
        return _one_of(action, kind, name, value)
    return str(localize(value))


def _pairs(action: str, kind: str, name: str, within: Mapping[str, object]) -> list[str]:
    keys = _key_words() if name == "keys" else {}
    return [
        f"{keys.get(key) or name_words(kind, key)} "
        f"{_value(action, kind, name if name == 'dropped' else key, value)}"
        for key, value in within.items()
    ]


def _key_words() -> dict[str, str]:
    return {each.name: str(each.words) for _heading, keys in GROUPS.values() for each in keys}


def _one_of(action: str, kind: str, name: str, value: str) -> str:
    if name in {"changed", "fields"}:
        return name_words(kind, value)
    if name == "measure" and value in BY_ID:
        return label_of(value)
    if name == "event":
        return event_words(value)
    return str(choice_words(action, name).get(value, value))


def _field_words(kind: str, name: str) -> Promise | None:
    try:
        field = apps.get_model(kind)._meta.get_field(name) if kind else None  # noqa: SLF001
    except (LookupError, ValueError, FieldDoesNotExist):
        return None
    words = getattr(field, "verbose_name", None)
    # What Django makes of a field's name is in no language.
    return words if isinstance(words, Promise) else None


@cache
def _choices(path: str) -> Mapping[str, Words]:
    model, _dot, name = path.rpartition(".")
    field = apps.get_model(model)._meta.get_field(name)  # noqa: SLF001 (Django's public API)
    return dict(getattr(field, "flatchoices", ()))
