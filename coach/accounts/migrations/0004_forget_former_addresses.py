from django.db import migrations
from django.db.models import F


def forget_former_addresses(apps, schema_editor):
    """An address that an administrator changed kept its sign-in in allauth's own table."""
    address = apps.get_model('account', 'EmailAddress')
    address.objects.exclude(email=F('user__email')).delete()


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_shared_counters'),
        ('account', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(forget_former_addresses, migrations.RunPython.noop),
    ]
