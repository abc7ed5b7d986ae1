// What other modules follow of a recording: events `begun`, `paused`, `resumed`, `ended`, each with `detail.seconds`.

export const recording = new EventTarget();

let now = () => 0;

export const seconds = () => now(); // recorded so far, without pauses

export function follow(clock) {
  now = clock;
}

export function announce(name) {
  recording.dispatchEvent(new CustomEvent(name, { detail: { seconds: now() } }));
}
