"""URLs of questions after a talk; coaches' pages are among those of review."""

from __future__ import annotations

from django.urls import path

from coach.questions import views

app_name = "questions"

urlpatterns = [
    path("practise/topics/", views.topics, name="topics"),
    path("practise/questions/after/<uuid:rehearsal_id>/", views.begin, name="begin"),
    path("practise/questions/<uuid:session_id>/", views.session, name="session"),
    path("practise/questions/<uuid:session_id>/now/", views.now, name="now"),
    path("practise/questions/<uuid:session_id>/share/", views.share, name="share"),
    path("practise/questions/<uuid:session_id>/delete/", views.delete, name="delete"),
    path("practise/questions/one/<uuid:question_id>/hand-in/", views.hand_in, name="hand_in"),
    path("practise/questions/one/<uuid:question_id>/skip/", views.skip, name="skip"),
    path("practise/questions/one/<uuid:question_id>/again/", views.again, name="again"),
    path("practise/questions/one/<uuid:question_id>/measure/", views.measure, name="measure"),
    path("practise/questions/one/<uuid:question_id>/recording/", views.recording, name="recording"),
]
