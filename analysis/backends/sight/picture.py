"""Picture measures without a model: brightness, sharpness, and shift of the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis.backends.media.frames import Frame, LazyFrame

Gray = NDArray[np.float32]
Spectrum = NDArray[np.complex128]
Box = tuple[float, float, float, float]

GRAY_WIDTH = 192
_TILE = 48
# A tile without texture has no measurable shift (rule of thumb, luma 0 to 1).
_LEAST_TEXTURE = 0.02
# Height of the correlation peak below which two tiles do not match (rule of thumb; pure noise of
# this tile size stays below 0.06).
_LEAST_PEAK = 0.12
_FACE_SIDE = 64
_LEAST_SPREAD = 1e-3
# Between its corners, an eye with its lids is a third as high as it is wide (rule of thumb).
_EYE_HEIGHT, _EYE_SIZE = 0.34, (32, 11)
_WINDOW = np.outer(np.hanning(_TILE), np.hanning(_TILE))


def gray_of(moment: Frame | LazyFrame) -> Gray:
    """Return a small luma picture, 0 to 1, GRAY_WIDTH wide."""
    luma: Gray = moment.luma(GRAY_WIDTH, least_height=_TILE).astype(np.float32)
    return luma / np.float32(255)


def face_quality(rgb: NDArray[np.uint8], box: Box) -> tuple[float, float]:
    """Return brightness (mean luma) and sharpness (fine detail divided by all
    detail) of the face.
    """
    luma = _luma(rgb, box, (_FACE_SIDE, _FACE_SIDE))
    spread = float(luma.std())
    if spread < _LEAST_SPREAD:
        return float(luma.mean()), 0.0
    edges = 4 * luma[1:-1, 1:-1] - luma[:-2, 1:-1] - luma[2:, 1:-1] - luma[1:-1, :-2]
    fine = float((edges - luma[1:-1, 2:]).std())
    return float(luma.mean()), fine / spread


def eye_contrast(
    rgb: NDArray[np.uint8], box: Box, eyes: Sequence[tuple[float, float, float]]
) -> float | None:
    """Return the contrast of the clearer eye: spread of its luma divided by that of the face.

    `eyes` are (x, y, width). None without eyes, or if the face has a uniform colour.
    """
    spread = float(_luma(rgb, box, (_FACE_SIDE, _FACE_SIDE)).std())
    if not eyes or spread < _LEAST_SPREAD:
        return None
    lids = [(x - w / 2, y - _EYE_HEIGHT * w / 2, w, _EYE_HEIGHT * w) for x, y, w in eyes]
    return max(float(_luma(rgb, lid, _EYE_SIZE).std()) for lid in lids) / spread


def _luma(rgb: NDArray[np.uint8], box: Box, size: tuple[int, int]) -> Gray:
    """Return the luma of a box, 0 to 1, resized to `size`; the box is at least one pixel."""
    left, top, width, height = box
    right, low = max(left + width, left + 1), max(top + height, top + 1)
    crop = _cut(rgb, round(left), round(top), round(right), round(low))
    small = Image.fromarray(crop).convert("L").resize(size, Image.Resampling.BILINEAR)
    luma: Gray = np.asarray(small).astype(np.float32)
    return luma / np.float32(255)


def _cut(rgb: NDArray[np.uint8], left: int, top: int, right: int, low: int) -> NDArray[np.uint8]:
    """Return a part of the picture, black outside its borders."""
    height, width = rgb.shape[:2]
    part = rgb[max(top, 0) : max(low, 0), max(left, 0) : max(right, 0)]
    beyond = (
        (max(-top, 0), max(low - height, 0)),
        (max(-left, 0), max(right - width, 0)),
        (0, 0),
    )
    return np.pad(part, beyond) if any(map(any, beyond)) else np.ascontiguousarray(part)


@dataclass(frozen=True, slots=True)
class Backdrop:
    """Edge tiles of a picture, prepared for comparison with the next picture."""

    rows: int
    columns: int
    spectra: tuple[Spectrum | None, ...]
    """Spectrum of each tile; None for a tile without texture."""


def backdrop_of(gray: Gray) -> Backdrop:
    """Return the tiles at the left, right and upper edges."""
    rows, columns = gray.shape
    corners = {(0, 0), (0, columns - _TILE), (0, (columns - _TILE) // 2)}
    corners |= {((rows - _TILE) // 2, 0), ((rows - _TILE) // 2, columns - _TILE)}
    tiles = (gray[top : top + _TILE, left : left + _TILE] for top, left in sorted(corners))
    return Backdrop(rows, columns, tuple(map(_spectrum, tiles)))


def background_shift(before: Backdrop, now: Backdrop) -> tuple[float, float]:
    """Return the median shift of the tiles (right, down), in picture widths.

    NaN if fewer than two tiles match, so that nothing still can be compared.
    """
    if (before.rows, before.columns) != (now.rows, now.columns):
        return float("nan"), float("nan")
    shifts = [
        shift
        for one, other in zip(before.spectra, now.spectra, strict=True)
        if one is not None and other is not None and (shift := _shift(one, other)) is not None
    ]
    if len(shifts) < 2:
        return float("nan"), float("nan")
    down, right = np.median(np.array(shifts), axis=0) / now.columns
    return float(right), float(down)


def _spectrum(tile: Gray) -> Spectrum | None:
    if tile.std() < _LEAST_TEXTURE:
        return None
    spectrum: Spectrum = np.fft.rfft2((tile - tile.mean()) * _WINDOW)
    return spectrum


def _shift(before: Spectrum, now: Spectrum) -> tuple[float, float] | None:
    """Return the shift (down, right) in pixels, by phase correlation with a parabola through the
    peak; None without a clear peak.
    """
    spectra = now * np.conj(before)
    surface = np.fft.irfft2(spectra / (np.abs(spectra) + 1e-9), s=(_TILE, _TILE))
    row, column = np.unravel_index(int(surface.argmax()), surface.shape)
    if surface[row, column] < _LEAST_PEAK:
        return None
    return (
        _refined(surface[:, column], int(row)),
        _refined(surface[row, :], int(column)),
    )


def _refined(line: NDArray[np.float64], peak: int) -> float:
    """Return the position of the peak with a fraction, as a signed shift."""
    left, middle, right = line[peak - 1], line[peak], line[(peak + 1) % _TILE]
    bend = left - 2 * middle + right
    fraction = 0.5 * (left - right) / bend if abs(bend) > 1e-12 else 0.0
    place = peak + float(np.clip(fraction, -0.5, 0.5))
    return place - _TILE if place > _TILE / 2 else place
