// One module: what this theme does is what counts, not how it is split. Carts are drawn from sections; everything that
// changes the cart announces it with the standard event before the change and resolves the event's promise after it.
const json = { "Content-Type": "application/json", Accept: "application/json" };

function announce(target, action, lines) {
  let resolve, reject;
  const promise = new Promise((done, failed) => ([resolve, reject] = [done, failed]));
  promise.catch(() => undefined);
  const event = new Event("shopify:cart:lines-update", { bubbles: true });
  target.dispatchEvent(Object.assign(event, { action, context: "cart", lines, promise }));
  return { resolve, reject };
}

const standardCart = (cart) => ({
  totalQuantity: cart.item_count,
  cost: { totalAmount: { amount: String(cart.total_price / 100), currencyCode: cart.currency } },
});

function drawSection(id, html) {
  const fresh = new DOMParser()
    .parseFromString(html, "text/html")
    .querySelector(`cart-items-component[data-section-id="${id}"]`);
  document
    .querySelector(`cart-items-component[data-section-id="${id}"]`)
    ?.replaceChildren(...(fresh?.childNodes ?? []));
}

const cartSections = () => [
  ...new Set([...document.querySelectorAll("cart-items-component")].map((each) => each.dataset.sectionId)),
];

class CartItemsComponent extends HTMLElement {
  connectedCallback() {
    this.abort = new AbortController();
    const { signal } = this.abort;
    document.addEventListener("shopify:cart:lines-update", (event) => void this.follow(event), { signal });
    this.addEventListener(
      "change",
      (event) => event.target.dataset.line && this.setQuantity(event.target.dataset.line, event.target.value),
      { signal },
    );
    this.addEventListener(
      "click",
      (event) => {
        const button = event.target.closest("[data-remove]");
        if (button) this.setQuantity(button.dataset.remove, 0);
      },
      { signal },
    );
  }

  disconnectedCallback() {
    this.abort.abort();
  }

  async follow(event) {
    const external = !(event.target instanceof Node) || !this.contains(event.target);
    const { detail } = await event.promise.catch(() => ({}));
    const { sectionId } = this.dataset;
    if (detail?.sections?.[sectionId]) drawSection(sectionId, detail.sections[sectionId]);
    else if (external && detail) {
      const response = await fetch(`${location.pathname}?section_id=${sectionId}`);
      drawSection(sectionId, await response.text());
    }
  }

  async setQuantity(line, quantity) {
    this.setAttribute("aria-busy", "true");
    const row = this.querySelectorAll(".line")[line - 1];
    const { resolve, reject } = announce(this, Number(quantity) > 0 ? "update" : "remove", [
      { id: row?.dataset.key, quantity: Number(quantity) },
    ]);
    // What is taken out is gone at once, with all that is nested under it.
    if (Number(quantity) === 0 && row)
      for (const each of this.querySelectorAll(".line"))
        if (each === row || each.dataset.parentKey === row.dataset.key) each.remove();
    try {
      const sections = cartSections().join(",");
      const response = await fetch("/cart/change", {
        method: "POST",
        headers: json,
        body: JSON.stringify({
          line: Number(line),
          quantity: Number(quantity),
          sections,
          sections_url: location.pathname,
        }),
      });
      const cart = await response.json();
      if (cart.errors) throw new Error(cart.errors);
      resolve({
        cart: standardCart(cart),
        detail: { sections: cart.sections, items: cart.items, source: "cart-items-component" },
      });
      for (const [id, html] of Object.entries(cart.sections)) drawSection(id, html);
    } catch (error) {
      reject(error);
      this.dispatchEvent(
        Object.assign(new Event("shopify:cart:error", { bubbles: true }), { error: error.message }),
      );
    } finally {
      this.removeAttribute("aria-busy");
    }
  }
}
customElements.define("cart-items-component", CartItemsComponent);

// Like the theme it imitates: one listener for the page, in the capture phase, from a module of the head.
document.addEventListener(
  "submit",
  (event) => {
    const component = event.target.closest("product-form-component");
    if (!component) return;
    event.preventDefault();
    void component.add();
  },
  { capture: true },
);

class ProductFormComponent extends HTMLElement {
  async add() {
    const error = this.querySelector("[ref=error]");
    error.hidden = true;
    const data = new FormData(this.querySelector("form"));
    data.append("sections", cartSections().join(","));
    const { resolve, reject } = announce(this, "add", [
      { merchandiseId: data.get("id"), quantity: Number(data.get("quantity")) },
    ]);
    try {
      const response = await fetch("/cart/add", {
        method: "POST",
        headers: { Accept: "text/html", "X-Requested-With": "XMLHttpRequest" },
        body: data,
      });
      const answer = await response.json();
      const cart = await (await fetch("/cart.json")).json();
      resolve({
        cart: standardCart(cart),
        detail: {
          items: cart.items,
          source: "product-form-component",
          didError: Boolean(answer.status),
          ...(answer.sections ? { sections: answer.sections } : {}),
        },
      });
      if (answer.status) {
        error.textContent = answer.message + ": " + answer.description;
        error.hidden = false;
      }
    } catch (failure) {
      reject(failure);
    }
  }
}
customElements.define("product-form-component", ProductFormComponent);

customElements.define(
  "sticky-add-to-cart",
  class StickyAddToCart extends HTMLElement {
    connectedCallback() {
      const section = this.parentElement;
      this.observer = new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => {
        this.querySelector("[data-stuck]").dataset.stuck = String(
          !isIntersecting && boundingClientRect.top < 0,
        );
      });
      this.observer.observe(section.querySelector(".buy-buttons-block"));
      this.querySelector("button").onclick = () => section.querySelector("form [name=add]").click();
    }

    disconnectedCallback() {
      this.observer.disconnect();
    }
  },
);

/** Replaces an element with a fresh rendering and keeps what is the same: the theme redraws its sections so. */
function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return undefined;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old.nodeName === "INPUT") Object.assign(old, { checked: fresh.checked, value: fresh.value });
  const children = [...fresh.childNodes];
  while (old.childNodes.length > children.length) old.lastChild.remove();
  children.forEach((child, at) =>
    old.childNodes[at] ? morph(old.childNodes[at], child) : old.append(child),
  );
  return undefined;
}

customElements.define(
  "variant-picker",
  class VariantPicker extends HTMLElement {
    connectedCallback() {
      this.addEventListener("change", () => void this.pick());
    }

    /** The whole section as the shop renders it now: as for an option that leads to another product. */
    async redraw() {
      const { url, sectionId } = this.dataset;
      const response = await fetch(`${url}?section_id=${sectionId}`);
      const html = new DOMParser().parseFromString(await response.text(), "text/html");
      morph(this.closest(".shopify-section"), html.querySelector(".shopify-section"));
    }

    async pick() {
      const picked = [...this.querySelectorAll("select")].map((select) => select.value);
      const variant = JSON.parse(this.querySelector("[data-variants]").textContent).find((each) =>
        each.options.every((value, index) => value === picked[index]),
      );
      if (!variant) return;
      this.abort?.abort();
      this.abort = new AbortController();
      const { url, sectionId } = this.dataset;
      this.dispatchEvent(
        Object.assign(new Event("shopify:product:select", { bubbles: true }), {
          variantId: String(variant.id),
        }),
      );
      const response = await fetch(`${url}?variant=${variant.id}&section_id=${sectionId}`, {
        signal: this.abort.signal,
      }).catch(() => null);
      if (!response?.ok) return;
      const html = new DOMParser().parseFromString(await response.text(), "text/html");
      history.replaceState({}, "", `${url}?variant=${variant.id}`);
      document
        .querySelector("product-price")
        .replaceChildren(...html.querySelector("product-price").childNodes);
      document
        .querySelector('product-form-component [type="submit"]')
        .replaceWith(html.querySelector('product-form-component [type="submit"]'));
      document.querySelector("product-form-component [ref=variantId]").value = String(variant.id);
    }
  },
);

customElements.define(
  "theme-drawer",
  class ThemeDrawer extends HTMLElement {
    connectedCallback() {
      this.addEventListener(
        "click",
        (event) =>
          (event.target === this.panel || event.target.closest("[data-close]")) && this.panel.close(),
      );
      document.addEventListener("shopify:cart:lines-update", (event) => {
        if (event.action === "add")
          void event.promise.then(
            ({ detail }) => !detail?.didError && this.open(),
            () => undefined,
          );
      });
    }

    get panel() {
      return this.querySelector("dialog");
    }

    open() {
      if (!this.panel.open) this.panel.showModal();
    }
  },
);

customElements.define(
  "cart-icon",
  class CartIcon extends HTMLElement {
    connectedCallback() {
      document.addEventListener("shopify:cart:lines-update", (event) => {
        void event.promise.then(
          ({ cart }) => (this.querySelector("[ref=count]").textContent = cart.totalQuantity),
          () => undefined,
        );
      });
      this.addEventListener("click", (event) => {
        const drawer = document.querySelector("theme-drawer#cart-drawer");
        if (!drawer) return;
        event.preventDefault();
        drawer.open();
      });
    }
  },
);
