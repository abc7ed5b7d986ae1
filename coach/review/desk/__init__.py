"""The review page of a take, from its items to the preview of the release."""
