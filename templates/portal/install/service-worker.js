// Shows a page of its own while there is no connection. It stores that page, its style and an icon,
// and nothing else: no other page, no report and no answer of the site.
const CACHE = "{{ cache|escapejs }}";
const PAGE = "{{ page|escapejs }}";
const FILES = [PAGE{% for file in files %}, "{{ file|escapejs }}"{% endfor %}];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("rostrum-offline-") && name !== CACHE;
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.registration.navigationPreload?.enable())
      .then(() => self.clients.claim()),
  );
});

async function page(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch (problem) {
    const stored = await caches.match(PAGE);
    if (stored) return stored;
    throw problem;
  }
}

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate") {
    event.respondWith(page(event));
  } else if (FILES.includes(new URL(event.request.url).pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request)));
  }
});
