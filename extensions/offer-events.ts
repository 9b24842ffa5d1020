/**
 * Tells the shop's pixels what customers do with offers: docs/conversions.md lists the events. Nothing is personal. The
 * theme publishes them by Shopify's page (storefront-scripts/publish-event.ts), the extensions by their API.
 */
export type OfferEvent = "viewed" | "chosen" | "declined" | "added";

export const offerEventName = (event: OfferEvent): string => `parasol_offer_${event}`;

/** What a pixel reads as `event.customData`; `variant` and `reference` as far as the place knows them. */
interface OfferData extends Record<string, unknown> {
  touchpoint: "checkout" | "customer_account";
  variant?: string;
  reference?: string;
}

interface Privacy {
  allowedProcessing: { analytics: boolean };
}

/** The part of Shopify's API that the checkout and the customer's account have in common. */
interface Pixels {
  analytics: { publish(name: string, data: Record<string, unknown>): Promise<boolean> };
  customerPrivacy: { value: Privacy; subscribe(listener: (privacy: Privacy) => void): () => void };
}

/** Publishes once the shop's consent settings allow statistics; without an answer, or after a no, it never does. */
export function publishOffer(
  { analytics, customerPrivacy }: Pixels,
  event: OfferEvent,
  data: OfferData,
): void {
  const publish = () => {
    // A pixel that fails is no reason to disturb the buyer.
    analytics.publish(offerEventName(event), data).catch(() => undefined);
  };
  if (customerPrivacy.value.allowedProcessing.analytics) {
    publish();
    return;
  }
  const stop = customerPrivacy.subscribe(({ allowedProcessing }) => {
    if (!allowedProcessing.analytics) return;
    stop();
    publish();
  });
}
