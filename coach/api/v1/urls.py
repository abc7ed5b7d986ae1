"""URLs of version 1 of the API."""

from __future__ import annotations

from django.urls import include, path

from coach.api.v1 import uploads
from coach.api.v1.site_api import api, home, no_such_address

_uploads = [
    path("uploads", uploads.uploads, name="uploads"),
    path("uploads/<uuid:upload_id>", uploads.upload, name="upload"),
]

urlpatterns = [
    path("", home),
    path("", include((_uploads, "v1-uploads"))),
    path("", api.urls),
    path("<path:rest>", no_such_address),
]
