// Hands on what a microphone hears, in the thread of the sound.

class Listener extends globalThis.AudioWorkletProcessor {
  process([input]) {
    if (input[0]?.length) this.port.postMessage(input[0].slice());
    return true;
  }
}

globalThis.registerProcessor("listener", Listener);
