"""What is sent: texts compressed, recordings as they are, files under names that may be kept."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import override_settings
from django.urls import reverse

from coach.accounts.models import User
from coach.lib.web.http import attachment
from coach.lib.web.static_files import HashedFiles
from coach.rehearsals.models import Rehearsal
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, finish_analysis

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"
GZIP = {"Accept-Encoding": "gzip"}


def test_a_page_is_sent_compressed(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    client, url = sign_in(trainee), reverse("feedback:report", args=[take.pk])
    plain, packed = client.get(url), client.get(url, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert len(packed.content) < len(plain.content) / 2
    assert take.title in gzip.decompress(packed.content).decode()
    assert "Content-Encoding" not in plain.headers


def test_the_length_and_the_token_of_a_compressed_page_differ_each_time(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    """Who can make a page repeat a guess learns nothing from how long it is (BREACH)."""
    client, url = sign_in(trainee), reverse("feedback:report", args=[take.pk])
    pages = [client.get(url, headers=GZIP).content for _ in range(8)]
    tokens = {
        re.findall(r'csrfmiddlewaretoken" value="(\w+)"', gzip.decompress(page).decode())[0]
        for page in pages
    }
    assert len(tokens) == len(pages)
    assert len({len(page) for page in pages}) > 1


@pytest.mark.parametrize("headers", [GZIP, {**GZIP, "Range": "bytes=2-5"}])
def test_a_recording_is_never_compressed(
    headers: dict[str, str], trainee: User, sign_in: SignIn
) -> None:
    content = b"0123456789" * 100
    take = RehearsalFactory(owner=trainee, content=content)
    finish_analysis(take)
    url = reverse("rehearsals:media", args=[take.pk])
    response = sign_in(trainee).get(url, headers=headers)
    assert "Content-Encoding" not in response.headers
    body = b"".join(response)  # type: ignore[arg-type]
    assert body == (content[2:6] if "Range" in headers else content)


def test_captions_and_exports_are_texts_too(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    url = reverse("feedback:captions", args=[take.pk])
    response = sign_in(trainee).get(url, headers=GZIP)
    assert gzip.decompress(response.content).startswith(b"WEBVTT")


@pytest.fixture
def collected(tmp_path: Path) -> Path:
    """The folder of an installation whose static files were collected."""
    with override_settings(STATIC_ROOT=tmp_path):
        call_command("collectstatic", verbosity=0, interactive=False)
    return tmp_path


def test_collected_files_are_named_by_their_content_also_where_scripts_import_them(
    collected: Path,
) -> None:
    paths = json.loads((collected / "staticfiles.json").read_text())["paths"]
    player = (collected / paths["js/player.js"]).read_text()
    for name in ("clock", "moves"):
        assert f'"./{Path(paths[f"js/{name}.js"]).name}"' in player
        assert f'"./{name}.js"' not in player
    for name in ("css/app.css", "js/app.js"):
        assert (collected / f"{paths[name]}.gz").is_file()
    with override_settings(STATIC_ROOT=collected):
        assert HashedFiles().url("css/app.css").endswith(paths["css/app.css"])


def test_the_collected_sheet_holds_every_layer_and_asks_for_no_other(collected: Path) -> None:
    paths = json.loads((collected / "staticfiles.json").read_text())["paths"]
    for sheet in (collected / "css/app.css", collected / paths["css/app.css"]):
        css = sheet.read_text(encoding="utf-8")
        assert "@import" not in css
        layers = re.findall(r"^@layer (\w+) {$", css, re.MULTILINE)
        (order,) = re.findall(r"^@layer (.*);$", css, re.MULTILINE)
        assert list(dict.fromkeys(layers)) == order.split(", ")
        apart = {"app.css", "administration.css", "offline.css"}  # sheets of their own
        sheets = [path for path in (STATIC / "css").glob("*.css") if path.name not in apart]
        assert len(sheets) == len(layers)
        # The typeface is the only file that a sheet names; its name is another one there.
        apart_from_files = re.sub(r"url\([^)]*\)", "url()", css)
        sources = [re.sub(r"url\([^)]*\)", "url()", path.read_text()) for path in sheets]
        assert all(source in apart_from_files for source in sources)


def test_where_nothing_was_collected_the_sources_are_served() -> None:
    assert staticfiles_storage.url("css/app.css").endswith("/css/app.css")


def _with_what_it_includes(page: Path) -> str:
    """All text of a page; a part may include itself."""
    texts: dict[Path, str] = {}
    waiting = [page]
    while waiting:
        part = waiting.pop()
        if part not in texts:
            texts[part] = part.read_text(encoding="utf-8")
            names = re.findall(r'{% include "([^"]+)"', texts[part])
            waiting += [TEMPLATES / name for name in names]
    return "".join(texts.values())


def test_htmx_is_loaded_where_it_is_used_and_only_there() -> None:
    for page in TEMPLATES.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if '{% extends "_base.html" %}' in text:
            whole = _with_what_it_includes(page)
            uses = re.search(r"\bhx-(get|post)=", whole) is not None
            assert ('include "_htmx.html"' in text) == uses, page.name


def test_a_file_to_keep_has_its_name_whatever_letters_are_in_it() -> None:
    assert attachment("rules-3.zip") == {
        "Content-Disposition": 'attachment; filename="rules-3.zip"'
    }
    (header,) = attachment("é “to” keep.csv").values()
    assert header.startswith("attachment; filename*=utf-8''")
    assert header.isascii()
