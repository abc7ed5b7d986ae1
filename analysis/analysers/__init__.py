"""One small module a dimension of speaking; each measures or says why it cannot."""

from __future__ import annotations
