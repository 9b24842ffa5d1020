// A variant was picked: fetch the section for it and take over price, buy button and variant id. Blocks of apps stay.
class ProductInfo extends HTMLElement {
  connectedCallback() {
    this.addEventListener("change", (event) => {
      if (event.target.closest("variant-selects")) void this.pick();
    });
  }

  async pick() {
    const picked = [...this.querySelectorAll("variant-selects input:checked")].map((input) => input.value);
    const variants = JSON.parse(this.querySelector("[data-variants]").textContent);
    const variant = variants.find((each) => each.options.every((value, index) => value === picked[index]));
    if (!variant) return;
    this.request?.abort();
    this.request = new AbortController();
    const { section, url } = this.dataset;
    const response = await fetch(`${url}?variant=${variant.id}&section_id=${section}`, {
      signal: this.request.signal,
    }).catch(() => null);
    if (!response?.ok) return;
    const html = new DOMParser().parseFromString(await response.text(), "text/html");
    history.replaceState({}, "", `${url}?variant=${variant.id}`);
    document.getElementById(`price-${section}`).replaceWith(html.getElementById(`price-${section}`));
    this.querySelector(".product-form__submit").replaceWith(html.querySelector(".product-form__submit"));
    for (const form of [`product-form-installment-${section}`, `product-form-${section}`]) {
      const input = document.querySelector(`#${form} input[name="id"]`);
      input.value = String(variant.id);
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    publish(PUB_SUB_EVENTS.variantChange, { data: { sectionId: section, html, variant } });
  }

  /** The whole section as the shop renders it now: as for an option that leads to another product. */
  async redraw() {
    const response = await fetch(`${this.dataset.url}?section_id=${this.dataset.section}`);
    this.closest(".shopify-section").innerHTML = sectionHtml(await response.text(), ".shopify-section");
  }
}
customElements.define("product-info", ProductInfo);
