"""The compose files for several machines name services, settings and files that exist."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from tests.parts import ROOT

OURS = {"web", "migrate", "rules", "media", "speech", "vision", "long", "default", "mail"}
OURS |= {"beat", "backup"}


class Merging(yaml.SafeLoader):
    """Reads the tags by which Docker compose replaces a value: `!override` and `!reset`."""


def _value(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    raise AssertionError(node)


Merging.add_constructor("!override", _value)
Merging.add_constructor("!reset", lambda loader, node: _value(loader, node) and None)


def compose_file(name: str) -> dict[str, Any]:
    found: dict[str, Any] = Merging((ROOT / name).read_text()).get_single_data()
    return found


def services_in(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = compose_file(name)["services"]
    return found


SPECIFICATION = Draft202012Validator(
    json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
)


BASE = services_in("docker-compose.yml")
DATA = services_in("deploy/data.yml")
REMOTE = services_in("deploy/remote.yml")


@pytest.mark.parametrize("name", ["docker-compose.yml", "deploy/data.yml", "deploy/remote.yml"])
def test_it_follows_the_compose_specification(name: str) -> None:
    document = compose_file(name)
    assert [error.json_path for error in SPECIFICATION.iter_errors(document)] == []
    document["services"]["postgres"] = {"mem_limits": "1g"}
    assert [error.json_path for error in SPECIFICATION.iter_errors(document)] == [
        "$.services.postgres"
    ]


def test_each_service_of_the_site_runs_on_one_kind_of_machine() -> None:
    assert set(REMOTE) == OURS
    assert set(DATA) | set(REMOTE) | {"proxy"} == set(BASE)


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_remote_service_waits_for_nothing_that_runs_elsewhere(name: str) -> None:
    service = REMOTE[name]
    assert set(service["depends_on"] or {}) <= {"migrate"}
    assert "inside" not in service["networks"]
    assert ("outside" in service["networks"]) == ("outside" in BASE[name]["networks"])
    assert {"DATABASE_URL", "CELERY_BROKER_URL", "AWS_CA_BUNDLE"} == set(service["environment"])


@pytest.mark.parametrize("name", sorted(DATA))
def test_a_server_with_data_listens_at_the_private_address_only(name: str) -> None:
    assert [port.split("}:")[0][:26] for port in DATA[name]["ports"]] == [
        "${ROSTRUM_PRIVATE_ADDRESS:"
    ]


def test_the_database_keeps_the_settings_of_one_machine_and_refuses_plain_connections() -> None:
    given = DATA["postgres"]["command"]
    assert set(BASE["postgres"]["command"]) <= set(given)
    assert "ssl=on" in given
    rules = (ROOT / "deploy/pg_hba.conf").read_text()
    assert re.findall(r"^host\w*", rules, re.MULTILINE) == ["hostssl"]


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("openssl"), reason="needs openssl, and root for chown"
)
def test_the_certificates_are_for_their_name_and_stay_when_made_again(tmp_path: Path) -> None:
    script = ["sh", str(ROOT / "deploy/certificates.sh"), "data.rostrum.example"]
    said = [
        subprocess.run(script, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        for _time in range(2)
    ]
    assert said[0].splitlines()[-1] == said[1].splitlines()[-1], "the password stays"
    made = tmp_path / "certificates"
    assert {path.name for path in (made / "valkey").iterdir()} == {
        *("ca.pem", "server.pem", "server.key", "valkey.conf"),
    }
    checked = ["openssl", "verify", "-verify_hostname", "data.rostrum.example", "-CAfile"]
    subprocess.run(
        [*checked, str(made / "ca.pem"), str(made / "store/server.pem")],
        check=True,
        capture_output=True,
    )
