/** An order's personal data as it is stored: its insured customer and consents in words, sealed with the merchant's key. */
import { z } from "zod";
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
export const ERASED_CONSENTS = "";

const consentPurpose = (orderId: string) => `consents of order ${orderId}`;

/** By plan line. */
const consentWords = z.record(z.string(), z.string());
export type ConsentWords = z.infer<typeof consentWords>;

/** The consents that staff noted in words, by plan line. */
export const wordsOfConsents = (items: readonly { lineId: string; consent: string | null }[]): ConsentWords =>
  Object.fromEntries(
    items.flatMap(({ lineId, consent }) =>
      consent === null || readConsent(consent) !== null ? [] : [[lineId, consent]],
    ),
  );

export const sealConsents = (key: DataKey, orderId: string, words: ConsentWords): string =>
  seal(JSON.stringify(words), consentPurpose(orderId), [key]);

/**
 * The words of an order; none where they are erased.
 * @throws DecryptionError
 */
export function openConsents(key: DataKey, orderId: string, sealed: string | null): ConsentWords {
  if (sealed === null || sealed === ERASED_CONSENTS) return {};
  return consentWords.parse(JSON.parse(open(sealed, consentPurpose(orderId), [key])));
}
