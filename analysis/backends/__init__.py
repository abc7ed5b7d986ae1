"""Backends: the only modules that import the heavy libraries."""

from __future__ import annotations

import os

# ONNX Runtime (1.29 and later) sends usage data to its makers unless this variable is set before
# the import. Recordings of people's practice are private.
os.environ.update(ORT_DISABLE_TELEMETRY="1")
