"""The words that moved go: in a transaction of its own, as PostgreSQL wants it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("feedback", "0008_problems_as_notes")]

    operations = [
        migrations.RemoveConstraint(model_name="run", name="a_failed_run_says_why"),
        migrations.RemoveField(model_name="run", name="error_sentence"),
        migrations.RemoveField(model_name="run", name="error_hint"),
        migrations.RemoveField(model_name="stage", name="former_problem"),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.CheckConstraint(
                condition=~models.Q(state="failed") | ~models.Q(problem={}),
                name="a_failed_run_says_why",
            ),
        ),
    ]
