"""What holds for every template and for the stylesheet, checked without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SHEET = ROOT / "static" / "css" / "app.css"
LAYERS = {
    layer: (SHEET.parent / name).read_text(encoding="utf-8")
    for name, layer in re.findall(r'@import "([\w-]+\.css)" layer\((\w+)\);', SHEET.read_text())
}
STYLES = "".join(LAYERS.values())

# What our content security policy refuses.
INLINE = re.compile(
    r"""\sstyle\s*=|<style|\son[a-z]+\s*=\s*["']|javascript:"""
    r"""|<script(?![^>]*(?:\ssrc=|type="application/json"))""",
    re.IGNORECASE,
)
# Text (and the few words that are read as text) on the grounds that it stands on.
TEXT_PAIRS = [
    (ink, ground)
    for ink in ("ink", "ink-soft", "accent", "accent-strong", "keep", "work", "danger")
    for ground in ("paper", "surface")
] + [
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("keep", "keep-tint"),
    ("work", "work-tint"),
    ("danger", "danger-tint"),
    ("accent-strong", "accent-tint"),
    ("ink", "accent-tint"),
    ("ink", "keep-tint"),
    ("ink", "work-tint"),
    ("ink", "danger-tint"),
    ("ink-soft", "sunken"),
    ("accent", "keep-tint"),
    ("accent", "work-tint"),
]
MARK_PAIRS = [
    (mark, ground)
    for mark in ("line-strong", "accent", "keep", "work")
    for ground in ("paper", "surface")
]


def _name(path: Path) -> str:
    return path.relative_to(ROOT / "templates").as_posix()


def _tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6});", block))


def _schemes() -> dict[str, dict[str, str]]:
    layer = LAYERS["tokens"]
    light, dark = layer.split("@media screen and (prefers-color-scheme: dark)")
    return {"light": _tokens(light), "dark": {**_tokens(light), **_tokens(dark)}}


def _luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_template_compiles() -> None:
    for path in TEMPLATES:
        get_template(_name(path))


def test_no_template_holds_what_the_policy_refuses() -> None:
    assert len(TEMPLATES) > 200
    found = [(_name(path), INLINE.search(path.read_text(encoding="utf-8"))) for path in TEMPLATES]
    assert [each for each in found if each[1]] == []


def test_every_static_file_that_a_template_names_is_there() -> None:
    named = [
        (_name(path), name)
        for path in TEMPLATES
        for name in re.findall(r"{% static '([^']+)' %}", path.read_text(encoding="utf-8"))
    ]
    assert named
    assert [each for each in named if finders.find(each[1]) is None] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    tokens = _schemes()[scheme]
    weak = {
        pair: round(_contrast(tokens[pair[0]], tokens[pair[1]]), 2)
        for pair in TEXT_PAIRS
        if _contrast(tokens[pair[0]], tokens[pair[1]]) < 4.5
    }
    assert not weak


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_and_borders_of_controls_stand_out(scheme: str) -> None:
    tokens = _schemes()[scheme]
    weak = {
        pair: round(_contrast(tokens[pair[0]], tokens[pair[1]]), 2)
        for pair in MARK_PAIRS
        if _contrast(tokens[pair[0]], tokens[pair[1]]) < 3
    }
    assert not weak


def test_the_stylesheet_asks_nobody_else_for_anything() -> None:
    assert "@import" not in STYLES
    assert set(re.findall(r"url\(([^)]*)\)", STYLES)) == {'"../vendor/source-serif-4/latin.woff2"'}
