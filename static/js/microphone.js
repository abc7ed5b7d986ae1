// What the microphone hears: its level now, and the last seconds of it at 16 kHz for the check.

const SECONDS = 3;
const RATE_HZ = 16_000;
const FLOOR_DB = -60;

export class Microphone {
  constructor() {
    this.at = 0;
    this.power = 0;
  }

  async open(stream, module) {
    this.context = new AudioContext();
    // Not waited for: where nothing can play sound Firefox never begins, and all else would wait with it.
    this.context.resume().catch(() => {});
    await this.context.audioWorklet.addModule(module);
    this.heard = new Float32Array(Math.round(this.context.sampleRate * SECONDS));
    this.node = new AudioWorkletNode(this.context, "listener", { numberOfOutputs: 0 });
    this.node.port.onmessage = ({ data }) => this.hear(data);
    this.context.createMediaStreamSource(stream).connect(this.node);
  }

  hear(samples) {
    let sum = 0;
    for (const sample of samples) {
      this.heard[this.at++ % this.heard.length] = sample;
      sum += sample * sample;
    }
    this.power = 0.9 * this.power + 0.1 * (sum / samples.length);
  }

  // In relation to full scale.
  decibels() {
    return 10 * Math.log10(this.power + 1e-10);
  }

  // 0 for silence to 1 for full scale, in decibels as ears hear it.
  level() {
    return Math.min(1, Math.max(0, 1 - this.decibels() / FLOOR_DB));
  }

  // 16-bit samples in order; null until a second has been heard.
  sample() {
    if (!this.at || this.at < this.context.sampleRate) return null;
    const length = Math.min(this.at, this.heard.length);
    const step = this.context.sampleRate / RATE_HZ;
    const result = new Int16Array(Math.floor(length / step));
    const first = this.at - length;
    for (let index = 0; index < result.length; index += 1) {
      const [from, to] = [Math.floor(index * step), Math.floor((index + 1) * step)];
      let sum = 0;
      for (let place = from; place < to; place += 1) sum += this.heard[(first + place) % this.heard.length];
      result[index] = Math.round(Math.max(-1, Math.min(1, sum / Math.max(1, to - from))) * 32767);
    }
    return result;
  }

  close() {
    this.node?.disconnect();
    this.context?.close();
  }
}
