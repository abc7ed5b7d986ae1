"""Departments: their groups, and administrators who see only these."""
