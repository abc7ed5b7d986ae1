// What a file holds, read from a few of its bytes before anything is sent.

const MOST_BYTES = 8 * 2 ** 20; // of a table of contents; an hour's has about two
const BEGINNING_BYTES = 2 ** 20;

async function read(file, from, length) {
  return new Uint8Array(await file.slice(from, from + length).arrayBuffer());
}

// A character for each byte; what browsers call latin1 is windows-1252, which changes some.
function asText(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 2 ** 15) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 2 ** 15)));
  }
  return parts.join("");
}

// Whether one of the tracks is sound; undefined where no track was found.
function soundAmong(kinds, sound, picture) {
  if (kinds.includes(sound)) return true;
  return kinds.includes(picture) ? false : undefined;
}

// MP4 and QuickTime: boxes of a length and a name; the one called moov says which tracks there are.
async function soundInBoxes(file) {
  for (let at = 0, boxes = 0; at + 8 <= file.size && boxes < 1000; boxes += 1) {
    const head = new DataView((await read(file, at, 16)).buffer);
    const name = asText(new Uint8Array(head.buffer, 4, 4));
    let length = head.getUint32(0);
    if (length === 1 && head.byteLength === 16) length = Number(head.getBigUint64(8));
    if (length === 0) length = file.size - at;
    if (length < 8) return undefined;
    if (name === "moov") {
      const table = asText(await read(file, at, Math.min(length, MOST_BYTES)));
      const kinds = [...table.matchAll(/hdlr[\s\S]{8}([\s\S]{4})/g)].map((match) => match[1]);
      return soundAmong(kinds, "soun", "vide");
    }
    at += length;
  }
  return undefined;
}

// WebM and Matroska: after the name of the tracks, 83 81 is the kind of one: 01 picture, 02 sound.
function soundInElements(beginning) {
  const from = beginning.indexOf("\x16\x54\xae\x6b");
  if (from < 0) return undefined;
  const kinds = beginning.slice(from).split("\x83\x81").slice(1).map((rest) => rest[0]);
  return soundAmong(kinds, "\x02", "\x01");
}

// Whether there is sound; undefined where this cannot be told.
export async function hasSound(file) {
  const beginning = asText(await read(file, 0, BEGINNING_BYTES));
  if (beginning.startsWith("\x1a\x45\xdf\xa3")) return soundInElements(beginning);
  if (beginning.startsWith("RIFF") && beginning.slice(8, 12) === "AVI ") {
    return soundAmong(beginning.match(/auds|vids/g) ?? [], "auds", "vids");
  }
  return /^[\s\S]{4}(ftyp|moov|mdat|wide|free|skip)/.test(beginning) ? soundInBoxes(file) : undefined;
}

// Frames of AAC with nothing around them (.aac): a browser guesses their length from the first few.
async function isBareAac(file) {
  const [first, second] = await read(file, 0, 2);
  return first === 0xff && (second & 0xf6) === 0xf0;
}

// Length in seconds as far as this browser can tell; undefined where it cannot read the file.
export async function lengthOf(file) {
  if (await isBareAac(file)) return undefined;
  return new Promise((resolve) => {
    const probe = document.createElement("video");
    const url = URL.createObjectURL(file);
    const finish = (seconds) => {
      URL.revokeObjectURL(url);
      resolve(Number.isFinite(seconds) ? seconds : undefined);
    };
    probe.preload = "metadata";
    probe.onloadedmetadata = () => finish(probe.duration);
    probe.onerror = () => finish(undefined);
    setTimeout(() => finish(undefined), 4000);
    probe.src = url;
  });
}
