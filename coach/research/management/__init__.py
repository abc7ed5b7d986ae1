"""Commands for those who run a site."""
