"""What curators do, for tests that need it done."""

from __future__ import annotations

import re
from html import unescape

from django.test import Client

from coach.accounts.models import User
from coach.curation.dry_runs.execution import execute_batch
from coach.curation.dry_runs.services import start_dry_run
from coach.curation.models import Proposal
from coach.curation.selectors import next_rule_set, working_rule
from coach.curation.services import (
    approve_proposal,
    propose_change,
)
from coach.rulesets.models import RuleVersion
from coach.rulesets.selectors import rule_of
from tests.coach.curation.forms import Sent, form_on


def newest(rule: str) -> RuleVersion:
    working = working_rule(rule)
    assert working is not None
    return working.newest


def proposed(
    author: User | None, *, rule: str = "FIL001", title: str = "Another title"
) -> Proposal:
    base = newest(rule)
    changed = rule_of(base).model_copy(update={"title": title})
    return propose_change(rule=changed, base=base, author=author, why="Clearer.")


def approved(curator: User, second: User, *, title: str = "Another title") -> Proposal:
    return approve_proposal(proposal=proposed(curator, title=title), curator=second)


def tried(curator: User) -> None:
    """A dry run of what would be published now."""
    dry_run = start_dry_run(curator=curator, rule_set=next_rule_set(), title="All")
    while execute_batch(dry_run.pk):
        pass


def leaving_figures(page: str) -> Sent:
    """What is sent where a curator says of each old number that it is a study's."""
    found = re.findall(r'name="kept_figure" value="([^"]*)"', page)
    return {"kept_figure": [unescape(text) for text in found]}


EDIT = "/rules/FIL001/edit/"


def opened(client: Client, url: str = EDIT) -> Sent:
    return form_on(client.get(url).content.decode())


def pressed(client: Client, form: Sent, do: str, url: str = EDIT) -> str:
    response = client.post(url, {**form, "do": [do]}, follow=True)
    return response.content.decode()
