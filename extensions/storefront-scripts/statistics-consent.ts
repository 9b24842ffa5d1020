/**
 * Records for statistics what the shopper saw, only if the shop's own banner allows it. Until then it is kept in the
 * page's memory; without Shopify's Customer Privacy API nothing is recorded.
 */
export async function whenRecordable(record: () => void): Promise<void> {
  await loadCustomerPrivacy();
  if (window.Shopify?.customerPrivacy?.analyticsProcessingAllowed()) {
    record();
    return;
  }
  // Shopify reports the shopper's answer. It may be no.
  document.addEventListener("visitorConsentCollected", () => void whenRecordable(record), { once: true });
}

function loadCustomerPrivacy(): Promise<void> {
  return new Promise((resolve) => {
    const { customerPrivacy, loadFeatures } = window.Shopify ?? {};
    if (customerPrivacy || !loadFeatures) resolve();
    else loadFeatures([{ name: "consent-tracking-api", version: "0.1" }], () => resolve());
  });
}
