"""URLs of uploads, in the namespaces `feedback` and `rehearsals` (see `coach.urls`)."""

from __future__ import annotations

from django.urls import path

from coach.uploads import views
from coach.uploads.gaze import views as gaze
from coach.uploads.tus import views as tus

pages = [
    path("practise/new/", views.new_rehearsal, name="new"),
    path("practise/new/check/", views.check_upload, name="check_upload"),
    path("practise/record/", views.record, name="record"),
    path("practise/record/look/", views.look, name="look"),
    path("practise/record/gaze/", gaze.calibrate, name="gaze"),
    path("practise/record/gaze/look/", gaze.look, name="gaze_look"),
    path("practise/record/gaze/save/", gaze.save, name="gaze_save"),
    path("practise/record/gaze/<uuid:calibration_id>/delete/", gaze.delete, name="gaze_delete"),
    path("practise/uploads/<uuid:upload_id>/", views.cut_off, name="cut_off"),
    path("practise/uploads/<uuid:upload_id>/use/", views.use_take, name="use_take"),
]

resumable = [
    path("uploads/", tus.uploads, name="tus"),
    path("uploads/<uuid:upload_id>/", tus.one_upload, name="tus_upload"),
    path("uploads/<uuid:upload_id>/discard/", views.discard, name="discard_upload"),
]
