"""Services for key messages and the speaker's decisions about a take."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from coach.audit.services import record_act
from coach.lib.pages.plain_text import one_line
from coach.practice.models import KeyMessage, KeyMessageVerdict
from coach.rehearsals.models import Rehearsal, Talk


@transaction.atomic
def set_key_messages(*, talk: Talk, texts: Sequence[str]) -> None:
    """Replace the messages of a talk.

    An unchanged message keeps its decisions; those about a changed one are deleted with it.
    """
    Talk.objects.select_for_update().get(pk=talk.pk)
    wanted = list(dict.fromkeys(filter(None, map(one_line, texts))))
    standing = {each.text: each for each in KeyMessage.objects.filter(talk=talk)}
    if list(standing) == wanted:
        return
    gone = [each.pk for text, each in standing.items() if text not in wanted]
    KeyMessage.objects.filter(pk__in=gone).delete()
    for place, text in enumerate(wanted, start=1):
        kept = standing.get(text) or KeyMessage(talk=talk, text=text)
        kept.place = place
        kept.full_clean(exclude=["talk"])
        kept.save()
    record_act(action="practice.key_messages_set", target=talk, actor=talk.owner)


@transaction.atomic
def decide_on_sentence(
    *, take: Rehearsal, message: KeyMessage, at_seconds: float, is_it: bool
) -> None:
    """Save whether the sentence at this time says the message; the last decision counts."""
    KeyMessageVerdict.objects.filter(take=take, message=message, at_seconds=None).delete()
    KeyMessageVerdict.objects.update_or_create(
        take=take, message=message, at_seconds=round(at_seconds, 2), defaults={"is_it": is_it}
    )
    record_act(action="practice.key_message_decided", target=take, actor=take.owner)


@transaction.atomic
def decide_on_message(*, take: Rehearsal, message: KeyMessage, is_said: bool) -> None:
    """Save that the speaker left the message out of this take, or said it in other words."""
    KeyMessageVerdict.objects.filter(take=take, message=message).delete()
    KeyMessageVerdict.objects.create(take=take, message=message, is_it=is_said)
    record_act(action="practice.key_message_decided", target=take, actor=take.owner)


@transaction.atomic
def reopen_message(*, take: Rehearsal, message: KeyMessage) -> None:
    """Delete the decisions about a message in this take, so that it is asked again."""
    if KeyMessageVerdict.objects.filter(take=take, message=message).delete()[0]:
        record_act(action="practice.key_message_reopened", target=take, actor=take.owner)
