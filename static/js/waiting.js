// While an analysis runs: a person who is writing on the page is not taken away to the report that is ready.

const place = document.querySelector("[data-meanwhile]");
const touched = new WeakSet();

if (place) {
  place.addEventListener("input", (event) => touched.add(event.target.form));
  const isWriting = () => place.contains(document.activeElement)
    || [...place.querySelectorAll("form")].some((form) => touched.has(form));
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.target.id === "progress" && isWriting()) event.detail.parameters.stay = "1";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && event.target instanceof HTMLFormElement) touched.delete(event.target);
  });
}
