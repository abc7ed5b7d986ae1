"""Benchmarks of speed and accuracy: measured, published with n and interval, never asserted in
tests."""

from __future__ import annotations
