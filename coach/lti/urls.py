"""URLs of LTI: for platforms, for the people who come from them, and for administrators."""

from __future__ import annotations

from django.urls import path

from coach.lti import admin_views, views

app_name = "lti"

urlpatterns = [
    path("lti/login/", views.login, name="login"),
    path("lti/launch/", views.launch, name="launch"),
    path("lti/launch/deep-link/", views.launch, name="deep_link"),
    path("lti/keys/", views.keys, name="keys"),
    path("lti/connect/", views.connect_here, name="connect"),
    path("lti/accounts/<int:account_id>/disconnect/", views.disconnect, name="disconnect"),
    path("administration/lti/", admin_views.platforms, name="platforms"),
    path("administration/lti/<uuid:platform_id>/", admin_views.platform, name="platform"),
    path("administration/lti/<uuid:platform_id>/delete/", admin_views.delete, name="delete"),
    path("administration/lti/courses/<uuid:course_id>/", admin_views.course, name="course"),
]
