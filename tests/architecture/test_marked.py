"""Nothing that people read stands in code or templates without being marked for translation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.unmarked import in_code, in_template

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = [path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"}]
CODE = [
    *(path for path in (ROOT / "coach").rglob("*.py") if "migrations" not in path.parts),
    *(ROOT / "demo").glob("*.py"),
    *(ROOT / package / "cli.py" for package in ("analysis", "feedback_rules")),
    ROOT / "analysis/backends/capture_check.py",
]

# Names that are the same in every language, a key, a time.
SAME_EVERYWHERE = {
    "Rostrum",
    "· Rostrum",
    "Rostrum · Rostrum",
    "Ctrl",
    "0:00",
    "SHA-256",
    "SHA-256:",
}
# Codes of languages, and the type of a button.
CODES = {"en", "submit"}
# What never reaches a page: invented people and talks of the demonstration (each in the language
# of its talk), commands of those who run the site, what the catalogues say of themselves, and the
# files of a study's bundle, which are in English wherever they are read; patterns of what names
# somebody; names of columns in lists of people, in both languages; what a monitor reads.
FOR_OTHERS = (
    "coach/research/demonstration/",
    "coach/research/exports/bundle/",
    "coach/research/exports/formats/",
    "coach/research/exports/importing/",
    "coach/lib/catalogues/",
    "coach/lib/checks.py",
    "coach/research/coding/interviews/redaction/patterns.py",
    "coach/portal/demonstration/",
    "coach/portal/metrics/collector.py",
    "coach/portal/people/lists.py",
    "coach/questions/talk_questions.py",
    "coach/lib/embedded/",
    "coach/accounts/oidc/provider.py",  # reasons for the log
    "coach/lti/messages.py",  # the same
    "coach/lti/handshake.py",
    "coach/api/v1/",  # the OpenAPI document, in English; sentences of errors are marked
    "coach/scim/v2/resources.py",  # descriptions for programs, in English
    "coach/webhooks/sending.py",  # headers of a message
    "coach/environment.py",
    "coach/settings.py",
    "coach/queue_settings.py",
    "coach/sign_in_settings.py",
)
# Headers, file names, markers inside the program, answers to a monitor, refusals that a page of
# ours cannot cause.
NOT_FOR_PEOPLE = {
    *("private, no-store", "noindex, nofollow", "sandbox; default-src 'none'", "bytes {}-{}/{}"),
    "sandbox allow-same-origin; default-src 'none'; media-src 'self'",
    *("Rule of thumb", "Règle empirique", '<option value="{}"{}>{}</option>'),
    *("text/vtt; charset=utf-8", "text/csv; charset=utf-8", "text/plain; charset=utf-8"),
    *('attachment; filename="{}"', 'attachment; filename="rules-{}.zip"'),
    *('attachment; filename="my-rostrum-data.{}"', "@layer {} {\n{}}", "{}-help {}"),
    (
        "(SELECT LEAST(used, 1) * %(most)s + CASE WHEN used > 1 AND is_promised THEN %(late)s "
        "ELSE 0 END FROM (SELECT %(expressions)s OFFSET 0) AS clock (used, is_promised))"
    ),
    *(
        "\\1(left out)",
        "?(left out)",
        "\\1\\2: (left out)",
        "(address left out)",
        "signed out",
        "no case shows the card",
    ),
    *(
        "does not answer",
        "is nearly full",
        "cannot be written to",
        "the broker is away: %s",
        "is not known",
        "has not been looked at yet",
        "{} notices wait for a relay",
        "{} belong to nothing in the database",
        "{} are missing",
        "nothing of {} could be kept",
    ),
    *("Bearer {}", "public, max-age=3600", "Rostrum LTI"),
    *("private, max-age=3600", "text/calendar; charset=utf-8"),
    "PRODID:-//Rostrum//Practice reminder//EN",
    *("per minute", "words per minute", "syllables per second", "{} dB"),
    *("a form without its document", "there is no such button", "there is no such row"),
    *("kind of event", "title of a rule", "why a rule is believed", "where a rule errs"),
    "case of a rule",
    "<span data-lost>{}</span>",
    "registered already: {}",
    "reference of a rule",
    "unit, of less than two",
    *("python -m analysis frame", "python -m analysis check", "python -m analysis models"),
    "python -m analysis live",
    *("Samsung Internet", "Mac OS X"),
    *("Debian, Ubuntu: apt-get install -y {}", "share of height"),
    "What the demonstration is made from",  # the name of a set of files
    "ALTER ROLE CURRENT_USER PASSWORD {}",
    "%(function)s(%(share)s) WITHIN GROUP (ORDER BY %(expressions)s)",
}


def test_every_text_of_a_template_is_marked() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), each)
        for path in TEMPLATES
        for each in in_template(path.read_text(encoding="utf-8"))
    ]
    assert [each for each in found if each[1].text not in SAME_EVERYWHERE | CODES] == []


def _is_for_others(path: str) -> bool:
    """Also the register of how long each kind of row is kept: it stands on no page."""
    return path.startswith(FOR_OTHERS) or path.endswith("/personal_data.py")


def test_every_sentence_in_the_code_is_marked() -> None:
    found = [
        (path.relative_to(ROOT).as_posix(), each)
        for path in CODE
        if not _is_for_others(path.relative_to(ROOT).as_posix())
        for each in in_code(path.read_text(encoding="utf-8"))
    ]
    assert [each for each in found if each[1].text not in NOT_FOR_PEOPLE] == []


@pytest.mark.parametrize(
    "template",
    [
        "<p>Hello there</p>",
        "<p>{{ name }}, hello</p>",
        "<p>{{ one }}: {{ two }}</p>",
        "<p>“{{ title }}”</p>",
        '<img alt="A talk">',
        '<nav aria-label="Main">',
        '<input placeholder="Your name">',
        '{{ name|default:"Somebody" }}',
        "{% if yes %}Really{% endif %}",
        "{% block title %}Sign in{% endblock %}",
    ],
)
def test_text_that_is_not_marked_is_found_in_a_template(template: str) -> None:
    assert list(in_template(template))


@pytest.mark.parametrize(
    "template",
    [
        '<p>{% translate "Hello there" %}</p>',
        "<p>{% blocktranslate with x=y %}Hello {{ x }}{% endblocktranslate %}</p>",
        "{% comment %}Said to whoever edits this.{% endcomment %}",
        '<script type="application/json" id="x">{"a": "b"}</script>',
        '<a class="button primary" href="{% url \'home\' %}">{{ label }}</a> · 3',
        "{% block wide %}middle{% endblock %}",
        "&nbsp;&middot;",
    ],
)
def test_what_is_marked_or_says_nothing_is_left_alone(template: str) -> None:
    assert list(in_template(template)) == []


@pytest.mark.parametrize(
    "code",
    [
        'message = "Your recording is kept."',
        'message = f"{name} has arrived"',
        'raise ValidationError("This is not here.")',
        'messages.success(request, "Saved now")',
        'WORDS = {"a": "not yet begun"}',
    ],
)
def test_text_that_is_not_marked_is_found_in_code(code: str) -> None:
    assert list(in_code(code))


@pytest.mark.parametrize(
    "code",
    [
        'message = _("Your recording is kept.")',
        'message = ngettext("one take", "many takes", n) % {"n": n}',
        'log.error("the disk is full")',
        'def f():\n    """Says what it does."""',
        'name = "accounts.signed_in"',
        'raise ValueError("no such thing")',
    ],
)
def test_what_is_translated_or_meant_for_nobody_is_left_alone(code: str) -> None:
    assert list(in_code(code)) == []
