/** Themes without Ajax let the browser send their form: this adds both, then goes on to the page that the form leads to. */
import { addWithPlans, canCarryChoice, choices } from "./add-to-cart.ts";
import { root } from "./root.ts";

const submit: (this: HTMLFormElement) => void = Reflect.get(HTMLFormElement.prototype, "submit");

HTMLFormElement.prototype.submit = function submitForm() {
  if (!sendWithPlans(this)) submit.call(this);
};

addEventListener("submit", (event) => {
  if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
  if (sendWithPlans(event.target, event.submitter)) event.preventDefault();
});

/** @returns whether the form is sent here */
function sendWithPlans(form: HTMLFormElement, submitter?: HTMLElement | null): boolean {
  // A field of the form can be called "action" or "method".
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  const body = new FormData(form);
  const chosen = [...choices.values()].map(({ variant }) => variant);
  const hasChoice = [...body].some(
    ([name, value]) => /(^|\[)id]?$/.test(name) && typeof value === "string" && chosen.includes(value),
  );
  if (!hasChoice || !canCarryChoice(action, form.getAttribute("method") ?? "get")) return false;
  // Of a double click: the first one is under way.
  if (form.ariaBusy) return true;
  form.ariaBusy = "true";
  const request = new Request(`${root}cart/add.js`, { method: "POST", body });
  void addWithPlans(request)
    .catch(() => undefined)
    .then((response) => {
      form.ariaBusy = null;
      // Where the shop refuses, it says so on a page of its own.
      if (response?.ok) location.assign(pageAfter(body.get("return_to")));
      else submit.call(form);
    });
  return true;
}

/** As the shop reads the field: a path of its own, or the page where the shopper is. */
function pageAfter(returnTo: FormDataEntryValue | null): string {
  if (returnTo === "back") return location.href;
  return typeof returnTo === "string" && /^\/(?!\/)/.test(returnTo) ? returnTo : `${root}cart`;
}
