// What this browser can write into a file: picture and sound, or one of the two alone.

const KINDS = {
  picture: ["video/webm;codecs=vp8,opus", "video/webm", "video/mp4"],
  sound: ["audio/webm;codecs=opus", "audio/webm", "audio/mp4"],
};

export const kindOf = (what) => KINDS[what].find((each) => MediaRecorder.isTypeSupported(each));
