"""Access of an administrator to one recording in an emergency: with a reason, for an hour."""
