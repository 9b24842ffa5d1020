/** What the platform itself runs on every storefront: buy now, to the checkout with the product of its form alone. */
document.addEventListener("click", (event) => {
  const button =
    event.target instanceof Element ? event.target.closest(".shopify-payment-button__button") : null;
  const form = button?.closest("form");
  if (!form) return;
  const data = new FormData(form);
  location.assign(`/cart/${String(data.get("id"))}:${String(data.get("quantity") ?? 1)}`);
});

/**
 * The Customer Privacy API, which a page loads on request. The stand-in's shop asks for no consent; a cookie says no.
 * @param {{ name: string }[]} features
 * @param {() => void} callback
 */
function loadFeatures(features, callback) {
  const customerPrivacy = {
    analyticsProcessingAllowed: () => !document.cookie.includes("analytics=no"),
  };
  if (features.some(({ name }) => name === "consent-tracking-api"))
    Object.assign(window.Shopify ?? {}, { customerPrivacy });
  queueMicrotask(callback);
}

/** What was published for the shop's pixels, which the stand-in has none of. @type {[event: string, data: object][]} */
const replayQueue = [];
const analytics = {
  replayQueue,
  /**
   * @param {string} event
   * @param {object} data
   */
  publish: (event, data) => replayQueue.push([event, data]),
};
Object.assign(window.Shopify ?? {}, { loadFeatures, analytics });
