"""What docker-compose.yml, Dockerfile and .env.example name exists in the code.

No Docker engine is asked: these tests read the files.
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.db.migrations.loader import MigrationLoader
from psycopg.errors import UniqueViolation

from coach import serving
from coach.celery import app
from coach.lib.embedded import Postgres
from coach.lib.embedded.postgres import DISCREET
from coach.lib.web.download_limit import AT_ONCE
from coach.lib.work import queues
from tests.migrated import as_installed, migrated_postgres

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "rostrum"}
WORKERS = {name: service for name, service in OURS.items() if "worker" in service["command"]}
QUEUES = {queue.name for queue in app.conf.task_queues}

# Filled in by Docker compose itself.
OF_COMPOSE = {
    "COMPOSE_PROFILES",
    "POSTGRES_PASSWORD",
    "ROSTRUM_PRIVATE_ADDRESS",
    "ROSTRUM_SITE_ADDRESS",
}
# Read by other people's programs: the images of PostgreSQL, Python and Caddy, pip, Django, Numba.
FOREIGN = {
    "POSTGRES_USER",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "PIP_NO_CACHE_DIR",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "DJANGO_SETTINGS_MODULE",
    "ROSTRUM_SITE_ADDRESS",
    "MPLCONFIGDIR",
    "NUMBA_CACHE_DIR",
    "XDG_CACHE_HOME",
}
OF_THE_MACHINE = {"HOME", "OMP_NUM_THREADS", "PATH", "PYTHONPATH", "TMPDIR"}
READ = re.compile(
    r"""(?:environ(?:\.get\(|\[)|envbool\(|envint\(|envchoice\(|envchoices\(|envlist\(|envhosts\(|envorigins\(|envdatabase\(|envsecret\(|envzone\(|envissuer\(|envmapping\(|envbroker\(|envrsakey\()\s*f?"([A-Z0-9_]+)\""""
)
SECRET = re.compile(r'env(?:secret|rsakey)\("([A-Z0-9_]+)"\)')


class Strict(yaml.SafeLoader):
    """As Docker compose reads: a key that stands twice is refused, where PyYAML takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _value in node.value if key.value != "<<"]
        assert len(keys) == len(set(keys)), f"twice at {node.start_mark}: {sorted(keys)}"
        return super().construct_mapping(node, deep=deep)


def test_no_key_stands_twice() -> None:
    yaml.load((ROOT / "docker-compose.yml").read_text(), Loader=Strict)  # noqa: S506


def words(service: dict[str, Any]) -> list[str]:
    """A command as the list of its words, whichever way it is written."""
    command = service["command"]
    return shlex.split(command) if isinstance(command, str) else [str(word) for word in command]


def sources() -> Iterator[str]:
    for package in ("coach", "analysis", "feedback_rules"):
        for path in (ROOT / package).rglob("*.py"):
            yield path.read_text(encoding="utf-8")


def names_read() -> set[str]:
    """Environment variables that the code reads."""
    code = "\n".join(sources())
    return set(READ.findall(code)) | {f"{name}_FILE" for name in SECRET.findall(code)}


def names_in_example() -> set[str]:
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", text, re.MULTILINE))


def test_every_worker_that_the_product_is_started_with_has_a_service_of_its_name() -> None:
    assert set(WORKERS) == set(queues.WORKERS)
    assert {queue for taken in queues.WORKERS.values() for queue in taken} == QUEUES


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_a_worker_takes_the_queues_that_belong_to_its_name(name: str) -> None:
    command = words(WORKERS[name])
    assert command[command.index("-Q") + 1] == ",".join(queues.WORKERS[name])
    assert command[command.index("-c") + 1] == str(queues.PROCESSES.get(name, 1))
    assert WORKERS[name]["environment"]["QUEUE"] == name
    assert f"-n {name}@%h" in " ".join(command)
    # As `make demo` starts them: nothing here asks what workers tell each other, and after the
    # broker was away that is what fails in their logs.
    assert command[-2:] == ["--without-gossip", "--without-mingle"]
    # Celery's own word for it stands above that of the settings.
    assert command[command.index("--loglevel") + 1] == "${LOG_LEVEL:-INFO}"


def test_long_recordings_get_the_share_of_a_busy_processor_that_estimates_reckon_with() -> None:
    """Every one says its own: what is not said may weigh more than 1024 with cgroups v2."""
    shares = {name: service["cpu_shares"] for name, service in OURS.items()}
    long = shares.pop("long")
    assert set(shares.values()) == {1024}
    assert long / 1024 == pytest.approx(queues.LONG_WEIGHT, rel=0.05)


@pytest.mark.parametrize("name", sorted(OURS))
def test_the_command_of_a_service_exists(name: str) -> None:
    match words(OURS[name]):
        case ["celery", "-A", module, ("worker" | "beat"), *_] | [
            "nice",
            "-n",
            "5",
            "celery",
            "-A",
            module,
            "worker",
            *_,
        ]:
            assert import_module(module).celery_app is app
        case ["gunicorn", module, *_]:
            assert find_spec(module) is not None
        case ["python", "manage.py", command, *_]:
            assert command in get_commands()
        case other:
            pytest.fail(f"a command that this test does not know: {other}")


def test_the_image_alone_starts_the_web_process() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert 'CMD ["gunicorn", "coach.wsgi"' in dockerfile
    assert words(SERVICES["web"])[:2] == ["gunicorn", "coach.wsgi"]


def test_every_environment_name_of_a_service_is_read_by_something() -> None:
    for name, service in SERVICES.items():
        used_here = set(re.findall(r"\$\$([A-Z]+)", str(service.get("healthcheck"))))
        unknown = set(service.get("environment", {})) - names_read() - FOREIGN - used_here
        assert not unknown, name


def test_every_environment_name_of_the_image_is_read_by_something() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    block = dockerfile[dockerfile.index("ENV ") : dockerfile.index("WORKDIR")]
    assert set(re.findall(r"([A-Z_]+)=", block)) - names_read() - FOREIGN == set()


def test_the_example_names_what_the_code_reads_and_nothing_else() -> None:
    assert names_in_example() - OF_COMPOSE == names_read() - OF_THE_MACHINE


def test_what_the_image_copies_is_there() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = [line.split()[1:-1] for line in dockerfile.splitlines() if line.startswith("COPY")]
    assert [name for names in copied for name in names if not (ROOT / name).exists()] == []


def test_nobody_runs_as_root_and_only_the_web_and_its_proxy_have_a_port() -> None:
    assert re.search(r"^USER (?!root)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["web", "proxy"]


def test_the_proxy_knows_where_the_web_process_is() -> None:
    caddyfile = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    bound = next(word for word in words(SERVICES["web"]) if word.startswith("--bind="))
    assert f"reverse_proxy web:{bound.rsplit(':', 1)[1]}" in caddyfile
    assert "{$ROSTRUM_SITE_ADDRESS}" in caddyfile


def test_the_proxy_logs_no_address_since_it_may_be_a_key_to_a_take_or_an_account() -> None:
    """By itself its log of errors holds each request that broke off, with all its headers."""
    caddyfile = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    whole = caddyfile[: caddyfile.index("{$ROSTRUM_SITE_ADDRESS}")]
    assert re.search(r"format filter \{.*fields \{\s+request delete\s+\}", whole, re.DOTALL)
    assert caddyfile.count("log {") == 1


def test_who_finds_no_web_process_reads_a_sentence_in_both_languages() -> None:
    caddyfile = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    said = caddyfile[caddyfile.index("handle_errors 502") :]
    assert "The site does not answer just now" in said
    assert '<div lang="fr">' in said
    assert "lb_try_duration" in caddyfile, "for a moment the proxy waits, and nobody reads anything"


def test_the_proxy_offers_no_protocol_whose_port_is_closed() -> None:
    is_open = any("udp" in port for port in SERVICES["proxy"]["ports"])
    caddyfile = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    assert is_open or re.search(r"^\t\tprotocols h1 h2$", caddyfile, re.MULTILINE)


def test_the_web_process_has_more_threads_than_recordings_may_take() -> None:
    assert serving.threads >= settings.LARGE_BODIES_AT_ONCE + AT_ONCE + 8


def test_every_service_has_a_health_check_or_says_that_it_has_none() -> None:
    assert [name for name, service in SERVICES.items() if "healthcheck" not in service] == []


def test_every_volume_that_is_mounted_is_declared() -> None:
    mounted = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
        if not volume.startswith("./")
    }
    assert mounted == set(COMPOSE["volumes"])


INSIDE = sorted(name for name in OURS if name != "web")


@pytest.mark.parametrize("name", INSIDE)
def test_what_serves_no_page_is_told_no_secret_but_the_databases(name: str) -> None:
    service = OURS[name]
    told = set(service["environment"])
    assert "env_file" not in service
    assert service["environment"]["ROSTRUM_PROCESS"] == "worker"
    secrets = (
        ("SECRET", "ROSTRUM_PSEUDO") if name == "mail" else ("SECRET", "EMAIL", "ROSTRUM_PSEUDO")
    )
    assert [word for word in told if word.startswith(secrets)] == []


def test_the_worker_for_mail_knows_the_account_and_sees_no_recording() -> None:
    told = set(OURS["mail"]["environment"])
    assert {
        word for word in names_in_example() if word.startswith(("EMAIL_", "ROSTRUM_BOUNCES"))
    } <= told
    assert OURS["mail"]["volumes"] == []


# Where recordings lie, and what opens that place.
OF_RECORDINGS = re.compile(r"ROSTRUM_(CUSTODY|S3_)")
HANDLE_NONE = {"mail", "beat", "migrate", "rules"}


@pytest.mark.parametrize("name", sorted(HANDLE_NONE))
def test_what_handles_no_recording_is_told_no_key_to_their_store(name: str) -> None:
    assert [word for word in OURS[name]["environment"] if OF_RECORDINGS.match(word)] == []


# What only pages, mail and names of hosts are made with; everything else a worker may be told.
OF_PAGES = re.compile(
    r"SECRET_KEY|EMAIL_|DEFAULT_FROM|ALLOWED_HOSTS|CSRF_|DEBUG|STATIC_ROOT|ROSTRUM_(HTTPS|TRUSTED"
    r"|PRODUCTION|PSEUDONYM|SITE|LARGE_BODIES|UPLOADS_AT_ONCE|SINGLE_CURATOR|DATA_DIR|MODELS_DIR"
    r"|ADDRESS|ACCESS|API|METRICS_TOKEN|SECOND_(FACTOR|ADMINISTRATOR)|OIDC|LTI|EMERGENCY|TRIALS?_"
    r"|BACKUP|BOUNCES|WEBHOOKS)"
)


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_a_worker_is_told_every_setting_that_is_not_for_pages(name: str) -> None:
    needed = {word for word in names_in_example() - OF_COMPOSE if not OF_PAGES.match(word)}
    if name in HANDLE_NONE:
        needed = {word for word in needed if not OF_RECORDINGS.match(word)}
    untold = needed - set(WORKERS[name]["environment"])
    assert untold == set(), "name them under x-inside in docker-compose.yml, or in OF_PAGES here"


@pytest.mark.parametrize("name", sorted(OURS))
def test_nothing_of_ours_can_write_gain_rights_or_reach_out(name: str) -> None:
    service = OURS[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert [place.split(":")[0] for place in service["tmpfs"]] == ["/tmp"]  # noqa: S108
    reaches_out = name in {"web", "mail"}
    assert service["networks"] == (["inside", "outside"] if reaches_out else ["inside"])
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_the_database_and_the_queue_are_reached_from_inside_only() -> None:
    assert SERVICES["postgres"]["networks"] == SERVICES["valkey"]["networks"] == ["inside"]


@pytest.fixture
def installed(servers_folder: Path) -> Iterator[Postgres]:
    """A server as an installation makes it, with all migrations and nothing else in it."""
    folder = Path(tempfile.mkdtemp(dir=servers_folder))
    server = migrated_postgres(folder / "server", servers_folder.parent)
    server.join()
    yield server
    server.leave()


def test_all_migrations_are_applied_by_a_role_that_is_no_superuser(installed: Postgres) -> None:
    with psycopg.connect(as_installed(installed)) as connection:
        roles = dict(connection.execute("SELECT rolname, rolsuper FROM pg_roles WHERE rolcanlogin"))
        role = connection.execute("SELECT current_user").fetchone()
        query = "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        owners = [owner for (owner,) in connection.execute(query)]
        applied = set(connection.execute("SELECT app, name FROM django_migrations"))
    assert roles == {"postgres": True, "rostrum": False}
    assert role == ("rostrum",)
    assert owners == ["rostrum"]
    assert set(MigrationLoader(None).graph.leaf_nodes()) <= applied


def test_the_log_of_the_database_tells_no_values(installed: Postgres) -> None:
    chosen = [f"{name}={value}" for name, value in DISCREET.items()]
    assert words(SERVICES["postgres"])[2::2] == chosen
    with (
        psycopg.connect(installed._url("postgres"), autocommit=True) as connection,
        psycopg.ClientCursor(connection) as cursor,
    ):
        cursor.execute("CREATE TABLE people (name text UNIQUE)")
        for refused in (False, True):
            with pytest.raises(UniqueViolation) if refused else nullcontext():
                cursor.execute("INSERT INTO people VALUES (%s)", ["Anna"])
    log = installed._log.read_text(encoding="utf-8")
    assert "duplicate key value" in log
    assert "Anna" not in log


@pytest.mark.parametrize("name", ["MPLCONFIGDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_libraries_that_keep_something_find_a_place_that_every_service_can_write_to(
    name: str,
) -> None:
    """The web process too: it loads librosa in a child to hear somebody before they record."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    given = re.search(rf"^    {name}=(\S+)", dockerfile, re.MULTILINE)
    assert given is not None
    for service in OURS.values():
        assert given[1] in {place.split(":")[0] for place in service["tmpfs"]}


def megabytes(limit: str) -> int:
    return int(limit[:-1]) * {"m": 1, "g": 1024}[limit[-1]]


def test_the_memory_limits_fit_into_the_machine_that_is_documented() -> None:
    every = [service for service in SERVICES.values() if "mem_limit" in service]
    usual = [service for service in every if service.get("profiles", ["proxy"]) == ["proxy"]]
    text = (ROOT / "docs/guides/installing.md").read_text(encoding="utf-8")
    said = re.search(r"cores, (\d+) GB of memory", text)
    assert said is not None
    assert sum(megabytes(service["mem_limit"]) for service in usual) <= int(said[1]) * 1024


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_fills_the_disk_with_its_log_or_the_machine_with_processes(name: str) -> None:
    service = SERVICES[name]
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    assert service["pids_limit"] == 512
    assert service["restart"] == ("no" if name in {"migrate", "rules"} else "unless-stopped")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_a_service_has_time_to_stop_and_an_exact_version(name: str) -> None:
    grace = SERVICES[name]["stop_grace_period"]
    seconds = int(grace[:-1]) * {"s": 1, "m": 60}[grace[-1]]
    assert seconds >= (120 if name in WORKERS else 30)
    if name == "web":
        assert seconds > serving.graceful_timeout
    image = SERVICES[name]["image"]
    assert name in OURS or re.search(r":\d+\.\d+(\.\d+)?$", image), image


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_a_worker_is_replaced_before_its_container_has_no_memory_left(name: str) -> None:
    limit = megabytes(WORKERS[name]["mem_limit"])
    assert limit > settings.CELERY_WORKER_MAX_MEMORY_PER_CHILD / 1024
