/** What the platform itself runs on every storefront: buy now, to the checkout with the product of its form alone. */
document.addEventListener("click", (event) => {
  const button =
    event.target instanceof Element ? event.target.closest(".shopify-payment-button__button") : null;
  const form = button?.closest("form");
  if (!form) return;
  const data = new FormData(form);
  location.assign(`/cart/${String(data.get("id"))}:${String(data.get("quantity") ?? 1)}`);
});
