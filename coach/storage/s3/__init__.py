"""Custody in a bucket of an S3-compatible store; only this package knows what a bucket is."""

from __future__ import annotations
