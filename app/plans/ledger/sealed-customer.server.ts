/** The insured customer as it is stored with the order: sealed with the merchant's key, and found by a digest. */
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { insuredCustomer } from "./customer.ts";
import type { InsuredCustomer } from "./customer.ts";

const purpose = (orderId: string) => `customer of order ${orderId}`;

/** The columns of an order that hold its customer. */
export interface SealedCustomer {
  sealedCustomer: string;
  emailDigest: string | null;
}

export function sealCustomer(key: DataKey, orderId: string, customer: InsuredCustomer): SealedCustomer {
  return {
    sealedCustomer: seal(JSON.stringify(customer), purpose(orderId), [key]),
    emailDigest: customer.email === null ? null : digest(key, customer.email),
  };
}

/** @param customerId the platform's */
export function customerDigest(key: DataKey, customerId: string): string {
  return digest(key, `customer ${customerId}`);
}

/** @throws CannotOpenError */
export function openCustomer(key: DataKey, orderId: string, sealed: string): InsuredCustomer {
  return insuredCustomer.parse(JSON.parse(open(sealed, purpose(orderId), [key])));
}
