"""What moved goes where it lay."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("feedback", "0013_move_reports")]

    operations = [migrations.RemoveField(model_name="run", name="former_report")]
