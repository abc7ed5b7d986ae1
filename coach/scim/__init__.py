"""SCIM 2.0: an identity provider adds, changes and closes accounts and groups.

Version 2 of the protocol answers under `/scim/v2/`. A token acts as the administrator who made it.
"""

from __future__ import annotations
