"""Benchmarks: measured, written down with n and interval, never asserted in tests."""

from __future__ import annotations
