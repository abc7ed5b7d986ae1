"""A server for resumable uploads of recordings: the tus protocol, version 1.0.0.

https://tus.io/protocols/resumable-upload. `protocol` parses headers, `receiving` stores bytes,
`views` responds. An upload belongs to the user who began it; for others it does not exist.
"""

from __future__ import annotations
