// A read-only look: one key opens the review page.

import { register } from "./shortcuts.js";

register("open-desk", () => document.querySelector("[data-open-desk]").click());
