"""Version 2 of SCIM (RFC 7643 and RFC 7644): the messages, and the views that answer them."""

from __future__ import annotations
