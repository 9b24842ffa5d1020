// @ts-check
/* global CSS, HTMLScriptElement, Request, URLSearchParams, atob */
/**
 * App Bridge of the stand-in: runs inside the app's iframe and speaks with the admin page around it (admin.js) by
 * postMessage. It does what Parasol uses of the real script: session tokens, navigation, save bar, modals, toasts, the
 * resource picker, scopes.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) throw new Error("App Bridge must be a classic script element");
  const adminOrigin = new URL(script.src).origin;
  const reloadTo = new URLSearchParams(location.search).get("shopify-reload");

  // The parameters come with the first page only: later pages of the same frame find them here.
  const query = new URLSearchParams(location.search);
  const config = {
    apiKey: script.dataset["apiKey"] ?? sessionStorage.getItem("app-bridge-api-key") ?? "",
    shop: query.get("shop") ?? sessionStorage.getItem("app-bridge-shop") ?? "",
    host: query.get("host") ?? sessionStorage.getItem("app-bridge-host") ?? "",
    locale: query.get("locale") ?? sessionStorage.getItem("app-bridge-locale") ?? "en",
  };
  sessionStorage.setItem("app-bridge-api-key", config.apiKey);
  sessionStorage.setItem("app-bridge-shop", config.shop);
  sessionStorage.setItem("app-bridge-host", config.host);
  sessionStorage.setItem("app-bridge-locale", config.locale);

  // --- messages --------------------------------------------------------------------------------------------------

  let lastId = 0;
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  /** @type {Map<string, (payload: any) => void>} */
  const onCommand = new Map();

  /** @param {string} type @param {unknown} [payload] */
  const tell = (type, payload) =>
    window.parent.postMessage({ from: "app-bridge", type, payload }, adminOrigin);
  /** @param {string} type @param {unknown} [payload] @returns {Promise<any>} */
  const ask = (type, payload) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      window.parent.postMessage({ from: "app-bridge", type, payload, id }, adminOrigin);
    });
  window.addEventListener("message", (event) => {
    if (event.origin !== adminOrigin || event.source !== window.parent || event.data?.from !== "admin")
      return;
    const { id, result, type, payload } = event.data;
    if (id !== undefined) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    } else onCommand.get(type)?.(payload);
  });

  // --- session tokens --------------------------------------------------------------------------------------------

  /** @type {{ token: string, until: number } | null} */
  let kept = null;
  /** @param {boolean} [fresh] */
  const idToken = async (fresh = false) => {
    // A token lives a minute; one that is about to end is not worth sending.
    if (!fresh && kept !== null && kept.until > Date.now() + 5000) return kept.token;
    const token = await ask("id-token");
    const body = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    kept = { token, until: JSON.parse(atob(body)).exp * 1000 };
    return token;
  };

  const plainFetch = window.fetch.bind(window);
  /** @type {typeof window.fetch} */
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin !== location.origin || request.headers.has("Authorization"))
      return plainFetch(input, init);
    const again = request.clone();
    request.headers.set("Authorization", `Bearer ${await idToken()}`);
    const response = await plainFetch(request);
    if (response.headers.has("X-Shopify-Retry-Invalid-Session-Request")) {
      again.headers.set("Authorization", `Bearer ${await idToken(true)}`);
      return plainFetch(again);
    }
    const reauthorize = response.headers.get("X-Shopify-API-Request-Failure-Reauthorize-Url");
    if (reauthorize !== null) tell("open", { url: new URL(reauthorize, location.href).href });
    return response;
  };

  // The app's bounce page: it only loads this script, which comes back with a token.
  if (reloadTo !== null) {
    void idToken(true).then((token) => {
      const url = new URL(reloadTo, location.href);
      if (url.origin !== location.origin) throw new Error(`App Bridge does not reload to ${url.origin}`);
      url.searchParams.set("id_token", token);
      location.replace(url);
    });
  }

  // --- navigation ------------------------------------------------------------------------------------------------

  const adminParameters = [
    "embedded",
    "hmac",
    "host",
    "id_token",
    "locale",
    "session",
    "shop",
    "timestamp",
    "shopify-reload",
  ];
  /** @type {{ save: () => void, discard: () => void } | null} */
  let openBar = null;
  const ownPath = () => {
    const url = new URL(location.href);
    for (const name of adminParameters) url.searchParams.delete(name);
    return url.pathname + url.search + url.hash;
  };
  const tellPath = () => tell("path", ownPath());
  for (const name of /** @type {const} */ (["pushState", "replaceState"])) {
    const plain = history[name].bind(history);
    history[name] = (data, unused, url) => {
      const before = location.pathname;
      plain(data, unused, url);
      // The real bar bounces, and the admin keeps its address: navigating all the same needs no confirmation.
      if (openBar !== null && location.pathname !== before)
        return console.error(`App Bridge: left ${before} with unsaved changes`);
      tellPath();
    };
  }
  window.addEventListener("popstate", tellPath);

  /** Admin addresses are for the page around; everything else is the app's own affair. @param {string} href */
  const adminAddress = (href) =>
    /^shopify:\/*admin\//i.test(href) ||
    href.startsWith("https://admin.shopify.com/") ||
    href.startsWith(`https://${config.shop}/admin`);

  const plainOpen = window.open.bind(window);
  window.open = (url, target, features) => {
    const href = String(url ?? "");
    if (adminAddress(href) || target === "_top" || target === "_parent") {
      tell("open", {
        url: adminAddress(href) ? href : new URL(href, location.href).href,
        newTab: target === "_blank",
      });
      return null;
    }
    return plainOpen(url, target, features);
  };
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href") ?? "";
    if (link === null || event.defaultPrevented || !adminAddress(href)) return;
    event.preventDefault();
    tell("open", { url: href, newTab: link.target === "_blank" });
  });

  let listensToNavigate = false;
  const plainListen = window.addEventListener.bind(window);
  window.addEventListener = (
    /** @type {string} */ type,
    /** @type {any} */ listener,
    /** @type {any} */ options,
  ) => {
    if (type === "shopify:navigate") listensToNavigate = true;
    plainListen(type, listener, options);
  };
  /** As the real one: an event that routers listen to; a plain page load without a listener. @param {Element | null} link */
  const follow = (link) => {
    const href = link?.getAttribute("href");
    if (link == null || href == null) return;
    if (listensToNavigate)
      link.dispatchEvent(new CustomEvent("shopify:navigate", { bubbles: true, cancelable: true }));
    else location.assign(href);
  };

  // --- bars ------------------------------------------------------------------------------------------------------

  /** Hidden in the page; calls `changed` when it or what is in it changes. */
  class Reporting extends HTMLElement {
    /** @type {MutationObserver | undefined} */
    observer;

    connectedCallback() {
      this.style.display = "none";
      this.observer = new MutationObserver(() => this.changed());
      this.observer.observe(this, { attributes: true, childList: true, subtree: true, characterData: true });
      this.changed();
    }

    disconnectedCallback() {
      this.observer?.disconnect();
      this.gone();
    }

    changed() {}

    gone() {}
  }

  class NavMenu extends Reporting {
    /** @override */
    changed() {
      const links = [...this.querySelectorAll("a, s-link")].filter(
        (link) => link.getAttribute("rel") !== "home",
      );
      const items = links.map((link) => ({
        label: link.textContent?.trim() ?? "",
        href: link.getAttribute("href") ?? "",
      }));
      tell("nav", { items, path: ownPath() });
      onCommand.set("navigate", (href) =>
        follow(
          this.querySelector(`a[href="${CSS.escape(href)}"], s-link[href="${CSS.escape(href)}"]`) ??
            homeLink(this, href),
        ),
      );
    }
  }
  /** @param {Element} menu @param {string} href */
  const homeLink = (menu, href) => (href === "/" ? menu.querySelector('[rel="home"]') : null);
  customElements.define("ui-nav-menu", NavMenu);
  customElements.define("s-app-nav", class extends NavMenu {});

  /** @param {{ save: () => void, discard: () => void }} bar @param {{ saving: boolean }} [state] */
  const showBar = (bar, state = { saving: false }) => {
    openBar = bar;
    tell("save-bar", { open: true, ...state });
  };
  /** @param {object | null} bar */
  const hideBar = (bar) => {
    if (bar !== null && openBar !== bar) return;
    openBar = null;
    tell("save-bar", { open: false, saving: false });
  };
  onCommand.set("save", () => openBar?.save());
  onCommand.set("discard", () => openBar?.discard());

  class SaveBar extends Reporting {
    showing = false;
    bar = {
      save: () => this.primary()?.click(),
      discard: () => {
        const button = this.querySelector("button:not([variant='primary'])");
        if (button instanceof HTMLElement) button.click();
      },
    };

    primary() {
      const button = this.querySelector("button[variant='primary']");
      return button instanceof HTMLElement ? button : null;
    }

    show() {
      this.showing = true;
      this.changed();
      this.dispatchEvent(new CustomEvent("show"));
      return Promise.resolve();
    }

    hide() {
      if (!this.showing) return Promise.resolve();
      this.showing = false;
      hideBar(this.bar);
      this.dispatchEvent(new CustomEvent("hide"));
      return Promise.resolve();
    }

    /** @override */
    changed() {
      const loading = this.primary()?.getAttribute("loading");
      if (this.showing) showBar(this.bar, { saving: loading != null && loading !== "false" });
    }

    /** @override */
    gone() {
      void this.hide();
    }
  }
  customElements.define("ui-save-bar", SaveBar);

  // --- modal -----------------------------------------------------------------------------------------------------

  class Modal extends HTMLElement {
    dialog = document.createElement("dialog");
    heading = document.createElement("h2");
    body = document.createElement("div");
    actions = document.createElement("div");

    constructor() {
      super();
      this.dialog.style.cssText =
        "border:0;border-radius:12px;padding:0;width:min(620px,92vw);max-height:85vh;box-shadow:0 20px 60px #0004;font:14px/1.5 system-ui,sans-serif";
      this.heading.style.cssText =
        "margin:0;padding:12px 16px;font-size:14px;background:#f3f3f3;border-bottom:1px solid #ddd";
      this.actions.style.cssText =
        "display:flex;gap:8px;justify-content:flex-end;padding:12px 16px;border-top:1px solid #ddd";
      this.dialog.append(this.heading, this.body, this.actions);
      this.dialog.addEventListener("close", () => this.dispatchEvent(new CustomEvent("hide")));
    }

    connectedCallback() {
      this.style.display = "none";
      document.body.append(this.dialog);
    }

    disconnectedCallback() {
      this.dialog.remove();
    }

    get content() {
      return this.body;
    }

    show() {
      if (this.dialog.open) return Promise.resolve();
      const bar = this.querySelector("ui-title-bar");
      this.heading.textContent = bar?.getAttribute("title") ?? "";
      // Without React, the content is the element's own children.
      for (const child of [...this.children])
        if (child !== bar && child.textContent?.trim() !== "") this.body.append(child);
      this.actions.replaceChildren(
        ...[...(bar?.querySelectorAll("button") ?? [])].map((button) => {
          const copy = document.createElement("button");
          copy.textContent = button.textContent;
          const primary = button.getAttribute("variant") === "primary";
          const fill = button.getAttribute("tone") === "critical" ? "#c70a24" : "#303030";
          copy.style.cssText = `font:inherit;padding:6px 12px;border-radius:8px;border:1px solid #0003;cursor:pointer;${primary ? `background:${fill};color:#fff` : "background:#fff"}`;
          copy.addEventListener("click", () => button.click());
          return copy;
        }),
      );
      this.actions.hidden = this.actions.childElementCount === 0;
      if (this.actions.hidden) this.actions.style.display = "none";
      this.dialog.showModal();
      this.dispatchEvent(new CustomEvent("show"));
      return Promise.resolve();
    }

    hide() {
      if (this.dialog.open) this.dialog.close();
      return Promise.resolve();
    }
  }
  customElements.define("ui-modal", Modal);

  // --- the global ------------------------------------------------------------------------------------------------

  /** @param {string} id @param {string} tag */
  const byId = (id, tag) => {
    const element = document.getElementById(id);
    if (element?.localName !== tag) throw new Error(`There is no <${tag} id="${id}">`);
    return /** @type {any} */ (element);
  };
  /** @type {any} */ (window).shopify = {
    config,
    origin: adminOrigin,
    ready: Promise.resolve(),
    environment: { mobile: false, embedded: true, pos: false },
    idToken: () => idToken(),
    loading: (/** @type {boolean} */ on) => tell("loading", on !== false),
    toast: { show: (/** @type {string} */ message) => tell("toast", message) },
    saveBar: {
      show: (/** @type {string} */ id) => byId(id, "ui-save-bar").show(),
      hide: (/** @type {string} */ id) => byId(id, "ui-save-bar").hide(),
      leaveConfirmation: async () => {
        // As documented: settled where no bar is shown, or once the merchant confirms; otherwise never.
        if (openBar === null || (await ask("leave-confirmation"))) return;
        await new Promise(() => {});
      },
    },
    modal: {
      show: (/** @type {string} */ id) => byId(id, "ui-modal").show(),
      hide: (/** @type {string} */ id) => byId(id, "ui-modal").hide(),
    },
    resourcePicker: async (
      /** @type {{ type: string, multiple?: boolean | number, query?: string }} */ options,
    ) => {
      const chosen = await ask("resource-picker", {
        type: options.type,
        multiple: options.multiple ?? false,
        query: options.query ?? "",
      });
      if (chosen === null) return undefined;
      chosen.selection = chosen;
      return chosen;
    },
    app: { extensions: () => ask("extensions") },
    scopes: {
      query: () => ask("scopes"),
      request: (/** @type {string[]} */ scopes) => ask("scopes-request", scopes),
    },
  };
  tellPath();

  // Outside the admin's frame nothing would answer a request for a token, so the real script goes to the admin. A
  // visitor who takes pictures of the app alone disables that by this name, which the app never sets.
  if (window.parent === window && !("isPicturedAlone" in window) && reloadTo === null) {
    const store = config.shop.replace(/\..*/, "");
    location.replace(`${adminOrigin}/store/${store}/apps/${config.apiKey}${ownPath()}`);
  }
})();
