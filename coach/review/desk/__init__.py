"""Review page of a take, from its items to a preview of the released feedback."""
