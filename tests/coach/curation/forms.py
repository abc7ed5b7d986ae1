"""What a browser would send of the editor's page, unchanged."""

from __future__ import annotations

from html.parser import HTMLParser

from coach.curation.editor.fields import shown
from coach.curation.editor.sections import fields_of
from feedback_rules.model import Rule

Sent = dict[str, list[str]]


def as_sent(document: dict[str, object], model: type[Rule] = Rule) -> Sent:
    """The fields of a document as a browser sends them, with its line breaks."""
    sent: Sent = {}
    for field in fields_of(document, model):
        value = shown(field, document)
        if field.kind == "many":
            chosen = [code for code, _words in field.choices if code in value]
            sent.update({field.name: chosen} if chosen else {})
        elif field.kind == "tick":
            sent.update({field.name: ["on"]} if value else {})
        else:
            sent[field.name] = [str(value).replace("\n", "\r\n")]
    return sent


class FormReader(HTMLParser):
    """Collects the fields of the form with a given id from a page."""

    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.sent: Sent = {}
        self._form_id = form_id
        self._inside = False
        self._area: str | None = None
        self._select: str | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag would send."""
        given = dict(attrs)
        if tag == "form":
            self._inside = given.get("id") == self._form_id
        if not self._inside:
            return
        name = given.get("name") or ""
        if tag == "input":
            self._read_input(name, given)
        elif tag == "textarea":
            self._area, self._text = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in given or self._is_first()):
            self.sent[self._select] = [given.get("value") or ""]

    def _is_first(self) -> bool:
        return self._select not in self.sent

    def _read_input(self, name: str, given: dict[str, str | None]) -> None:
        if given.get("type") == "checkbox" and "checked" not in given:
            return
        self.sent.setdefault(name, []).append(given.get("value") or "")

    def handle_data(self, data: str) -> None:
        """The words in a text area."""
        if self._area is not None:
            self._text += data

    def handle_endtag(self, tag: str) -> None:
        """The end of a text area, a list or the form."""
        if tag == "textarea" and self._area is not None:
            self.sent[self._area] = [self._text.removeprefix("\n").replace("\n", "\r\n")]
            self._area = None
        elif tag == "select":
            self._select = None
        elif tag == "form":
            self._inside = False


def form_on(page: str, form_id: str = "rule-form") -> Sent:
    """What pressing a button of that form would send, without the button."""
    reader = FormReader(form_id)
    reader.feed(page)
    return reader.sent
