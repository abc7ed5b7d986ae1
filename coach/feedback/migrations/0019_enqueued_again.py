from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("feedback", "0018_corrected_reports")]

    operations = [
        migrations.RenameField("stage", "rung_at", "enqueued_again_at"),
    ]
