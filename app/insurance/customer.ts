/** The customer and the insured product, which several resources embed. */
import { z } from "zod";
import { toCurrencyUnits } from "#app/platform/money.ts";
import { textOrNull } from "./fields.ts";

const wireAddress = z.object({
  city: textOrNull,
  country: textOrNull,
  zip_code: textOrNull,
  address1: textOrNull,
  address2: textOrNull,
});
const wireCustomer = z.object({
  email: textOrNull,
  first_name: textOrNull,
  last_name: textOrNull,
  phone: textOrNull,
  address: wireAddress.nullish(),
});

/**
 * Spec, "Customer (embedded in Plan, Lead, Claim)", without the birth date, which no page needs. Personal data gets erased
 * and is seldom complete: what is missing becomes null and never makes a plan or claim unreadable.
 */
export const customer = wireCustomer.nullish().transform((wire) => ({
  email: wire?.email ?? null,
  firstName: wire?.first_name ?? null,
  lastName: wire?.last_name ?? null,
  /** International format. */
  phone: wire?.phone ?? null,
  address: {
    city: wire?.address?.city ?? null,
    country: wire?.address?.country ?? null,
    zipCode: wire?.address?.zip_code ?? null,
    address1: wire?.address?.address1 ?? null,
    address2: wire?.address?.address2 ?? null,
  },
}));

/** The customer of a claim: who it is. The contract has the rest. */
export const claimant = wireCustomer
  .pick({ email: true, first_name: true, last_name: true })
  .nullish()
  .transform((wire) => ({
    email: wire?.email ?? null,
    firstName: wire?.first_name ?? null,
    lastName: wire?.last_name ?? null,
  }));

/** A customer as it is sent. What is null is left out of the request. */
export interface NewCustomer {
  email: string;
  firstName: string | null;
  lastName: string | null;
  /** International format, e.g. +33612345678. */
  phone: string | null;
  /** `YYYY-MM-DD`; sent with leads only, the plan request has no such field. */
  birthDate?: string | null;
  address: {
    address1: string | null;
    address2: string | null;
    zipCode: string | null;
    city: string | null;
    /** As the shop has it; an ISO 3166-1 alpha-2 code is the safe choice. */
    country: string | null;
  } | null;
}

/** How the insurer compares addresses is not shown: the client sends and searches one spelling. */
export const emailInOneSpelling = (email: string): string => email.toLowerCase();

/** The customer's JSON for the insurer; undefined values disappear in JSON. */
export function customerBody(value: NewCustomer) {
  return {
    email: emailInOneSpelling(value.email),
    first_name: value.firstName ?? undefined,
    last_name: value.lastName ?? undefined,
    phone: value.phone ?? undefined,
    birth_date: value.birthDate ?? undefined,
    address: value.address
      ? {
          address1: value.address.address1 ?? undefined,
          address2: value.address.address2 ?? undefined,
          zip_code: value.address.zipCode ?? undefined,
          city: value.address.city ?? undefined,
          country: value.address.country ?? undefined,
        }
      : undefined,
  };
}

/** The product to insure, as it is sent with a plan or a lead. */
export interface NewVariant {
  /** The product's reference (the variant's id: docs/decisions/0003-references.md). */
  referenceId: string;
  /** Price of the product, integer minor units; sent as a float in currency units. */
  priceMinor: number;
  /** ISO 4217 */
  currencyCode: string;
  title: string;
}

/** The variant's JSON for the insurer. @throws RangeError when the price is not an integer amount */
export function variantBody(value: NewVariant) {
  return {
    reference_id: value.referenceId,
    price: toCurrencyUnits(value.priceMinor, value.currencyCode),
    currency_code: value.currencyCode,
    title: value.title,
  };
}
