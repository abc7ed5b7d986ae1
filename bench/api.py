"""Benchmark `api`: attack every operation of the API by its own description, with schemathesis.

The run ends with 1 if an answer is a server error, or is not as the OpenAPI document says.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from pathlib import Path

from bench.site import Web, installation


def main(arguments: Sequence[str]) -> int:
    """Run schemathesis twice: with ids of objects that are there, and with any ids."""
    parser = argparse.ArgumentParser(prog="python -m bench api", description=__doc__)
    parser.add_argument("--examples", type=int, default=60, help="cases for each operation")
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args(list(arguments))
    # The run would only meet the limit, and wait.
    os.environ["ROSTRUM_API_PER_MINUTE"] = "1000000"
    # Long addresses are attacked too; gunicorn would answer them before the API does.
    os.environ["GUNICORN_CMD_ARGS"] = "--limit-request-line=0"
    with installation() as folder, Web() as web:
        secret, ids = _seed()
        config = folder / "schemathesis.toml"
        lines = [f'"path.{name}" = "{key}"' for name, key in ids]
        config.write_text("\n".join(["[parameters]", *lines, ""]))
        options = [f"--max-examples={said.examples}", f"--seed={said.seed}"]
        attack = _Attack(web.address, folder, secret, options)
        return max(attack.run(config), attack.run(None))


@dataclass(frozen=True, slots=True)
class _Attack:
    """Runs of schemathesis against a site."""

    address: str
    folder: Path
    secret: str
    options: list[str]

    def run(self, config: Path | None) -> int:
        """Return the exit code of one run, which prints its figures."""
        program = [str(Path(sys.executable).with_name("schemathesis"))]
        if config is not None:
            program.append(f"--config-file={config}")
        command = [
            *program,
            "run",
            f"{self.address}/api/v1/openapi.json",
            "--checks=all",
            f"--header=Authorization: Bearer {self.secret}",
            "--no-shrink",
            "--continue-on-failure",
            "--suppress-health-check=all",
            *self.options,
        ]
        return subprocess.run(command, check=False, cwd=self.folder).returncode


def _seed() -> tuple[str, list[tuple[str, str]]]:
    """Make a person with every role and objects of every kind; return a token, and ids."""
    factories = import_module("tests.coach.factories")
    people = import_module("coach.accounts.models")
    api = import_module("coach.api.services")
    scopes = import_module("coach.api.scopes")
    studies = import_module("coach.research.studies.models")
    exports = import_module("coach.research.exports.models")
    assignments = import_module("coach.assignments.models")
    timezone = import_module("django.utils.timezone")
    rules = import_module("coach.rulesets.services")

    rules.publish_builtin_rules()
    now = timezone.now()
    cohort = people.Cohort.objects.create(name="Monday group", reply_hours=48)
    person = factories.UserFactory(roles=list(people.Role))
    coach = factories.UserFactory(roles=[people.Role.COACH])
    factories.join(cohort, person, people.Role.TRAINEE)
    factories.join(cohort, coach, people.Role.COACH)
    factories.join(cohort, person, people.Role.COACH)
    take = None
    for _number in range(30):
        take = factories.RehearsalFactory(owner=person, cohort=cohort)
        factories.finish_analysis(take)
    assignment = assignments.Assignment.objects.create(
        cohort=cohort,
        title="A pitch",
        aim="inform",
        audience="experts",
        setting="camera",
        due_at=now + timedelta(days=7),
        published_at=now,
    )
    study = studies.Study.objects.create(slug="pauses", title="Pauses")
    lead = studies.Member.Role.LEAD
    studies.Member.objects.create(study=study, user=person, role=lead)
    export = exports.Export.objects.create(
        study=study, asked_by=person, recipient="Lab", purpose="Pauses", cut_off=now
    )
    _token, secret = api.make_token(
        user=person, name="Attack", scopes=list(scopes.Scope), ends_at=now + timedelta(days=1)
    )
    ids = {"take_id": take, "assignment_id": assignment, "export_id": export}
    found = [(name, str(each.pk)) for name, each in ids.items() if each is not None]
    return secret, [*found, ("rule_id", "FIL001"), ("name", "measurements.csv")]
