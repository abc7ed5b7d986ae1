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

// Those of one person, oldest first; what lay here for too long is removed, by the clock of the site (`now`): one of
// this machine that was years behind, and is put right, must cost nobody a recording. Those that were kept before the
// site's clock was asked (`since`) know this machine's alone, right or not.
export async function takesOf(owner, now) {
  const all = await act("readonly", (takes) => takes.getAll());
  const age = (take) => (take.since ? now - take.since : Date.now() - take.began);
  const old = all.filter((take) => age(take) > KEPT_MS);
  await Promise.all(old.map((take) => forget(take.id)));
  return all.filter((take) => take.owner === owner && !old.includes(take)).sort((a, b) => a.began - b.began);
}

export function keep(take) {
  return act("readwrite", (takes) => takes.put(take));
}

// Private windows of Safari keep bytes, but no blobs, and one that was refused blocks its database from
// then on: it is tried in another one, which may not answer once it is blocked. Elsewhere blobs are
// better, since they come back without being read.
const TRIAL = "rostrum-trial";
const TRIAL_MS = 3000;
let trial = null;

function keepsBlobs() {
  trial ??= new Promise((resolve) => {
    setTimeout(() => resolve(false), TRIAL_MS);
    const asked = indexedDB.open(TRIAL, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("blobs");
    asked.onerror = () => resolve(false);
    asked.onsuccess = () => {
      try {
        const put = asked.result.transaction("blobs", "readwrite").objectStore("blobs").put(new Blob(["1"]), 1);
        put.onsuccess = () => resolve(true);
        put.onerror = () => resolve(false);
      } catch {
        resolve(false);
      }
      asked.result.close(); // once what was asked is done
      indexedDB.deleteDatabase(TRIAL);
    };
  });
  return trial;
}

// The take's row goes with each piece: together they are always true.
export async function keepPiece(take, number, blob) {
  const kept = (await keepsBlobs()) ? blob : await blob.arrayBuffer();
  return act("readwrite", (takes, pieces) => {
    takes.put(take);
    return pieces.put({ take: take.id, number, blob: kept });
  });
}

export async function piecesOf(id, after = 0) {
  const range = IDBKeyRange.bound([id, after + 1], [id, Number.MAX_SAFE_INTEGER]);
  const pieces = await act("readonly", (_takes, all) => all.getAll(range));
  return pieces.map(({ number, blob }) => ({ number, blob: new Blob([blob]) }));
}

export function forget(id) {
  return act("readwrite", (takes, pieces) => {
    takes.delete(id);
    pieces.delete(ofTake(id));
  });
}

export async function wholeOf(take) {
  const pieces = await piecesOf(take.id);
  return new Blob(pieces.map(({ blob }) => blob), { type: take.kind });
}

// For tus-js-client: bytes as they come, also those that are not there yet.
export class Source {
  constructor(take) {
    this.take = take;
    this.size = null;
    this.before = { piece: 0, bytes: 0 }; // what lies before the last slice is not read again
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
    if (start < this.before.bytes) this.before = { piece: 0, bytes: 0 };
    let { bytes: at } = this.before;
    for (const { number, blob } of await piecesOf(this.take.id, this.before.piece)) {
      const [from, to] = [Math.max(start - at, 0), Math.min(last - at, blob.size)];
      if (from < to) parts.push(blob.slice(from, to));
      at += blob.size;
      if (at <= start) this.before = { piece: number, bytes: at };
    }
    const value = new Blob(parts);
    // What the browser has lost of its own store must not pass for the whole.
    if (value.size !== last - start) throw new Error("pieces of this take are missing");
    return { value, done };
  }

  close() {}
}

export const reader = { openFile: (source) => Promise.resolve(source) };
