/** The form that supplies what an order did not tell of its customer, for both sides of the page. */
import { z } from "zod";
import type { CustomerField } from "#app/plans/ledger/customer.ts";
import type { FieldProblems } from "#app/platform/field-problems.ts";

/** The keys of the fields' messages. */
export const customerDataProblems = ["missing", "email", "phone", "country", "too_long"] as const;
export type CustomerDataProblem = (typeof customerDataProblems)[number];
const say = (problem: CustomerDataProblem) => problem;

const text = z.string().trim().max(200, say("too_long"));
const needed = text.min(1, say("missing"));

export const customerDataForm = z.object({
  email: needed.pipe(z.email(say("email"))),
  firstName: needed,
  lastName: needed,
  phone: needed.regex(/^\+?[\d\s().-]{6,25}$/, say("phone")),
  address1: needed,
  address2: text,
  zip: needed,
  city: needed,
  /** ISO 3166-1 alpha-2 */
  country: needed.toUpperCase().regex(/^[A-Z]{2}$/, say("country")),
} satisfies Record<CustomerField, z.ZodType>);

export type CustomerDataProblems = FieldProblems<CustomerField, CustomerDataProblem>;

/** What cannot be right although it looks right: a number that no country has, say. */
export function toCustomerDataProblems(fields: readonly CustomerField[]): CustomerDataProblems {
  return Object.fromEntries(
    fields.map((field) => [field, field === "email" || field === "phone" ? say(field) : say("missing")]),
  );
}
