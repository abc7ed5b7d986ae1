"""Numbers of earlier takes move to rows that go with those takes; of deleted ones they go now."""

import json

from django.db import migrations


def _lender(feedback, items):
    """The feedback that they came from, if it is still there: it holds each with its value."""
    earlier = type(feedback).objects.filter(
        rehearsal__owner=feedback.rehearsal.owner_id,
        rehearsal__created_at__lt=feedback.rehearsal.created_at,
        created_at__lt=feedback.created_at,
    )
    before = earlier.order_by("-rehearsal__created_at", "-version").first()
    if before is None:
        return None
    held = {(item.rule, item.document.get("value")) for item in before.items.all()}
    return before if {(each["rule"], each.get("value")) for each in items} <= held else None


def _without_previous_values(draft):
    document = json.loads(draft)
    held_back = [held["item"] for held in document.get("held_back", ())]
    for item in (*document.get("items", ()), *held_back):
        item.pop("previous_value", None)
    return json.dumps(document, sort_keys=True, ensure_ascii=False, indent=2)


def move(apps, schema_editor):
    lent = apps.get_model("feedback", "Lent").objects
    for feedback in apps.get_model("feedback", "Feedback").objects.iterator(chunk_size=100):
        items = feedback.context.pop("previous_items", [])
        before = _lender(feedback, items) if items else None
        if before is not None:
            lent.get_or_create(
                feedback=feedback, defaults={"take": before.rehearsal, "items": items}
            )
        if '"previous_value"' in feedback.draft:
            feedback.draft = _without_previous_values(feedback.draft)
        feedback.save(update_fields=["context", "draft"])
    for item in apps.get_model("feedback", "Item").objects.filter(
        document__has_key="previous_value"
    ):
        del item.document["previous_value"]
        item.save(update_fields=["document"])


def move_back(apps, schema_editor):
    for lent in apps.get_model("feedback", "Lent").objects.select_related("feedback"):
        lent.feedback.context["previous_items"] = lent.items
        lent.feedback.save(update_fields=["context"])


class Migration(migrations.Migration):
    dependencies = [("feedback", "0006_what_the_take_before_lent")]

    operations = [migrations.RunPython(move, move_back)]
