"""Rule loader: reads rules from YAML, reports errors with file and line, and writes the canonical
form.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from feedback_rules.model import Rule, RuleError, RuleSet, problem
from feedback_rules.model.problems import RuleProblem, problem_of

RULES_FOLDER = Path(__file__).parent / "rules"
BUILTIN_NUMBER = 1
MAX_CHARACTERS = 100_000
"""Longest document; a rule is a page or two, and more is a mistake or an attack."""
MAX_DEPTH = 20
"""Deepest nesting; a case's interval, the deepest part of a rule, is at level nine."""

_OPENING = (
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
)
_CLOSING = (yaml.BlockEndToken, yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_rules(folder: Path | str = RULES_FOLDER) -> tuple[Rule, ...]:
    """Return every rule of a folder, by id. Raises RuleError."""
    root = Path(folder)
    if not root.is_dir():
        raise RuleError(problem("folder_missing", name=root.name))
    files = sorted(root.rglob("*.yml"))
    if not files:
        raise RuleError(problem("folder_empty", name=root.name))
    found: dict[str, str] = {}
    rules = []
    for file in files:
        name = file.relative_to(root).as_posix()
        rule = rule_from_yaml(read_text(file), name=name)
        _check_place(rule, file, name)
        if rule.id in found:
            raise RuleError(problem("rule_taken", rule=rule.id, file=found[rule.id]), name=name)
        found[rule.id] = name
        rules.append(rule)
    return tuple(sorted(rules, key=lambda rule: rule.id))


def read_text(file: Path) -> str:
    """Return the text of a rule file with its line ends unchanged. Raises RuleError."""
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(problem("no_utf8"), name=file.name) from error


@cache
def builtin_rule_set() -> RuleSet:
    """Return the rules that come with the product, as release 1."""
    return RuleSet(number=BUILTIN_NUMBER, rules=load_rules())


def rule_from_yaml(text: str, *, name: str) -> Rule:
    """Parse one rule. Raises RuleError with the file and the line."""
    if len(text) > MAX_CHARACTERS:
        raise RuleError(problem("document_long"), name=name)
    node = _compose(text, name)
    data = _plain(node, name)
    try:
        return Rule.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        written = as_written(first["loc"])
        line = _line_of(node, written)
        place = ".".join(str(part) for part in written) or "document"
        plain = f"{place}: {first['msg'].rstrip('.')}."
        raise RuleError(problem_of(first, written), name=name, line=line, plain=plain) from error


def rule_from_document(document: dict[str, Any], *, name: str) -> Rule:
    """Parse one rule from its stored JSON document. Raises RuleError."""
    return rule_from_yaml(json.dumps(document, ensure_ascii=False), name=name)


def rule_to_document(rule: Rule) -> dict[str, Any]:
    """Return the rule as plain JSON values, without defaults."""
    return rule.model_dump(mode="json", exclude_defaults=True)


def rule_to_yaml(rule: Rule) -> str:
    """Return the canonical text of a rule; reading it back gives the same rule."""
    return yaml.dump(
        rule_to_document(rule),
        Dumper=_CanonicalDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=96,
    )


class _CanonicalDumper(yaml.SafeDumper):
    """Dumper that indents lists, writes 5.0 as 5, and never uses anchors."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature is PyYAML's
        super().increase_indent(flow, False)  # noqa: FBT003

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_float(dumper: yaml.SafeDumper, value: float) -> yaml.ScalarNode:
    if value.is_integer():
        return dumper.represent_int(int(value))
    return dumper.represent_float(value)


_CanonicalDumper.add_representer(float, _write_float)


def _compose(text: str, name: str) -> Node:
    try:
        _refuse_hostile(text, name)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark else None
        raise RuleError(_problem_of_yaml(str(error.problem)), name=name, line=line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise RuleError(problem("no_text"), name=name, line=line) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise RuleError(problem("no_yaml"), name=name) from error
    if not isinstance(node, MappingNode):
        raise RuleError(problem("no_mapping"), name=name, line=1)
    _refuse_duplicates(node, name)
    return node


def _problem_of_yaml(reason: str) -> RuleProblem:
    """Return the problem for a YAML error; from PyYAML 6.0.4 on the scanner may itself stop at a
    nesting depth.
    """
    is_deep = "nesting depth" in reason
    return problem("nested_deep") if is_deep else problem("no_yaml_because", problem=reason)


def _refuse_hostile(text: str, name: str) -> None:
    """Raise RuleError for documents that expand to gigabytes (aliases) or crash the composer (deep
    nesting).
    """
    depth = 0
    for token in yaml.scan(text, Loader=_Loader):
        line = token.start_mark.line + 1
        if isinstance(token, yaml.AliasToken | yaml.AnchorToken):
            raise RuleError(problem("has_anchors"), name=name, line=line)
        if isinstance(token, yaml.ScalarToken) and "\0" in token.value:
            raise RuleError(problem("has_null"), name=name, line=line)
        depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        if depth > MAX_DEPTH:
            raise RuleError(problem("nested_deep"), name=name, line=line)


def _refuse_duplicates(node: Node, name: str) -> None:
    if isinstance(node, SequenceNode):
        for child in node.value:
            _refuse_duplicates(child, name)
    if not isinstance(node, MappingNode):
        return
    seen = set()
    for key, value in node.value:
        if not isinstance(key, ScalarNode):
            line = key.start_mark.line + 1
            raise RuleError(problem("key_no_word"), name=name, line=line)
        if key.value in seen:
            line = key.start_mark.line + 1
            raise RuleError(problem("key_twice", key=key.value), name=name, line=line)
        seen.add(key.value)
        _refuse_duplicates(value, name)


def _plain(node: Node, name: str) -> Any:
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark else None
        told = problem("value_unread", problem=str(error.problem))
        raise RuleError(told, name=name, line=line) from error
    except (ValueError, OverflowError) as error:
        raise RuleError(problem("value_unread", problem=str(error)), name=name) from error
    except (LookupError, AttributeError, TypeError) as error:
        # PyYAML trusts an explicit tag, !!int or !!bool, and fails on a value that does not fit.
        raise RuleError(problem("value_of_other_kind"), name=name) from error


_KINDS = frozenset({"metric", "event", "skipped"})
"""Kinds of conditions, which pydantic adds to a location after the condition's index."""
_WAYS = frozenset({"number", "measured", "[key]"})
"""Ways of writing a case's measurement, which pydantic adds to a location after the metric."""


def as_written(place: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return the location of a validation error in the document, without the names that pydantic
    adds.
    """
    return tuple(
        part
        for before, part in zip((None, *place), place, strict=False)
        if not (part in _KINDS and isinstance(before, int))
        and not (part in _WAYS and "." in str(before))
    )


def line_of(text: str, place: tuple[int | str, ...]) -> int:
    """Return the line of a part of a rule's document, or of the innermost existing part."""
    return _line_of(_compose(text, ""), place)


def _line_of(node: Node, place: tuple[int | str, ...]) -> int:
    """Return the line of the innermost part of the document that a validation error names."""
    line: int = node.start_mark.line + 1
    for part in place:
        child = _child(node, part)
        if child is None:
            continue
        line, node = child
    return line


def _child(node: Node, part: int | str) -> tuple[int, Node] | None:
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        item = node.value[part]
        return item.start_mark.line + 1, item
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if key.value == part:
                return key.start_mark.line + 1, value
    return None


def _check_place(rule: Rule, file: Path, name: str) -> None:
    if not file.name.startswith(f"{rule.id}_"):
        raise RuleError(problem("name_of_file", rule=rule.id), name=name)
    if file.parent.name != rule.quality:
        raise RuleError(problem("folder_of_rule", folder=rule.quality), name=name)
