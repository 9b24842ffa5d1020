/** The customer of a lead as it is stored: sealed with the merchant's key, and found by digests. */
import { z } from "zod";
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { open, seal } from "#app/platform/crypto.server.ts";

/** With the links, because the pages behind them show some of it. */
const leadCustomer = z.object({
  customerName: z.string(),
  customerEmail: z.string(),
  subscriptionLink: z.string(),
  signatureLink: z.string().nullable(),
});
export type LeadCustomer = z.infer<typeof leadCustomer>;

const PURPOSE = "customer of a lead";

/** The columns of a lead that hold its customer. */
export interface SealedLeadCustomer {
  sealedCustomer: string | null;
  emailDigest: string | null;
  nameDigests: string[];
}

export function sealLeadCustomer(key: DataKey, customer: LeadCustomer): SealedLeadCustomer {
  return {
    sealedCustomer: seal(JSON.stringify(customer), PURPOSE, [key]),
    emailDigest: digest(key, customer.customerEmail),
    nameDigests: digestWords(key, customer.customerName),
  };
}

/** @throws CannotOpenError */
export function openLeadCustomer(key: DataKey, sealed: string): LeadCustomer {
  return leadCustomer.parse(JSON.parse(open(sealed, PURPOSE, [key])));
}

/** A digest of each word of a name, without accents: sealed names are found by whole words. */
export function digestWords(key: DataKey, text: string): string[] {
  const words =
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].map((word) => digest(key, word));
}

/** After the erasure of the customer's data. */
export const erasedLeadCustomer: SealedLeadCustomer = {
  sealedCustomer: null,
  emailDigest: null,
  nameDigests: [],
};
