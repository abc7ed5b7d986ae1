"""Export of rules as files, byte for byte as in the repository, and import as proposals."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.curation.approval_checks import error_words, in_our_words
from coach.curation.models import Proposal
from coach.curation.selectors import working_rule
from coach.curation.services import lock_rules, propose_change
from coach.lib.files.archives import PACKED_SIMPLY, UNREADABLE, open_archive, open_member
from coach.rulesets.models import RuleVersion
from coach.rulesets.services import content_digest
from feedback_rules.loader import MAX_CHARACTERS, RULES_FOLDER, rule_from_yaml
from feedback_rules.model import Rule, RuleError

MOST_FILES = 500
MOST_BYTES = 4 * 1024**2
"""The maximum size of an upload, packed and unpacked; fifty rules take 250 kB."""
_NOT_IN_SLUGS = re.compile(r"[^a-z0-9]+")
_FIXED_TIME = (2020, 1, 1, 0, 0, 0)
"""The time stamp of archived files, so that the same rules give the same bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The result of an import."""

    proposals: tuple[Proposal, ...] = ()
    same: tuple[str, ...] = ()
    """The ids of rules that are already here, word for word."""
    problems: tuple[str, ...] = ()
    """Why nothing was imported: one sentence each, with file and line."""


def file_name(version: RuleVersion) -> str:
    """Return the path of a rule's file: its path in the repository, or one from its title."""
    for known in RULES_FOLDER.rglob(f"{version.rule}_*.yml"):
        return f"{version.document['quality']}/{known.name}"
    slug = _NOT_IN_SLUGS.sub("_", version.document["title"].lower()).strip("_")[:40]
    return f"{version.document['quality']}/{version.rule}_{slug}.yml"


def archive(versions: Iterable[RuleVersion]) -> bytes:
    """Return a ZIP archive with one file per rule."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for version in sorted(versions, key=lambda each: each.rule):
            info = zipfile.ZipInfo(file_name(version), _FIXED_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            files.writestr(info, version.text)
    return packed.getvalue()


def import_rules(*, name: str, content: bytes, curator: User) -> Imported:
    """Propose all rules of a file or ZIP archive, or none if any is invalid."""
    try:
        texts = _texts(name, content)
        rules = [rule_from_yaml(text, name=file) for file, text in texts]
        _check_once(rules, [file for file, _text in texts])
    except RuleError as error:
        return Imported(problems=(error_words(error),))
    return _taken(rules, name=name, curator=curator)


def _check_once(rules: list[Rule], files: list[str]) -> None:
    """Check that each rule is in one file only. Raises RuleError."""
    found: dict[str, str] = {}
    for rule, file in zip(rules, files, strict=True):
        if rule.id in found:
            places = {"rule": rule.id, "other": found[rule.id]}
            raise RuleError(
                in_our_words(_("%(rule)s is already in %(other)s.") % places), name=file
            )
        found[rule.id] = file


@transaction.atomic
def _taken(rules: list[Rule], *, name: str, curator: User) -> Imported:
    # The newest versions stay the newest until all rules are stored.
    lock_rules()
    proposals, same = [], []
    for rule in rules:
        working = working_rule(rule.id)
        newest = working.newest if working else None
        if newest is not None and newest.digest == content_digest(rule):
            same.append(rule.id)
            continue
        proposals.append(
            propose_change(
                rule=rule,
                base=newest,
                author=curator,
                why=_("Imported from %(name)s.") % {"name": name},
                origin=RuleVersion.Origin.IMPORT,
            )
        )
    return Imported(proposals=tuple(proposals), same=tuple(same))


def _texts(name: str, content: bytes) -> list[tuple[str, str]]:
    """Return the names and texts of an upload's documents. Raises RuleError."""
    if len(content) > MOST_BYTES:
        most = {"most": MOST_BYTES // 1024**2}
        message = _("This file is larger than %(most)s MB, far more than a rule library needs.")
        raise RuleError(in_our_words(message % most), name=name)
    if not (zipfile.is_zipfile(io.BytesIO(content)) or name.lower().endswith(".zip")):
        return [(name, _text(content, name))]
    try:
        with open_archive(content) as files:
            return _unpacked(files, name)
    except UNREADABLE as error:
        raise RuleError(in_our_words(_("This archive cannot be opened.")), name=name) from error


def _unpacked(files: zipfile.ZipFile, name: str) -> list[tuple[str, str]]:
    """Return the rule files of an archive, reading at most a rule's maximum length each."""
    wanted = [info for info in files.infolist() if _is_rule_file(info.filename)]
    if not wanted:
        raise RuleError(in_our_words(_("There are no rules (*.yml) in this archive.")), name=name)
    if len(wanted) > MOST_FILES:
        message = _("There are more than %(most)s files in this archive.")
        raise RuleError(in_our_words(message % {"most": MOST_FILES}), name=name)
    if any(info.compress_type not in PACKED_SIMPLY for info in wanted):
        message = _(
            "This archive uses an unusual compression method. Create it again as a standard zip."
        )
        raise RuleError(in_our_words(message), name=name)
    found, total = [], 0
    for info in wanted:
        with open_member(files, info.filename) as file:
            content = file.read(4 * MAX_CHARACTERS + 1)
        total += len(content)
        if total > MOST_BYTES:
            most = {"most": MOST_BYTES // 1024**2}
            message = _("This archive unpacks to more than %(most)s MB, far more than rules need.")
            raise RuleError(in_our_words(message % most), name=name)
        found.append((info.filename, _text(content, info.filename)))
    return found


def _is_rule_file(name: str) -> bool:
    """Return whether a file is a rule; macOS adds others, such as `__MACOSX/rules/._FIL001.yml`."""
    return name.endswith((".yml", ".yaml")) and not PurePosixPath(name).name.startswith(".")


def _text(content: bytes, name: str) -> str:
    """Return the decoded text. Raises RuleError with the first line that is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = _("The text from here on is not UTF-8. Save the file as UTF-8 in your editor.")
        raise RuleError(in_our_words(message), name=name, line=line) from error
