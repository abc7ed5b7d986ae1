"""Tracks of a take as Parquet, if pyarrow is installed.

pyarrow takes 170 MB, so it is optional: `pip install pyarrow`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from analysis.results import Track

_MS = 1000


def can_write_parquet() -> bool:
    """Return whether pyarrow is installed."""
    return find_spec("pyarrow") is not None


def write_tracks(tracks: Mapping[str, Track], path: Path) -> None:
    """Write one row for each track and time: track, unit, at_ms, value (empty if unmeasured).

    The same tracks give the same bytes with the same pyarrow.
    """
    # Imported on demand: most sites do not have it.
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import parquet  # noqa: PLC0415

    names: list[str] = []
    units: list[str] = []
    times: list[int] = []
    values: list[float | None] = []
    for name, track in sorted(tracks.items()):
        count = len(track.values)
        names += [name] * count
        units += [track.unit] * count
        times += [round((track.start + place * track.step) * _MS) for place in range(count)]
        values += track.values
    words = pa.dictionary(pa.int16(), pa.string())
    table = pa.table(
        {
            "track": pa.array(names, pa.string()).cast(words),
            "unit": pa.array(units, pa.string()).cast(words),
            "at_ms": pa.array(times, pa.int32()),
            "value": pa.array(values, pa.float64()),
        }
    )
    parquet.write_table(table, path, compression="zstd")
