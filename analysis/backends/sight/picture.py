"""What can be said of a picture without any model: light, sharpness, shift of the background."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Gray = NDArray[np.float32]

GRAY_WIDTH = 192
_TILE = 48
# A tile without texture has no shift to measure (rule of thumb, luma 0 to 1).
_LEAST_TEXTURE = 0.02
# Height of the correlation peak under which two tiles do not match (rule of thumb; pure noise
# of this tile size stays under 0.06).
_LEAST_PEAK = 0.12
_FACE_SIDE = 64


def gray_of(rgb: NDArray[np.uint8]) -> Gray:
    """A small luma picture, 0 to 1, GRAY_WIDTH wide."""
    height = max(_TILE, round(rgb.shape[0] * GRAY_WIDTH / rgb.shape[1]))
    small = Image.fromarray(rgb).convert("L").resize((GRAY_WIDTH, height), Image.Resampling.BOX)
    luma: Gray = np.asarray(small).astype(np.float32)
    return luma / np.float32(255)


def face_quality(
    rgb: NDArray[np.uint8], box: tuple[float, float, float, float]
) -> tuple[float, float]:
    """Light and sharpness of the face: mean luma, and fine detail over all detail."""
    left, top, width, height = box
    crop = Image.fromarray(rgb).crop(
        (round(left), round(top), round(left + width), round(top + height))
    )
    small = crop.convert("L").resize((_FACE_SIDE, _FACE_SIDE), Image.Resampling.BILINEAR)
    luma = np.asarray(small).astype(np.float32) / 255
    spread = float(luma.std())
    if spread < 1e-3:
        return float(luma.mean()), 0.0
    edges = 4 * luma[1:-1, 1:-1] - luma[:-2, 1:-1] - luma[2:, 1:-1] - luma[1:-1, :-2]
    fine = float((edges - luma[1:-1, 2:]).std())
    return float(luma.mean()), fine / spread


def background_shift(before: Gray, now: Gray) -> tuple[float, float]:
    """Median shift of the tiles at the left, right and upper edge, in picture widths.

    NaN where fewer than two tiles can be matched: nothing still to compare with.
    """
    if before.shape != now.shape:
        return float("nan"), float("nan")
    rows, columns = now.shape
    corners = {(0, 0), (0, columns - _TILE), (0, (columns - _TILE) // 2)}
    corners |= {((rows - _TILE) // 2, 0), ((rows - _TILE) // 2, columns - _TILE)}
    shifts = [
        shift
        for top, left in sorted(corners)
        if (shift := _tile_shift(_tile(before, top, left), _tile(now, top, left))) is not None
    ]
    if len(shifts) < 2:
        return float("nan"), float("nan")
    down, right = np.median(np.array(shifts), axis=0) / columns
    return float(right), float(down)


def _tile(gray: Gray, top: int, left: int) -> Gray:
    return gray[top : top + _TILE, left : left + _TILE]


def _tile_shift(before: Gray, now: Gray) -> tuple[float, float] | None:
    """Down and right, in pixels, by phase correlation with a parabola through the peak."""
    if min(before.std(), now.std()) < _LEAST_TEXTURE:
        return None
    window = np.outer(np.hanning(_TILE), np.hanning(_TILE))
    spectra = np.fft.rfft2((now - now.mean()) * window) * np.conj(
        np.fft.rfft2((before - before.mean()) * window)
    )
    surface = np.fft.irfft2(spectra / (np.abs(spectra) + 1e-9), s=(_TILE, _TILE))
    row, column = np.unravel_index(int(surface.argmax()), surface.shape)
    if surface[row, column] < _LEAST_PEAK:
        return None
    return (
        _refined(surface[:, column], int(row)),
        _refined(surface[row, :], int(column)),
    )


def _refined(line: NDArray[np.float64], peak: int) -> float:
    """Place of the peak with a fraction, as a signed shift."""
    left, middle, right = line[peak - 1], line[peak], line[(peak + 1) % _TILE]
    bend = left - 2 * middle + right
    fraction = 0.5 * (left - right) / bend if abs(bend) > 1e-12 else 0.0
    place = peak + float(np.clip(fraction, -0.5, 0.5))
    return place - _TILE if place > _TILE / 2 else place
