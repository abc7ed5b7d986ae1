"""Command line: run, lint, schema, gallery, backtest. Exit codes: 0, 1 (content), 2 (arguments)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from gettext import gettext as _
from gettext import ngettext
from itertools import zip_longest
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from analysis.errors import ReportUnreadable
from analysis.metrics import complete
from analysis.results import Note, Report, load_report
from analysis.sentences import Reader
from analysis.terminal import discard_output, set_terminal_language
from feedback_rules.explain import (
    as_markdown,
    gallery_entries,
    problems_of,
    with_clean_spaces,
)
from feedback_rules.loader import (
    BUILTIN_NUMBER,
    RULES_FOLDER,
    builtin_rule_set,
    line_of,
    load_rules,
    read_text,
    rule_from_yaml,
    rule_to_yaml,
)
from feedback_rules.model import Context, Outcome, Rule, RuleError, RuleSet, problem
from feedback_rules.select import compare, draft

COMMANDS = ("run", "lint", "schema", "gallery", "backtest")


class ContentError(Exception):
    """Problem with a given file; `code` never changes its meaning."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(f"{code} {sentence}")


class _RulesParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        sentence = message[:1].upper() + message[1:].rstrip(".")
        print(f"E300 {sentence}.", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code; `REPORT` alone is an alias of `run REPORT`."""
    reader = set_terminal_language()
    given = list(arguments)
    if given and given[0] not in {*COMMANDS, "-h", "--help"}:
        given.insert(0, "run")
    options = _parser().parse_args(given)
    try:
        code: int = options.command(options, reader)
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
        return 0
    except RuleError as error:
        print(f"{error.code} {error.said_to(reader)}", file=sys.stderr)
        return 1
    except ContentError as error:
        print(error, file=sys.stderr)
        return 1
    return code


def _parser() -> _RulesParser:
    parser = _RulesParser(
        prog="python -m feedback_rules",
        description=_(
            "Draft feedback for reports, and check rules. Exits: 0, 1 (content), 2 (arguments)."
        ),
    )
    commands = parser.add_subparsers(required=True, metavar=f"{{{','.join(COMMANDS)}}}")
    of_rules = _("a folder of rules (default: the built-in ones)")

    run = commands.add_parser("run", help=_("draft feedback for one report"))
    run.add_argument("report", help=_("a stored report; - reads standard input"))
    run.add_argument("--context", type=Path, help=_("a JSON file with the context of the talk"))
    run.add_argument("--rules", type=Path, help=of_rules)
    run.add_argument("--words", choices=("en", "fr"), help=_("the language of the cards"))
    run.set_defaults(command=_run)

    lint = commands.add_parser("lint", help=_("check rules, their words and their cases"))
    lint.add_argument(
        "rules",
        nargs="?",
        type=Path,
        default=RULES_FOLDER,
        help=_("a folder of rules, or one file"),
    )
    lint.add_argument(
        "--fix", action="store_true", help=_("rewrite every file in its canonical form")
    )
    lint.set_defaults(command=_lint)

    schema = commands.add_parser("schema", help=_("print the JSON Schema of a rule"))
    schema.set_defaults(command=_schema)

    gallery = commands.add_parser(
        "gallery", help=_("print for every rule a talk with a card and one without")
    )
    gallery.add_argument("--rules", type=Path, help=of_rules)
    gallery.set_defaults(command=_gallery)

    backtest = commands.add_parser(
        "backtest", help=_("count the cards that rules give for stored reports")
    )
    backtest.add_argument("reports", nargs="+", type=Path, help=_("folders or files of reports"))
    backtest.add_argument("--context", type=Path, help=_("one context for all reports"))
    backtest.add_argument("--rules", type=Path, help=_("another folder of rules to compare with"))
    backtest.set_defaults(command=_backtest)
    return parser


def _run(options: argparse.Namespace, reader: Reader) -> int:
    rule_set = _rule_set(options.rules)
    report = _report(options.report, reader)
    context = _context(options.context)
    if context is None:
        no_context = _("No context was given: rules that depend on it are off (missing_context).")
        print(no_context, file=sys.stderr)
    print(draft(report, rule_set, context, language=options.words).as_json())
    return 0


def _rule_set(folder: Path | None) -> RuleSet:
    if folder is None:
        return builtin_rule_set()
    return RuleSet(number=BUILTIN_NUMBER, rules=load_rules(folder))


def _report(name: str, reader: Reader) -> Report:
    if name == "-":
        return _read_report(sys.stdin.buffer.read(), _("standard input"), reader)
    return _read_report(_bytes(Path(name)), Path(name).name, reader)


def _read_report(document: bytes, name: str, reader: Reader) -> Report:
    try:
        return complete(load_report(document))
    except ReportUnreadable as error:
        said = Note.of(error.says, **error.values).said_to(reader)
        raise ContentError("E310", f"{name}: {said}") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        unread = _("{file} cannot be read: {problem}.")
        sentence = unread.format(file=path.name, problem=error.strerror)
        raise ContentError("E311", sentence) from error


def _context(path: Path | None) -> Context | None:
    if path is None:
        return None
    try:
        return Context.model_validate_json(_bytes(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "document"
        message = first["msg"].rstrip(".")
        raise ContentError("E312", f"{path.name}: {place}: {message}.") from error


def _lint(options: argparse.Namespace, reader: Reader) -> int:
    given: Path = options.rules
    root = given if given.is_dir() else given.parent
    problems, rules = 0, []
    for file in _rule_files(given):
        name = file.relative_to(root).as_posix()
        try:
            rule, found = _lint_file(file, name, reader, fix=options.fix)
            rules.append(rule)
            problems += found
        except RuleError as error:
            problems += 1
            print(f"{error.code} {error.said_to(reader)}")
    if problems:
        print("E302 " + _("Problems found: {n}.").format(n=problems), file=sys.stderr)
        return 1
    if given.is_dir():
        load_rules(given)
    strengths = sum(rule.tone == "strength" for rule in rules)
    counted = _("{rules} rules: {improvements} improvements, {strengths} strengths.")
    print(
        counted.format(rules=len(rules), improvements=len(rules) - strengths, strengths=strengths)
    )
    return 0


def _rule_files(given: Path) -> list[Path]:
    if given.is_file():
        return [given]
    if not given.is_dir():
        raise RuleError(problem("folder_or_file_missing", name=given.name))
    files = sorted(given.rglob("*.yml"))
    if not files:
        raise RuleError(problem("folder_empty", name=given.name))
    return files


def _lint_file(file: Path, name: str, reader: Reader, *, fix: bool) -> tuple[Rule, int]:
    """Return the rule and its number of problems; each is printed with its line."""
    text = read_text(file)
    rule = rule_from_yaml(text, name=name)
    if fix:
        rule = with_clean_spaces(rule)
    canonical = rule_to_yaml(rule)
    if fix and canonical != text:
        file.write_text(canonical, encoding="utf-8", newline="\n")
        text = canonical
    problems = [(line_of(text, each.place), each) for each in problems_of(rule)]
    if canonical != text:
        line = _first_difference(text, canonical)
        problems.append((line, problem("not_canonical")))
    for line, found in problems:
        print(f"E301 {name}:{line}: {found.said_to(reader)}")
    return rule, len(problems)


def _first_difference(text: str, canonical: str) -> int:
    pairs = zip_longest(text.splitlines(keepends=True), canonical.splitlines(keepends=True))
    return next(number for number, (one, other) in enumerate(pairs, 1) if one != other)


def _gallery(options: argparse.Namespace, _reader: Reader) -> int:
    print(as_markdown(gallery_entries(_rule_set(options.rules).rules)), end="")
    return 0


def _schema(_options: argparse.Namespace, _reader: Reader) -> int:
    print(json.dumps(Rule.model_json_schema(), sort_keys=True, ensure_ascii=False, indent=2))
    return 0


def _backtest(options: argparse.Namespace, reader: Reader) -> int:
    rule_set = builtin_rule_set()
    other = _rule_set(options.rules) if options.rules else None
    context = _context(options.context)
    tally = _BacktestCounts(rule_set, other)
    started, worked = time.perf_counter(), time.process_time()
    for report in _reports(options.reports, reader):
        tally.add(report, context)
    seconds, core = time.perf_counter() - started, time.process_time() - worked
    print(json.dumps(tally.as_document(), sort_keys=True, ensure_ascii=False, indent=2))
    took = ngettext(
        "{n} report in {seconds} s, {core} s of them on one core.",
        "{n} reports in {seconds} s, {core} s of them on one core.",
        tally.reports,
    )
    written = {"seconds": reader.write(seconds, ".1f"), "core": reader.write(core, ".1f")}
    print(took.format(n=tally.reports, **written), file=sys.stderr)
    return 0


def _reports(paths: Sequence[Path], reader: Reader) -> Iterator[Report]:
    for path in paths:
        files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        if not files:
            nothing = _("There are no reports (*.json) in {folder}.")
            raise ContentError("E313", nothing.format(folder=path.name))
        for file in files:
            yield _read_report(_bytes(file), file.name, reader)


class _BacktestCounts:
    """Counts of the results of one rule set, or two, over reports."""

    def __init__(self, rule_set: RuleSet, other: RuleSet | None) -> None:
        self.reports = 0
        self._rule_set = rule_set
        self._other = other
        self._fired: Counter[str] = Counter()
        self._shown: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._silent: dict[str, Counter[Outcome]] = {}
        self._gained: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._changed = 0

    def add(self, report: Report, context: Context | None) -> None:
        """Count one report."""
        self.reports += 1
        made = draft(report, self._rule_set, context)
        self._shown.update(item.rule for item in made.items)
        self._waiting.update(held.rule for held in made.held_back if held.needs_coach)
        for finding in made.findings:
            if finding.fired:
                self._fired[finding.rule] += 1
            else:
                self._silent.setdefault(finding.rule, Counter())[finding.outcome] += 1
        if self._other is not None:
            change = compare(made, draft(report, self._other, context))
            self._changed += not change.is_none
            self._gained.update(change.gained)
            self._lost.update(change.lost)

    def as_document(self) -> dict[str, object]:
        """Return the counts as plain JSON values."""
        rules = {
            rule.id: {
                "fired": self._fired[rule.id],
                "shown": self._shown[rule.id],
                "waits_for_coach": self._waiting[rule.id],
                "silent": {k.value: n for k, n in self._silent.get(rule.id, Counter()).items()},
            }
            for rule in self._rule_set.rules
        }
        document: dict[str, object] = {"reports": self.reports, "rules": rules}
        if self._other is not None:
            document["compared"] = {
                "changed": self._changed,
                "gained": dict(self._gained),
                "lost": dict(self._lost),
            }
        return document
