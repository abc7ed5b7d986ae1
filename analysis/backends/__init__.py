"""The only modules that import the heavy libraries."""

from __future__ import annotations

import os

# ONNX Runtime (1.29 and later) reports to its makers how it is used, unless this stands in the
# environment before it is imported. What people practise is nobody else's business.
os.environ.update(ORT_DISABLE_TELEMETRY="1")
