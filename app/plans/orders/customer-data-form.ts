/** The form for what an order lacks of its customer, for both sides of the page. */
import { z } from "zod";
import type { CustomerField } from "#app/plans/ledger/customer.ts";
import type { FieldProblems } from "#app/platform/field-problems.ts";

/** The keys of the fields' messages. */
export const customerDataProblems = ["missing", "email", "phone", "country", "too_long"] as const;
export type CustomerDataProblem = (typeof customerDataProblems)[number];
const message = (problem: CustomerDataProblem) => problem;

const text = z.string().trim().max(200, message("too_long"));
const required = text.min(1, message("missing"));

export const customerDataForm = z.object({
  email: required.pipe(z.email(message("email"))),
  firstName: required,
  lastName: required,
  /** empty where the contract does not need one */
  phone: text.regex(/^(?:\+?[\d\s().-]{6,25})?$/, message("phone")),
  address1: required,
  address2: text,
  zip: required,
  city: required,
  /** ISO 3166-1 alpha-2 */
  country: required.toUpperCase().regex(/^[A-Z]{2}$/, message("country")),
} satisfies Record<CustomerField, z.ZodType>);

export type CustomerDataProblems = FieldProblems<CustomerField, CustomerDataProblem>;
