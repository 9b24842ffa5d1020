/** Tells the shop's pixels what shoppers do with offers: docs/conversions.md lists the events. Nothing personal. */
import { whenRecordable } from "./statistics-consent.ts";

type OfferEvent = "viewed" | "chosen" | "declined" | "added";

export function publish(event: OfferEvent, touchpoint: string, variant: string, reference?: string): void {
  void whenRecordable(() =>
    window.Shopify?.analytics?.publish(`parasol_offer_${event}`, { touchpoint, variant, reference }),
  );
}
