/**
 * A consent in words, as staff note it at the counter: it may name the customer, so it is sealed with the merchant's key
 * and erased with the customer's data. What the storefront notes (`<version> <time>`) names nobody and stays readable.
 */
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { readConsent } from "./consent.ts";

/** In place of the sealed words once they are erased: that there were some stays on record. */
export const ERASED_CONSENT = "";

const purpose = (orderId: string, lineId: string) => `consent of line ${lineId} of order ${orderId}`;

interface Consenting {
  lineId: string;
  consent: string | null;
}

/** The units as they are stored. All units of a line share its words, which are sealed once. */
export function sealConsents<Unit extends Consenting>(
  key: DataKey,
  orderId: string,
  units: readonly Unit[],
): (Unit & { sealedConsent: string | null })[] {
  const sealedByLine = new Map<string, string>();
  return units.map((unit) => {
    const { lineId, consent } = unit;
    if (consent === null || readConsent(consent) !== null) return { ...unit, sealedConsent: null };
    const sealedConsent = sealedByLine.get(lineId) ?? seal(consent, purpose(orderId, lineId), [key]);
    sealedByLine.set(lineId, sealedConsent);
    return { ...unit, consent: null, sealedConsent };
  });
}

/**
 * The words of a stored unit; null: it has none, or they are erased.
 * @throws CannotOpenError
 */
export function openConsent(
  key: DataKey,
  { orderId, lineId, sealedConsent }: { orderId: string; lineId: string; sealedConsent: string | null },
): string | null {
  if (sealedConsent === null || sealedConsent === ERASED_CONSENT) return null;
  return open(sealedConsent, purpose(orderId, lineId), [key]);
}
