"""Settings of an S3-compatible bucket for recordings."""

from __future__ import annotations

import os
from typing import Any

from botocore.config import Config

from coach.environment import envchoice, envsecret


def object_store() -> dict[str, Any]:
    """Return the bucket's entry for Django's STORAGES."""
    addressing: Any = {
        "addressing_style": envchoice(
            "ROSTRUM_S3_ADDRESSING", ("path", "virtual", "auto"), default="path"
        )
    }
    return {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": os.environ.get("ROSTRUM_S3_BUCKET", "rostrum"),
            "endpoint_url": os.environ.get("ROSTRUM_S3_ENDPOINT") or None,
            "region_name": os.environ.get("ROSTRUM_S3_REGION", "us-east-1"),
            "access_key": envsecret("ROSTRUM_S3_ACCESS_KEY") or None,
            "secret_key": envsecret("ROSTRUM_S3_SECRET_KEY") or None,
            # Short timeouts: uploads wait for an unreachable store, and pages say so. Checksums
            # only where S3 requires them, since not every store supports the newer ones.
            "client_config": Config(
                connect_timeout=3,
                read_timeout=20,
                retries={"mode": "standard", "max_attempts": 2},
                max_pool_connections=32,
                signature_version="s3v4",
                s3=addressing,
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        },
    }
