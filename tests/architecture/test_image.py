"""What the image holds is enough, and whoever it runs as can read it. No Docker engine is asked.

The tree is laid out as Dockerfile copies it, without what .dockerignore keeps away; its commands
run there, as root runs them while the image is made, and then where nothing can be written.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from demo.libraries import NEEDED

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STATIC = re.compile(r"""\{%\s*static\s+["']([^"']+)["']""")
BEFORE = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}


def copied() -> list[str]:
    """What Dockerfile copies out of this folder."""
    lines = [line for line in DOCKERFILE.splitlines() if line.startswith("COPY")]
    return [name.removeprefix("./") for line in lines for name in line.split()[1:-1]]


def is_kept_away(path: str) -> bool:
    """Whether .dockerignore names the file or a folder that it lies in."""
    kept_away = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    parts = path.split("/")
    above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return any(
        fnmatch(place.rpartition("/")[2], pattern.removeprefix("**/"))
        if pattern.startswith("**/")
        else place == pattern
        for pattern in kept_away
        for place in above
    )


def told(folder: Path) -> dict[str, str]:
    """What the image tells every process, with its places below a folder."""
    block = DOCKERFILE[DOCKERFILE.index("ENV ") : DOCKERFILE.index("WORKDIR")]
    named = dict(re.findall(r"([A-Z_]+)=(\S+)", block))
    beside = {"STATIC_ROOT": "static", "PYTHONPYCACHEPREFIX": "compiled"}
    return BEFORE | named | {name: str(folder / place) for name, place in beside.items()}


def run(command: list[str], app: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, *command[1:]] if command[0] == "python" else command
    done = subprocess.run(
        command, cwd=app, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `app`, and `static` as the image collects it."""
    folder = tmp_path_factory.mktemp("image")
    for name in copied():
        files = [ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*")
        for path in files:
            place = path.relative_to(ROOT).as_posix()
            if path.is_file() and not is_kept_away(place):
                (folder / "app" / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, folder / "app" / place)
    given = re.search(
        r"((?:[A-Z_]+=\S+ )+)\\\s+(python manage.py collectstatic .*?) \\", DOCKERFILE
    )
    assert given is not None
    more = dict(pair.split("=", 1) for pair in given[1].split())
    # What this compiles, the services find compiled.
    run(given[2].split(), folder / "app", told(folder) | more | {"PYTHONDONTWRITEBYTECODE": ""})
    return folder


def test_nothing_that_is_copied_into_the_image_is_kept_away_from_it() -> None:
    listed = subprocess.run(
        ["git", "ls-files", *copied()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("this folder is no checkout: which of its files belong to it is not known")
    assert [name for name in listed.stdout.splitlines() if is_kept_away(name)] == []


def test_whatever_a_page_asks_for_was_collected(image: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (image / "app/templates").rglob("*.html")]
    asked = {name for page in pages for name in STATIC.findall(page)}
    assert len(asked) > 10
    assert {name for name in asked if not (image / "static" / name).is_file()} == set()


def test_what_root_collected_can_be_read_by_whoever_the_image_runs_as(image: Path) -> None:
    for path in (image / "static").rglob("*"):
        needed = stat.S_IROTH | (stat.S_IXOTH if path.is_dir() else 0)
        assert path.stat().st_mode & needed == needed, path


@pytest.mark.parametrize("name", ["web", "migrate"])
def test_a_service_starts_where_it_can_write_nothing_and_makes_nothing_up(
    name: str, image: Path
) -> None:
    """Its data folder lies below a file: there not even root can make anything."""
    environment = told(image) | {
        "ROSTRUM_DATA_DIR": str(image / "app" / "manage.py" / "data"),
        "DATABASE_URL": "postgresql://rostrum@localhost:1/rostrum",
    }
    if name == "web":
        environment |= {"SECRET_KEY": "of-a-test-" * 6 + "0123456789", "ALLOWED_HOSTS": "here"}
    else:
        environment["ROSTRUM_PROCESS"] = "worker"
    run(["python", "manage.py", "check"], image / "app", environment)


@pytest.mark.parametrize("name", ["Dockerfile", ".ci/run", ".github/workflows/ci.yml", "README.md"])
def test_every_system_library_is_installed_by_the_image_and_named_by_the_readme(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert {package for package in NEEDED.values() if package not in text} == set()
