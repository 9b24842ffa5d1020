// @ts-check
/* global HTMLIFrameElement, HTMLInputElement */
/** The admin page around the app: answers App Bridge (app-bridge.js) and shows what the app sends it. */
(() => {
  const frame = document.getElementById("app-frame");
  if (!(frame instanceof HTMLIFrameElement)) return;
  const { base = "", locale = "fr" } = document.body.dataset;
  const appPath = `${base}/apps/${frame.dataset["handle"] ?? ""}`;
  const appOrigin = new URL(frame.src).origin;
  const words = locale.startsWith("fr")
    ? {
        choose: "Choisir",
        cancel: "Annuler",
        pick: "Sélectionner des produits",
        leave: "Quitter sans enregistrer ?",
      }
    : { choose: "Select", cancel: "Cancel", pick: "Select products", leave: "Leave without saving?" };

  /** @param {string} id */
  const element = (id) => {
    const found = document.getElementById(id);
    if (found === null) throw new Error(`no #${id}`);
    return found;
  };
  /** @param {string} type @param {unknown} [payload] */
  const command = (type, payload) =>
    frame.contentWindow?.postMessage({ from: "admin", type, payload }, appOrigin);

  /** @param {{ url: string, newTab?: boolean }} target */
  const open = ({ url, newTab = false }) => {
    const path =
      /^(?:shopify:\/*admin|https:\/\/admin\.shopify\.com\/store\/[^/]+|https:\/\/[^/]+\/admin)(\/.*)?$/i.exec(
        url,
      );
    const address = path === null ? url : base + (path[1] ?? "");
    if (newTab) window.open(address, "_blank", "noopener");
    else location.assign(address);
  };

  /** @param {{ items: { label: string, href: string }[], path: string }} nav */
  const showNav = ({ items, path }) => {
    const current = new URL(path, appOrigin).pathname;
    element("app-nav").replaceChildren(
      ...items.map(({ label, href }) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = appPath + href;
        link.textContent = label;
        if (new URL(href, appOrigin).pathname === current) link.setAttribute("aria-current", "page");
        link.addEventListener("click", (event) => {
          event.preventDefault();
          document.body.classList.remove("nav-open");
          command("navigate", href);
        });
        item.append(link);
        return item;
      }),
    );
  };

  /**
   * It is seen for five seconds and stays in the document until the next one: a busy machine may look later.
   * @param {string} message
   */
  const showToast = (message) => {
    for (const old of document.querySelectorAll(".toast[hidden]")) old.remove();
    const box = document.createElement("div");
    box.className = "toast";
    box.setAttribute("role", "status");
    box.append(message);
    element("toasts").append(box);
    setTimeout(() => (box.hidden = true), 5000);
  };

  /** @param {{ type: string, multiple: boolean | number, query: string }} request */
  const pick = async ({ type, multiple, query }) => {
    const response = await fetch(
      `${base}/picker?type=${encodeURIComponent(type)}&query=${encodeURIComponent(query)}`,
    );
    /** @type {{ id: string, title: string, image: string | null }[]} */
    const resources = await response.json();
    const dialog = document.createElement("dialog");
    dialog.innerHTML = `<form method="dialog"><h2>${words.pick}</h2><ul></ul><p>
      <button value="cancel">${words.cancel}</button><button value="choose" class="primary">${words.choose}</button>
    </p></form>`;
    dialog.querySelector("ul")?.append(
      ...resources.map(({ id, title }) => {
        const label = document.createElement("label");
        const box = document.createElement("input");
        box.type = multiple === false ? "radio" : "checkbox";
        box.name = "resource";
        box.value = id;
        label.append(box, title);
        return label;
      }),
    );
    document.body.append(dialog);
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    const ids = [...dialog.querySelectorAll("input:checked")].map((box) =>
      box instanceof HTMLInputElement ? box.value : "",
    );
    dialog.remove();
    return dialog.returnValue === "choose" ? resources.filter(({ id }) => ids.includes(id)) : null;
  };

  let leaving = false;
  /** @type {Record<string, (payload: any) => unknown>} */
  const answers = {
    "id-token": async () => (await (await fetch(`${base}/session-token`, { method: "POST" })).json()).token,
    extensions: async () => (await fetch(`${base}/extensions`)).json(),
    scopes: async () => (await fetch(`${base}/scopes`)).json(),
    "scopes-request": async (/** @type {string[]} */ scopes) => {
      if (!window.confirm(scopes.join("\n"))) return { result: "declined-all", detail: null };
      const answer = await fetch(`${base}/scopes`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(scopes),
      });
      return { result: "granted-all", detail: await answer.json() };
    },
    "resource-picker": pick,
    "leave-confirmation": () => window.confirm(words.leave),
    path: (/** @type {string} */ path) => {
      if (leaving) return;
      history.replaceState(null, "", appPath + (path === "/" ? "" : path));
      for (const link of element("app-nav").querySelectorAll("a"))
        if (new URL(link.href).pathname === location.pathname) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    },
    nav: showNav,
    toast: showToast,
    loading: (/** @type {boolean} */ on) => document.body.classList.toggle("loading", on),
    "save-bar": (/** @type {{ open: boolean, saving: boolean }} */ bar) => {
      document.body.classList.toggle("saving-bar", bar.open);
      for (const button of element("save-bar").querySelectorAll("button")) button.disabled = bar.saving;
    },
    open: (/** @type {{ url: string }} */ target) => {
      leaving = true;
      open(target);
    },
  };
  window.addEventListener("message", async (event) => {
    if (
      event.source !== frame.contentWindow ||
      event.origin !== appOrigin ||
      event.data?.from !== "app-bridge"
    )
      return;
    const { id, type, payload } = event.data;
    const answer = answers[type];
    if (answer === undefined)
      throw new Error(`App Bridge asks for ${type}, which the stand-in does not know`);
    const result = await answer(payload);
    if (id !== undefined) frame.contentWindow?.postMessage({ from: "admin", id, result }, appOrigin);
  });
  element("save").addEventListener("click", () => command("save"));
  element("discard").addEventListener("click", () => command("discard"));
})();
