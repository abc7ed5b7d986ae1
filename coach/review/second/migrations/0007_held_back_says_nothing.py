"""What a first coach held back was written down as kept: it is what they had said of it before."""

from django.db import migrations


def take_back_held(apps, schema_editor):
    decisions = apps.get_model("second", "Decision").objects
    kept = decisions.filter(
        opinion__place="first", opinion__submitted_at__isnull=False, kind="keep"
    )
    for decision in kept.select_related("opinion", "item").iterator(chunk_size=500):
        stood = _standing(decision.item, decision.opinion.submitted_at)
        if not stood or stood[-1].kind != "hold":
            continue
        said = next((each for each in reversed(stood) if each.kind != "hold"), None)
        row = decisions.filter(pk=decision.pk)
        if said is None:
            row.delete()
        elif said.kind in {"reject", "replace"}:
            row.update(kind="reject", reason=said.reason, clips=[])


def _standing(item, at):
    """Decisions as they stood when the opinion was written down, those of versions before first."""
    before = _standing(item.former, at) if item.former is not None else []
    made = item.verdicts.filter(at__lte=at).exclude(undone_at__lte=at)
    return [*before, *made.order_by("at", "pk")]


class Migration(migrations.Migration):
    dependencies = [("second", "0006_tells_where"), ("feedback", "0019_enqueued_again")]

    operations = [migrations.RunPython(take_back_held, migrations.RunPython.noop)]
