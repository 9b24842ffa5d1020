// The drawer at the side. What is in it comes from the section `cart-drawer`.
class CartDrawer extends HTMLElement {
  connectedCallback() {
    this.addEventListener("keyup", (event) => event.code === "Escape" && this.close());
    this.addEventListener(
      "click",
      (event) => event.target.closest("#CartDrawer-Overlay, .drawer__close") && this.close(),
    );
    document.getElementById("cart-icon-bubble").addEventListener("click", (event) => {
      event.preventDefault();
      this.open();
    });
  }

  open() {
    this.opener ??= document.activeElement;
    this.classList.add("active");
    document.body.classList.add("overflow-hidden");
    this.querySelector(".drawer__inner").focus();
  }

  close() {
    this.classList.remove("active");
    document.body.classList.remove("overflow-hidden");
    this.opener?.focus();
    this.opener = undefined;
  }

  renderContents(answer) {
    this.classList.remove("is-empty");
    for (const { id, selector } of this.getSectionsToRender()) {
      const element = selector ? document.querySelector(selector) : document.getElementById(id);
      if (element) element.innerHTML = sectionHtml(answer.sections[id], selector ?? ".shopify-section");
    }
    this.open();
  }

  getSectionsToRender() {
    return [{ id: "cart-drawer", selector: "#CartDrawer" }, { id: "cart-icon-bubble" }];
  }
}
customElements.define("cart-drawer", CartDrawer);

class CartDrawerItems extends customElements.get("cart-items") {
  async onCartUpdate() {
    const response = await fetch(`${window.routes.cart_url}?section_id=cart-drawer`);
    const html = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const selector of ["cart-drawer-items", ".cart-drawer__footer"]) {
      const [target, source] = [document.querySelector(selector), html.querySelector(selector)];
      if (target && source) target.replaceWith(source);
    }
  }

  getSectionsToRender() {
    return [
      { id: "CartDrawer", section: "cart-drawer", selector: ".drawer__inner" },
      { id: "cart-icon-bubble", section: "cart-icon-bubble", selector: ".shopify-section" },
    ];
  }
}
customElements.define("cart-drawer-items", CartDrawerItems);
