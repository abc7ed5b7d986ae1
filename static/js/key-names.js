// What a key is called, here and in the list of all keys: "a", "?", "ArrowUp", "Shift+ArrowUp", "Space".

export function nameOf(event) {
  if (event.key === " ") return "Space";
  if (event.key.length === 1) return event.key.toLowerCase();
  return event.shiftKey ? `Shift+${event.key}` : event.key;
}
