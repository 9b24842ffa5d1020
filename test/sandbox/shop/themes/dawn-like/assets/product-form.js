// Adds the product of its form to the cart by Ajax and shows the cart drawer with what the answer brought.
class ProductForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.button = this.querySelector('[type="submit"]');
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.add();
    });
  }

  async add() {
    if (this.button.getAttribute("aria-disabled") === "true") return;
    this.button.setAttribute("aria-disabled", "true");
    this.showError("");
    const drawer = document.querySelector("cart-drawer");
    const data = new FormData(this.form);
    if (drawer) {
      data.append(
        "sections",
        drawer.getSectionsToRender().map((section) => section.id),
      );
      data.append("sections_url", location.pathname);
    }
    try {
      const response = await fetch(window.routes.cart_add_url, {
        method: "POST",
        headers: { Accept: "application/javascript", "X-Requested-With": "XMLHttpRequest" },
        body: data,
      });
      const answer = await response.json();
      if (answer.status) {
        publish(PUB_SUB_EVENTS.cartError, {
          source: "product-form",
          productVariantId: data.get("id"),
          errors: answer.description,
        });
        this.showError(answer.description);
      } else if (!drawer) location.assign(window.routes.cart_url);
      else {
        await publish(PUB_SUB_EVENTS.cartUpdate, {
          source: "product-form",
          productVariantId: data.get("id"),
          cartData: answer,
        });
        drawer.renderContents(answer);
      }
    } finally {
      this.button.removeAttribute("aria-disabled");
    }
  }

  showError(text) {
    const wrapper = this.querySelector(".product-form__error-message-wrapper");
    wrapper.hidden = text === "";
    wrapper.querySelector(".product-form__error-message").textContent = text;
  }
}
customElements.define("product-form", ProductForm);
