"""What others wrote and pages use: the very file that package.json pins, with its licence."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VENDORED = {"tus-js-client/tus.min.js": "tus-js-client/dist/tus.min.js"}
FONT = "static/vendor/source-serif-4"
PUBLISHED_FONT = "node_modules/@fontsource-variable/source-serif-4"


def test_every_vendored_file_stands_in_this_list_beside_its_licence() -> None:
    folder = ROOT / "static" / "vendor"
    scripts = {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")}
    assert scripts == set(VENDORED)
    for name in scripts:
        assert "Permission is hereby granted" in (folder / name).with_name("LICENSE").read_text()


@pytest.mark.parametrize(("ours", "theirs"), VENDORED.items())
def test_it_is_what_its_authors_published(ours: str, theirs: str) -> None:
    published = ROOT / "node_modules" / theirs
    assert published.is_file(), "run `make test`, which fetches it"
    code, _mark, _map = published.read_text().partition("\n//# sourceMappingURL=")
    assert (ROOT / "static" / "vendor" / ours).read_text().rstrip("\n") == code


def test_the_typeface_is_what_its_authors_published_with_its_open_licence() -> None:
    file = "files/source-serif-4-latin-wght-normal.woff2"
    published = ROOT / PUBLISHED_FONT / file
    assert published.is_file(), "run `make test`, which fetches it"
    assert (ROOT / FONT / "latin.woff2").read_bytes() == published.read_bytes()
    assert "SIL Open Font License" in (ROOT / FONT / "LICENSE").read_text()
