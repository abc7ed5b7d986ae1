// What this browser can write into a file: picture and sound, or one of the two alone.

const KINDS = {
  picture: { webm: ["video/webm;codecs=vp8,opus", "video/webm"], mp4: ["video/mp4"] },
  sound: { webm: ["audio/webm;codecs=opus", "audio/webm"], mp4: ["audio/mp4"] },
};

// Safari, and every browser on an iPhone or iPad, is WebKit. From 18.4 on it also says yes to WebM, which
// cannot say that a picture is turned: a telephone held upright would film lying on its side (WebKit bug
// 290223). So MP4 comes first there. No feature tells, since WebKit says yes to both. `vendor` is fixed for
// each engine by the HTML Standard; the other half is for apps that change it, and names no version:
// Chromium alone says "Chrome/" beside "AppleWebKit/". Chromium and Firefox stay with WebM: they write
// pictures upright, Firefox writes no MP4, and Chromium only since 126 and not in every build.
const isWebKit = () => navigator.vendor.startsWith("Apple")
  || (/AppleWebKit\//.test(navigator.userAgent) && !/Chrom(e|ium)\//.test(navigator.userAgent));

function kinds(what) {
  const { webm, mp4 } = KINDS[what];
  return isWebKit() ? [...mp4, ...webm] : [...webm, ...mp4];
}

export const kindOf = (what) => kinds(what).find((each) => MediaRecorder.isTypeSupported(each));
