"""A storage backend in a bucket of an S3-compatible store; only this package uses buckets."""

from __future__ import annotations
