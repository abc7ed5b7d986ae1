// Going from item to item by keys.

// The item before (-1) or after (1) the current one: at either end it stays, without one the first is next.
export function beside(all, current, by) {
  const here = all.indexOf(current);
  return all[here < 0 ? 0 : Math.min(Math.max(here + by, 0), all.length - 1)] ?? null;
}

export function comeTo(item) {
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}
