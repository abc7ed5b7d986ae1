// What was recorded, kept in this browser piece by piece until all of it has arrived at the site.
// A page that is closed, a browser that crashes or a line that breaks loses nothing of it.

const NAME = "rostrum-takes";
const KEPT_MS = 14 * 24 * 3600 * 1000; // as long as the site keeps what waits, unless it says otherwise

let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("takes", { keyPath: "id" });
      asked.result.createObjectStore("pieces", { keyPath: ["take", "number"] });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

async function act(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(["takes", "pieces"], mode, { durability: "strict" });
    const asked = work(transaction.objectStore("takes"), transaction.objectStore("pieces"));
    transaction.oncomplete = () => resolve(asked?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

const ofTake = (id) => IDBKeyRange.bound([id, 0], [id, Number.MAX_SAFE_INTEGER]);

// Those of one person, oldest first; what lay here for too long is removed.
export async function takesOf(owner) {
  const all = await act("readonly", (takes) => takes.getAll());
  const old = all.filter((take) => Date.now() - take.began > KEPT_MS);
  await Promise.all(old.map((take) => forget(take.id)));
  return all.filter((take) => take.owner === owner && !old.includes(take)).sort((a, b) => a.began - b.began);
}

export function keep(take) {
  return act("readwrite", (takes) => takes.put(take));
}

// The take's row goes with each piece: together they are always true.
export function keepPiece(take, number, blob) {
  return act("readwrite", (takes, pieces) => {
    takes.put(take);
    return pieces.put({ take: take.id, number, blob });
  });
}

export function piecesOf(id) {
  return act("readonly", (_takes, pieces) => pieces.getAll(ofTake(id)));
}

export function forget(id) {
  return act("readwrite", (takes, pieces) => {
    takes.delete(id);
    pieces.delete(ofTake(id));
  });
}

export async function wholeOf(take) {
  const pieces = await piecesOf(take.id);
  return new Blob(pieces.map((piece) => piece.blob), { type: take.kind });
}

// For tus-js-client: bytes as they come, also those that are not there yet.
export class Source {
  constructor(take) {
    this.take = take;
    this.size = null;
    this.news = () => {};
  }

  // A piece was kept, or the last one was.
  tell() {
    this.news();
  }

  async slice(start, end) {
    while (start >= this.take.bytes && !this.take.ended) {
      await new Promise((resolve) => { this.news = resolve; });
    }
    const last = Math.min(end, this.take.bytes);
    const done = this.take.ended && last >= this.take.bytes;
    if (start >= last) return { value: null, done };
    const parts = [];
    let at = 0;
    for (const { blob } of await piecesOf(this.take.id)) {
      const [from, to] = [Math.max(start - at, 0), Math.min(last - at, blob.size)];
      if (from < to) parts.push(blob.slice(from, to));
      at += blob.size;
    }
    const value = new Blob(parts);
    // What the browser has lost of its own store must not pass for the whole.
    if (value.size !== last - start) throw new Error("pieces of this take are missing");
    return { value, done };
  }

  close() {}
}

export const reader = { openFile: (source) => Promise.resolve(source) };
