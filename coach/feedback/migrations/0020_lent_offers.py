from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("feedback", "0019_enqueued_again")]

    operations = [
        migrations.AddField("lent", "offers", models.JSONField(default=list)),
    ]
