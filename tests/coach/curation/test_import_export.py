"""Rules as files: byte for byte out, safely in."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.import_export import MOST_BYTES, import_rules
from coach.curation.models import Proposal
from coach.rulesets.models import RuleSetRelease, RuleVersion
from feedback_rules.loader import RULES_FOLDER
from tests.coach.conftest import SignIn
from tests.feedback_rules.reports import shipped

pytestmark = [pytest.mark.usefixtures("release"), pytest.mark.slow]

FILE = next(RULES_FOLDER.rglob("FIL001_*.yml"))


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def changed_file() -> bytes:
    text = FILE.read_text(encoding="utf-8")
    return text.replace("title: Filled pauses clear of five a minute", "title: Changed").encode()


def test_everything_exported_is_byte_for_byte_the_files(
    release: RuleSetRelease, curator: User, sign_in: SignIn
) -> None:
    url = reverse("curation:export_release", args=[release.number])
    content = sign_in(curator).get(url).content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        exported = {name: archive.read(name) for name in archive.namelist()}
    files = {
        path.relative_to(RULES_FOLDER).as_posix(): path.read_bytes()
        for path in RULES_FOLDER.rglob("*.yml")
    }
    assert exported == files
    assert sign_in(curator).get(url).content == content


def test_an_archive_of_which_only_the_beginning_arrived_is_not_called_a_text(curator: User) -> None:
    content = zipped({"FIL001_x.yml": changed_file()})[:-80]
    [problem] = import_rules(name="Rules.ZIP", content=content, curator=curator).problems
    assert "This archive cannot be opened." in str(problem)
    assert "UTF-8" not in str(problem)


@pytest.mark.parametrize("at", [0, 60, 200, -40, -10, -6])
def test_an_archive_that_was_damaged_on_the_way_is_refused(at: int, curator: User) -> None:
    content = bytearray(zipped({"FIL001_x.yml": changed_file()}))
    content[at : at + 3 or None] = b"\xff\xff\xff"[: len(content[at : at + 3 or None])]
    assert import_rules(name="a.zip", content=bytes(content), curator=curator).problems
    assert not Proposal.objects.exists()


def test_what_a_mac_adds_to_an_archive_is_no_rule(curator: User) -> None:
    packed = zipped({"a/one.yml": changed_file(), "__MACOSX/a/._one.yml": b"\x00\x05\x16\x07\xff"})
    imported = import_rules(name="a.zip", content=packed, curator=curator)
    assert (len(imported.proposals), imported.problems) == (1, ())


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_that_may_ask_for_gigabytes_to_open_is_not_opened(
    method: int, curator: User
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("FIL001_x.yml", changed_file())
    imported = import_rules(name="a.zip", content=packed.getvalue(), curator=curator)
    assert "uses an unusual compression method" in imported.problems[0]


def test_one_rule_is_its_file(curator: User, sign_in: SignIn) -> None:
    response = sign_in(curator).get(
        reverse("curation:export_rule", args=["FIL001", shipped("FIL001")])
    )
    assert response.content == FILE.read_bytes()
    assert FILE.name in response.headers["Content-Disposition"]


def test_what_is_here_already_changes_nothing(
    release: RuleSetRelease, curator: User, sign_in: SignIn
) -> None:
    url = reverse("curation:export_release", args=[release.number])
    content = sign_in(curator).get(url).content
    imported = import_rules(name="rules.zip", content=content, curator=curator)
    assert len(imported.same) == len(release.documents)
    assert not Proposal.objects.exists()


def test_what_differs_becomes_a_proposal_with_the_next_number(curator: User) -> None:
    imported = import_rules(name="mine.yml", content=changed_file(), curator=curator)
    (proposal,) = imported.proposals
    assert (proposal.rule, proposal.version.number) == ("FIL001", shipped("FIL001") + 1)
    assert proposal.version.origin == RuleVersion.Origin.IMPORT
    assert "mine.yml" in proposal.version.why
    assert not RuleSetRelease.objects.exclude(number=1).exists()


def test_a_mistake_is_named_with_file_and_line_and_nothing_is_taken(curator: User) -> None:
    broken = FILE.read_bytes().replace(b"grade: A", b"grade: Z")
    content = zipped({"a/good.yml": changed_file(), "b/broken.yml": broken})
    imported = import_rules(name="rules.zip", content=content, curator=curator)
    assert imported.problems[0].startswith("b/broken.yml:10: grade")
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a: &x [1]\nb: *x\n", "anchors"),
        (b"!!python/object/apply:os.system [ls]", "mapping"),
        (b"id: !!python/name:os.system\n", "cannot be read"),
        (b"x: " + b"[" * 40_000, "nested"),
        (b"x" * 200_000, "far longer"),
        (b"\xff\xfe\x00", "^upload:1: .*UTF-8"),
        (b"id: FIL001\ntitle: \xe9t\xe9\n", "^upload:2: .*UTF-8"),
        (zipped({"a/one.yml": b"id: X\n\n\xff"}), "^a/one.yml:3: .*UTF-8"),
        (b"PK\x03\x04 not a zip", "UTF-8|YAML|mapping"),
        (zipped({"readme.txt": b"hello"}), "no rules"),
        (zipped({"big.yml": b" " * (MOST_BYTES + 1)}), "far longer|unpacks"),
        (zipped({f"{n}.yml": b" " * 400_000 for n in range(20)}), "unpacks"),
        (zipped({f"{n}.yml": b"" for n in range(501)}), "more than 500"),
        (b"0" * (MOST_BYTES + 1), "^upload: .*larger than 4 MB"),
    ],
)
def test_hostile_files_are_refused_in_words(content: bytes, says: str, curator: User) -> None:
    imported = import_rules(name="upload", content=content, curator=curator)
    assert re.search(says, imported.problems[0])
    assert not Proposal.objects.exists()


def test_the_same_rule_twice_is_refused(curator: User) -> None:
    content = zipped({"a.yml": changed_file(), "b.yml": FILE.read_bytes()})
    imported = import_rules(name="rules.zip", content=content, curator=curator)
    assert imported.problems == ("b.yml: FIL001 is already in a.yml.",)


def test_the_page_shows_what_became_of_a_file(curator: User, sign_in: SignIn) -> None:
    client, url = sign_in(curator), reverse("curation:import")
    page = client.post(url, {"file": SimpleUploadedFile("mine.yml", changed_file())})
    assert "These are now proposals" in page.content.decode()
    assert "Choose a file first" in client.post(url).content.decode()


def test_a_refusal_says_what_is_kept_and_what_to_do(curator: User, sign_in: SignIn) -> None:
    broken = SimpleUploadedFile("mine.yml", b"id: FIL001\ntitle: \xe9t\xe9\n")
    page = sign_in(curator).post(reverse("curation:import"), {"file": broken}).content.decode()
    assert "mine.yml:2: The text from here on is not UTF-8." in page
    assert "no rule was changed. Fix the problems below, then choose the file again." in page
