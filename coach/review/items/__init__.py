"""An item as coaches see it: decisions in words, moments as typed, who else changed it."""
