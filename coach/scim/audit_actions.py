"""Audit log labels for actions of an identity provider."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from coach.audit.registry import register_acts

_ACTS = {
    "scim.person_managed": gettext_lazy("An identity provider began to manage this account"),
    "scim.person_changed": gettext_lazy("An identity provider changed what it knows of a person"),
    "scim.person_deleted": gettext_lazy("An identity provider deleted a person: account closed"),
    "scim.group_managed": gettext_lazy("An identity provider began to manage this group"),
    "scim.group_changed": gettext_lazy("An identity provider changed what it knows of a group"),
    "scim.group_deleted": gettext_lazy("An identity provider deleted a group: group archived"),
}
register_acts(_ACTS, security=("scim.person_managed", "scim.person_deleted"))
