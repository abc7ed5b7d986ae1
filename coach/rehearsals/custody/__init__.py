"""Where recordings lie, and what is made from them: one port, two places.

Everything has a name (`places`); only `folder` knows what a path is, only `s3` what a bucket is.
What is removed is proven to be gone (`port.Receipt`).
"""

from __future__ import annotations

from coach.rehearsals.custody.chosen import custody
from coach.rehearsals.custody.port import Bench, Custody, CustodyAway, Gone, Intake, Receipt

__all__ = ["Bench", "Custody", "CustodyAway", "Gone", "Intake", "Receipt", "custody"]
