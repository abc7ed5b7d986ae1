// Times are written as they are where their reader is: the site is told by which clock, and pages go by it from then on.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const told = `rostrum_zone=${zone}`;
if (zone && !document.cookie.split("; ").includes(told)) {
  const secure = location.protocol === "https:" ? ";secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 and older Safaris have no Cookie Store API
  document.cookie = `${told};path=/;max-age=31536000;samesite=lax${secure}`;
}
