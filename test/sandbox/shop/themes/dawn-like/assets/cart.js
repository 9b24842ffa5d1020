// The lines of the cart, on its page and in the drawer: quantity, removal, and refreshing when others changed the cart.
customElements.define(
  "cart-remove-button",
  class CartRemoveButton extends HTMLElement {
    connectedCallback() {
      this.addEventListener("click", (event) => {
        event.preventDefault();
        this.closest("cart-items, cart-drawer-items").updateQuantity(this.dataset.index, 0);
      });
    }
  },
);

class CartItems extends HTMLElement {
  connectedCallback() {
    this.onchange = (event) => this.updateQuantity(event.target.dataset.index, Number(event.target.value));
    this.unsubscribe = subscribe(PUB_SUB_EVENTS.cartUpdate, (event) =>
      event.source === "cart-items" ? undefined : this.onCartUpdate(),
    );
  }

  disconnectedCallback() {
    this.unsubscribe();
  }

  async onCartUpdate() {
    const response = await fetch(
      `${window.routes.cart_url}?section_id=${document.getElementById("main-cart-items").dataset.id}`,
    );
    this.innerHTML = sectionHtml(await response.text(), "cart-items");
  }

  getSectionsToRender() {
    return [
      {
        id: "main-cart-items",
        section: document.getElementById("main-cart-items")?.dataset.id,
        selector: ".js-contents",
      },
      { id: "cart-icon-bubble", section: "cart-icon-bubble", selector: ".shopify-section" },
      {
        id: "main-cart-footer",
        section: document.getElementById("main-cart-footer")?.dataset.id,
        selector: ".js-contents",
      },
    ].filter(({ section }) => section);
  }

  async updateQuantity(line, quantity) {
    this.setAttribute("aria-busy", "true");
    const sections = this.getSectionsToRender();
    try {
      const response = await fetch(window.routes.cart_change_url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify({
          line: Number(line),
          quantity,
          sections: sections.map(({ section }) => section),
          sections_url: location.pathname,
        }),
      });
      const answer = await response.json();
      if (answer.errors) {
        this.showError(answer.errors);
        return;
      }
      for (const { id, section, selector } of sections) {
        const element = document.getElementById(id);
        (element.querySelector(selector) ?? element).innerHTML = sectionHtml(
          answer.sections[section],
          selector,
        );
      }
      publish(PUB_SUB_EVENTS.cartUpdate, { source: "cart-items", cartData: answer });
    } catch {
      this.showError(window.cartStrings.error);
    } finally {
      this.removeAttribute("aria-busy");
    }
  }

  showError(text) {
    (document.getElementById("cart-errors") ?? document.getElementById("CartDrawer-CartErrors")).textContent =
      text;
  }
}
customElements.define("cart-items", CartItems);
