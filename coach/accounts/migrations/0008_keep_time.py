
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0007_names_in_words'),
    ]

    operations = [
        migrations.AddField(
            model_name='cohort',
            name='keep_exports_days',
            field=models.PositiveIntegerField(blank=True, default=365, help_text='Then researchers delete their copies. Empty: no time is set.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='research downloads are kept for (days)'),
        ),
        migrations.AddField(
            model_name='cohort',
            name='keep_media_days',
            field=models.PositiveIntegerField(blank=True, default=365, help_text='Then the recording goes and its report stays. Empty: until its owner deletes it.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='recordings are kept for (days)'),
        ),
        migrations.AddField(
            model_name='cohort',
            name='keep_reports_days',
            field=models.PositiveIntegerField(blank=True, default=1095, help_text='Then the whole take goes. Empty: until its owner deletes it.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='reports are kept for (days)'),
        ),
        migrations.AddField(
            model_name='cohort',
            name='keep_uploads_days',
            field=models.PositiveIntegerField(blank=True, help_text='Uploads that nobody decided on. Empty: as the site does it.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='uploads that wait are kept for (days)'),
        ),
        migrations.CreateModel(
            name='LegalHold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField(help_text='Those concerned read this.', max_length=500, verbose_name='reason')),
                ('set_at', models.DateTimeField(auto_now_add=True, verbose_name='since')),
                ('lifted_at', models.DateTimeField(blank=True, editable=False, null=True, verbose_name='lifted')),
                ('cohort', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='holds', to='accounts.cohort', verbose_name='cohort')),
                ('set_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='set by')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='holds', to=settings.AUTH_USER_MODEL, verbose_name='person')),
            ],
            options={
                'verbose_name': 'legal hold',
                'verbose_name_plural': 'legal holds',
                'constraints': [models.CheckConstraint(condition=models.Q(('user__isnull', False), ('cohort__isnull', False), _connector='XOR'), name='a_hold_is_on_a_person_or_a_cohort')],
            },
        ),
    ]
