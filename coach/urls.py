"""All URLs of the product."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("coach.portal.urls")),
    path("", include("coach.feedback.urls")),
    path("rehearsals/", include("coach.rehearsals.urls")),
    path("review/", include("coach.review.urls")),
    path("rules/", include("coach.curation.urls")),
    path("research/", include("coach.research.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
