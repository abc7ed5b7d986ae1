"""Audit log labels for actions on accounts and groups."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from coach.audit.registry import Words, register_acts

_ROLES: dict[str, Words] = {
    "trainee": pgettext_lazy("logged", "trainee"),
    "coach": pgettext_lazy("logged", "coach"),
    "curator": pgettext_lazy("logged", "curator"),
    "researcher": pgettext_lazy("logged", "researcher"),
    "administrator": pgettext_lazy("logged", "administrator"),
}
register_acts(
    {
        "accounts.consent_given": gettext_lazy("Gave consent"),
        "accounts.consent_withdrawn": gettext_lazy("Withdrew consent"),
        "accounts.families_changed": gettext_lazy("Changed what is analysed"),
        "accounts.profile_changed": gettext_lazy("Changed feedback preferences"),
        "accounts.keys_changed": gettext_lazy("Changed keyboard shortcuts"),
        "accounts.person_added": gettext_lazy("Added a person"),
        "accounts.invited": gettext_lazy("Sent a link to set a password"),
        "accounts.access_asked": gettext_lazy("Asked for an account"),
        "accounts.access_approved": gettext_lazy("Approved a request for an account"),
        "accounts.access_declined": gettext_lazy("Declined a request for an account"),
        "accounts.trial_begun": gettext_lazy("Began a trial without an account"),
        "accounts.link_asked": gettext_lazy("Asked for a link to set a password"),
        "accounts.password_chosen": gettext_lazy("Set a new password"),
        "accounts.signed_in": gettext_lazy("Signed in"),
        "accounts.sign_in_failed": gettext_lazy("Failed to sign in"),
        "accounts.signed_out_elsewhere": gettext_lazy("Signed out on other devices"),
        "accounts.address_changed": gettext_lazy("Changed a person’s email address"),
        "accounts.name_changed": gettext_lazy("Changed a person’s name"),
        "accounts.roles_changed": gettext_lazy("Changed a person’s roles"),
        "accounts.access_changed": gettext_lazy("Changed whether a person can sign in"),
        "accounts.recordings_opened": gettext_lazy("Let an administrator open recordings"),
        "accounts.joined": gettext_lazy("Added a person to a group"),
        "accounts.left": gettext_lazy("Removed a person from a group"),
        "accounts.lead_changed": gettext_lazy("Changed whether a coach leads a group’s coaches"),
        "accounts.cohort_added": gettext_lazy("Added a group"),
        "accounts.cohort_changed": gettext_lazy("Changed a group’s name, policy or reply time"),
        "accounts.cohort_deleted": gettext_lazy("Deleted a group"),
        "accounts.hold_set": gettext_lazy("Set a legal hold"),
        "accounts.hold_lifted": gettext_lazy("Lifted a legal hold"),
        "accounts.data_handed_out": gettext_lazy("Exported a person’s data"),
        "accounts.erased": gettext_lazy("Erased a person’s data"),
    },
    names={
        "cohort": pgettext_lazy("logged", "group"),
        "keys": pgettext_lazy("logged", "shortcuts"),
        "off": pgettext_lazy("logged", "single keys off"),
    },
    values={
        "policy": "accounts.Cohort.policy",
        "accounts.consent_given:purpose": "accounts.Consent.purpose",
        "accounts.consent_withdrawn:purpose": "accounts.Consent.purpose",
        "accounts.joined:role": _ROLES,
        "accounts.left:role": _ROLES,
        "accounts.roles_changed:before": _ROLES,
    },
    security=(
        "accounts.signed_in",
        "accounts.sign_in_failed",
        "accounts.signed_out_elsewhere",
        "accounts.link_asked",
        "accounts.password_chosen",
        "accounts.invited",
        "accounts.access_asked",
        "accounts.access_approved",
        "accounts.access_declined",
        "accounts.person_added",
        "accounts.address_changed",
        "accounts.access_changed",
        "accounts.roles_changed",
        "accounts.joined",
        "accounts.left",
        "accounts.lead_changed",
        "accounts.recordings_opened",
        "accounts.data_handed_out",
    ),
)
