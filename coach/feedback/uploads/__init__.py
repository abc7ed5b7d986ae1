"""How a recording comes in: the page for it, and what becomes of what arrived."""
