"""Model of a signed-in session with its device."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone


class DeviceSession(models.Model):
    """A session of a person: kind of browser and system, and no network address.

    Deleted with Django's session.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="device")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="device_sessions"
    )
    # Names such as "Firefox" and "Android"; empty if unknown.
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    began_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return f"{self.browser} · {self.system}"
