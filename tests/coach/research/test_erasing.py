"""Whoever is erased leaves no word behind, and nobody else's words move."""

from __future__ import annotations

import json

from django.urls import reverse

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.services import autosave_draft, save_submitted_draft
from coach.portal.personal.erasure import erase_person
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.models import Code, CodebookVersion, Coding, Interview, Text
from coach.research.exports.ledger import has_withdrawn_people, unreported_withdrawals
from coach.research.exports.models import Export, ExportedPseudonym
from coach.research.studies.models import Participant, Pseudonym
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview, make_round, make_study, mark, take_part


def test_an_erased_person_leaves_no_words_and_moves_nobody_elses(
    researcher: User, trainee: User
) -> None:
    study = make_study(researcher)
    ana, other = take_part(study, trainee), take_part(study, UserFactory())
    make_interview(study, [("I", None, "Well?"), ("P", ana, "I like pauses.")])
    said = [("P1", ana, "Slides 🎤 scare me."), ("P2", other, "Cafe\u0301 talks are fine.")]
    together = make_interview(study, said, Interview.Kind.FOCUS_GROUP)
    coding_round = make_round(study, "pauses")
    before = together.texts.get()
    first, second = before.turns.all()
    for turn in (first, second):
        Coding.objects.create(
            study=study,
            round=coding_round,
            coder=coding_round.coders.all()[0],
            code=Code.objects.get(),
            text=before,
            start=turn.start,
            end=turn.end,
        )
    export = Export.objects.create(
        study=study, recipient="A", purpose="B", cut_off=study.created_at
    )
    ExportedPseudonym.objects.create(export=export, pseudonym=ana.pseudonym)

    erase_person(user=trainee)

    assert Interview.objects.get() == together
    after = Text.objects.get()
    assert "Slides" not in after.text
    assert len(after.text) == len(before.text)
    assert after.text[second.start : second.end] == before.text[second.start : second.end]
    assert after.sha256 != before.sha256
    assert Coding.objects.get().start == second.start
    assert not Pseudonym.objects.filter(participant=ana).exists()
    assert Participant.objects.get(pk=ana.pk).withdrawn_at is not None
    assert unreported_withdrawals(study).get().export == export
    assert has_withdrawn_people(export)


def test_what_others_quoted_of_an_erased_person_goes_with_them(
    researcher: User, trainee: User
) -> None:
    study = make_study(researcher)
    ana, other = take_part(study, trainee), take_part(study, UserFactory())
    for who, words in ((ana, "Well, I count to three, then I breathe."), (other, "I just speak.")):
        make_interview(study, [("I", None, "How do you begin a talk, then?"), ("P", who, words)])
    coding_round = make_round(study, "breath")
    quoted = "“I count to three – then I breathe”\nI just speak."
    code = Code.objects.get()
    code.examples, code.description = quoted, "How do you begin a talk, then?"
    code.save()
    keep_version(study=study, note="", actor=researcher)
    text = Text.objects.get(interview__participant=other)
    mark(coding_round, 1, text, "I just speak.", "breath", memo=f"Unlike: {quoted}")
    of_code = reverse("research:code", args=[study.slug, code.pk])
    autosave_draft(user=researcher, page=of_code, form="#0", fields={"examples": quoted})
    alone = reverse("research:interview", args=[study.slug, 1])
    autosave_draft(user=researcher, page=alone, form="#0", fields={"name": "Breathing Ana"})
    save_submitted_draft(
        user=researcher, url=of_code, page="", fields=[("examples", quoted)], files=[]
    )

    erase_person(user=trainee)

    code.refresh_from_db()
    assert code.examples == "“[…]”\nI just speak."
    assert code.description == "How do you begin a talk, then?"  # whoever asked said it, too
    assert Coding.objects.get().memo == "Unlike: “[…]”\nI just speak."
    assert [each.fields for each in FormDraft.objects.all()] == [[["examples", code.examples]]] * 2
    document = json.dumps([each.document for each in CodebookVersion.objects.all()])
    assert "count to three" not in document
    assert "I just speak." in document
