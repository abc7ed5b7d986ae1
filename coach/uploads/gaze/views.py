"""Views of the gaze calibration: the page, one picture, save, delete."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest
from coach.lib.web.large_bodies import SMALL_BODY_BYTES
from coach.rehearsals.selectors import gaze_calibrations_for
from coach.uploads.device_check import Busy, looker
from coach.uploads.gaze.forms import CalibrationForm
from coach.uploads.gaze.page import calibration_page, error_words
from coach.uploads.gaze.services import delete_gaze_calibration, store_gaze_calibration
from coach.uploads.views import with_devices


@require_safe
@trainees_only
def calibrate(request: SignedInRequest) -> HttpResponse:
    """Show the purpose, the points and the stored calibrations."""
    return with_devices(render(request, "feedback/gaze.html", calibration_page(request.user)))


@require_POST
@trainees_only
def look(request: SignedInRequest) -> JsonResponse:
    """Return the angles of head and eyes in a picture (JPEG), without storing it."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > SMALL_BODY_BYTES:
        return JsonResponse({"message": _("This is more than a picture.")}, status=413)
    try:
        found = looker.measure("eyes", request.body)
    except Busy:
        return _busy()
    return JsonResponse({"look": found[0]["look"] if found else None})


@require_POST
@trainees_only
def save(request: SignedInRequest) -> JsonResponse:
    """Fit and store the calibration, or return why it is unusable."""
    form = CalibrationForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": _("We could not read this.")}, status=400)
    try:
        calibration = store_gaze_calibration(owner=request.user, **form.cleaned_data)
    except Busy:
        return _busy()
    except ValidationError as problem:
        return JsonResponse({"message": problem.messages[0]}, status=422)
    messages.success(request, _("Calibration saved.") + " " + error_words(calibration))
    return JsonResponse({"next": reverse("feedback:gaze")})


@require_POST
@trainees_only
def delete(request: SignedInRequest, calibration_id: UUID) -> HttpResponse:
    """Delete a calibration."""
    calibration = get_object_or_404(gaze_calibrations_for(request.user), pk=calibration_id)
    delete_gaze_calibration(calibration=calibration)
    messages.success(request, _("Calibration deleted."))
    return redirect("feedback:gaze")


def _busy() -> JsonResponse:
    return JsonResponse({"message": _("The check is busy just now.")}, status=503)
