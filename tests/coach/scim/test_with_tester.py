"""SCIM as scim2-tester understands it, against the whole site with its middleware."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import override_settings
from scim2_client.engines.wsgi import WSGISCIMClient
from scim2_tester import Status, check_server

from coach.accounts.models import Cohort, Role, User
from tests.coach.scim.provider import Provider

pytestmark = pytest.mark.django_db


@override_settings(API_PER_MINUTE=10_000)
def test_scim2_tester_finds_no_error(administrator: User) -> None:
    provider = Provider(administrator)
    # The connection of this test, which has the rows.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        client = WSGISCIMClient(
            WSGIHandler(),
            base_url="http://testserver/scim/v2",
            headers={"Authorization": f"Bearer {provider.secret}"},
        )
        results = check_server(client)
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
    wrong = [
        (each.title, each.resource_type, each.reason)
        for each in results
        if each.status not in {Status.SUCCESS, Status.SKIPPED}
    ]
    assert wrong == []
    # Searching people and groups at once is an option of the standard that we do not have.
    skipped = {each.title for each in results if each.status == Status.SKIPPED}
    assert skipped == {"search_with_attributes"}
    tried = Counter(each.title for each in results)
    assert {tried[f"object_{act}"] for act in ("creation", "replacement", "deletion")} == {2}
    # Nothing was deleted, and nobody got a role.
    assert Cohort.objects.exists()
    others = User.objects.exclude(pk=administrator.pk)
    assert {tuple(each.roles) for each in others} == {(Role.TRAINEE,)}
