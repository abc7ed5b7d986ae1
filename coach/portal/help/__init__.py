"""The guides of docs/, shown by the site."""
