import { z } from "zod";
import { dateOrNull } from "./dates.ts";
import { textOrNull } from "./fields.ts";

const address = z.object({
  city: textOrNull,
  country: textOrNull,
  zip_code: textOrNull,
  address1: textOrNull,
  address2: textOrNull,
});
const noAddress = { city: null, country: null, zip_code: null, address1: null, address2: null };

/**
 * Spec, "Customer (embedded in Plan, Lead, Claim)". Personal data gets erased and is seldom complete: what is missing
 * becomes null and never makes a plan, lead or claim unreadable.
 */
export const customer = z
  .object({
    email: textOrNull,
    first_name: textOrNull,
    last_name: textOrNull,
    /** ISO 8601 day; null when missing or not a date. */
    birth_date: dateOrNull,
    /** International format. */
    phone: textOrNull,
    address: address.nullish().transform((value) => value ?? noAddress),
  })
  .nullish()
  .transform(
    (value) =>
      value ?? {
        email: null,
        first_name: null,
        last_name: null,
        birth_date: null,
        phone: null,
        address: noAddress,
      },
  );

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

/** The customer's JSON for the service; undefined values disappear in JSON. */
export function customerBody(value: NewCustomer) {
  return {
    email: value.email,
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
