/** Tells the shop's pixels what shoppers do with offers: docs/conversions.md lists the events. Nothing personal. */
import { type OfferEvent, offerEventName } from "../offer-events.ts";
import { whenRecordable } from "./statistics-consent.ts";

export function publish(event: OfferEvent, touchpoint: string, variant: string, reference?: string): void {
  void whenRecordable(() =>
    window.Shopify?.analytics?.publish(offerEventName(event), { touchpoint, variant, reference }),
  );
}
