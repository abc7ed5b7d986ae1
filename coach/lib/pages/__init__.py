"""What pages share: forms and what is typed into them, long lists, keys, the administration."""
