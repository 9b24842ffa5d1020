/** An order's personal data as it is stored: its insured customer and consents in words, sealed with the merchant's key. */
import { type DataKey, digest } from "#app/merchants/data-key.server.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { readConsent } from "./consent.ts";
import { type InsuredCustomer, insuredCustomer } from "./customer.ts";

const customerPurpose = (orderId: string) => `customer of order ${orderId}`;

/** The columns of an order that hold its customer. */
export interface SealedCustomer {
  sealedCustomer: string;
  emailDigest: string | null;
}

export function sealCustomer(key: DataKey, orderId: string, customer: InsuredCustomer): SealedCustomer {
  return {
    sealedCustomer: seal(JSON.stringify(customer), customerPurpose(orderId), [key]),
    emailDigest: customer.email === null ? null : digest(key, customer.email),
  };
}

/** @param customerId Shopify's */
export function customerDigest(key: DataKey, customerId: string): string {
  return digest(key, `customer ${customerId}`);
}

/** @throws DecryptionError */
export function openCustomer(key: DataKey, orderId: string, sealed: string): InsuredCustomer {
  return insuredCustomer.parse(JSON.parse(open(sealed, customerPurpose(orderId), [key])));
}

/** In place of the sealed words once they are erased: that there were some stays on record. */
export const ERASED_CONSENT = "";

const consentPurpose = (orderId: string, lineId: string) => `consent of line ${lineId} of order ${orderId}`;

interface Consenting {
  lineId: string;
  consent: string | null;
}

/** The items as they are stored. All items of a line share its words, which are sealed once. */
export function sealConsents<Item extends Consenting>(
  key: DataKey,
  orderId: string,
  items: readonly Item[],
): (Item & { sealedConsent: string | null })[] {
  const sealedByLine = new Map<string, string>();
  return items.map((item) => {
    const { lineId, consent } = item;
    if (consent === null || readConsent(consent) !== null) return { ...item, sealedConsent: null };
    const sealedConsent = sealedByLine.get(lineId) ?? seal(consent, consentPurpose(orderId, lineId), [key]);
    sealedByLine.set(lineId, sealedConsent);
    return { ...item, consent: null, sealedConsent };
  });
}

/**
 * The words of a stored item; null: it has none, or they are erased.
 * @throws DecryptionError
 */
export function openConsent(
  key: DataKey,
  { orderId, lineId, sealedConsent }: { orderId: string; lineId: string; sealedConsent: string | null },
): string | null {
  if (sealedConsent === null || sealedConsent === ERASED_CONSENT) return null;
  return open(sealedConsent, consentPurpose(orderId, lineId), [key]);
}
