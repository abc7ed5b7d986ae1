"""Research: studies, coding of interviews and takes, and consented, pseudonymised exports."""
