"""URLs of trainees' assignments; coaches' pages are among those of review."""

from __future__ import annotations

from django.urls import path

from coach.assignments import views

app_name = "assignments"

urlpatterns = [
    path("practise/assignments/", views.assignments, name="assignments"),
    path("practise/assignments/rostrum-assignments.ics", views.calendar, name="calendar"),
    path("practise/assignments/<uuid:assignment_id>/", views.assignment, name="assignment"),
    path("practise/assignments/<uuid:assignment_id>/begin/", views.begin, name="begin"),
    path("practise/assignments/<uuid:assignment_id>/hand-in/", views.send, name="hand_in"),
    path("practise/assignments/<uuid:assignment_id>/ask/", views.ask, name="ask_partner"),
    path("practise/assignments/partners/<int:partner_id>/", views.partner, name="partner"),
    path("practise/assignments/<uuid:assignment_id>/take-back/", views.withdraw, name="take_back"),
]
