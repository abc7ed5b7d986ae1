"""Models of the audit log, and of the security log with network addresses."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.lib.audit_context import MOST_CHARACTERS


class Entry(models.Model):
    """One audited action. Rows are written once, and deleted after `KEEP_AUDIT_DAYS`.

    The name of a code that named a person is replaced in them when it is redacted.

    `actor` is null for the site itself, and for people who were erased since.
    """

    at = models.DateTimeField(_("at"), auto_now_add=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    action = models.CharField(_("action"), max_length=60)
    object_type = models.CharField(_("object type"), max_length=60)
    object_id = models.CharField(_("object id"), max_length=60)
    # The page, task or command (`coach.lib.audit_context`), never the machine. The database default
    # lets a process of the previous version, without this column, go on logging.
    from_where = models.CharField(
        _("from where"), max_length=MOST_CHARACTERS, blank=True, default="", db_default=""
    )
    detail = models.JSONField(_("detail"), default=dict)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        indexes = [
            models.Index(fields=["object_type", "object_id"]),
            models.Index(fields=["-at", "-id"], name="audit_newest_first"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"


class SecurityEvent(models.Model):
    """A network address from which an account was used or tried; kept for some weeks.

    It is deleted with the person: the owner of the account, and the actor.
    """

    at = models.DateTimeField(_("at"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("actor"),
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    action = models.CharField(_("action"), max_length=60)
    object_type = models.CharField(_("object type"), max_length=60)
    object_id = models.CharField(_("object id"), max_length=60)
    # Empty for a command or a worker.
    address = models.GenericIPAddressField(_("network address"), null=True)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("security event")
        verbose_name_plural = _("security log")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action}"
