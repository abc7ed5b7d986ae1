"""The gaze calibration of a trainee: a few numbers, without pictures."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

KEEP_CALIBRATION_DAYS = 30
"""The retention period of a calibration: a camera rarely stays where it is for longer (rule of
thumb)."""


class GazeCalibration(models.Model):
    """The calibration for one camera; a newer one with the same camera replaces it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="gaze_calibrations"
    )
    # A random word that the browser keeps, and its name of the camera.
    camera = models.CharField(max_length=128, blank=True)
    is_upright = models.BooleanField()
    # The fields of `analysis.ports.GazeCalibration`; each take made with it gets a copy.
    fitted = models.JSONField()
    points = models.PositiveSmallIntegerField()
    distance_cm = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = pgettext_lazy("thing", "gaze calibration")
        ordering = ["-made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "camera", "is_upright"], name="one_gaze_calibration_per_camera"
            ),
        ]

    def __str__(self) -> str:
        return f"Gaze calibration of {self.owner_id}"

    @property
    def camera_name(self) -> str:
        """The browser's name of the camera."""
        return self.camera.partition(" ")[2]

    @property
    def kept_until(self) -> datetime:
        """When it is deleted."""
        return self.made_at + timedelta(days=KEEP_CALIBRATION_DAYS)

    @property
    def error_degrees(self) -> float:
        """The error on points that were left out of the fit."""
        return float(self.fitted["error_degrees"])
