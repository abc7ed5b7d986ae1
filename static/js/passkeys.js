// What a person is told when their device refuses a passkey, or they cancel.
const failed = document.querySelector("[data-passkey-failed]");
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  failed.hidden = false;
});
for (const button of document.querySelectorAll("#passkey_add, #passkey_use, #passkey_login")) {
  button.addEventListener("click", () => {
    failed.hidden = true;
  });
}
