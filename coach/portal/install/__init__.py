"""Installation on a phone: the web app manifest, the service worker and the offline page."""
