"""Recordings that come in pieces and can be gone on with: the tus protocol, version 1.0.0.

https://tus.io/protocols/resumable-upload. `protocol` reads headers, `receiving` keeps bytes,
`views` answers. An upload belongs to whoever began it; to everybody else there is none.
"""

from __future__ import annotations
