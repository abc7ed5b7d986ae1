// Times of a recording: said and read as analysis/clock.py does, so that every 1:02:03 agrees.

export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// A cell of a table may hold a plain number or nothing at all: 0 then.
export function secondsOf(text) {
  return text.trim().split(":").reduce((total, part) => total * 60 + Number(part), 0);
}
