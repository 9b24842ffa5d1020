/**
 * The form of a new quote, for server and browser (spec, "Lead" and "Customer"). As with plans, only `address2` is
 * optional in the address; so is the birth date.
 */
import { z } from "zod";
import { emailAddress } from "#app/platform/email-address.ts";
import type { FieldProblems } from "#app/platform/field-problems.ts";

/** Problems of a field; they are keys of its message. */
export const quoteProblems = [
  ...(["missing", "email", "phone", "country", "date", "future", "long_ago", "postcode"] as const),
  ...(["too_long", "seller"] as const),
  /** the rule of sale refuses it */
  ...(["not_sold_there", "too_old"] as const),
  /** all items of the product in the order are */
  ...(["insured"] as const),
  /** the customer wants no more quotes */
  ...(["suppressed"] as const),
] as const;
export type QuoteProblem = (typeof quoteProblems)[number];
const problemKey = (problem: QuoteProblem) => problem;

const text = z.string().trim().max(200, problemKey("too_long"));
const required = text.min(1, problemKey("missing"));
const optional = text.transform((value) => value || null);

/** Somewhere it is already tomorrow: the earliest time zone is 14 hours ahead. */
const isOver = (day: string): boolean => Date.parse(day) <= Date.now() + 14 * 3_600_000;
const day = (first: string) =>
  z.iso
    .date(problemKey("date"))
    .refine(isOver, problemKey("future"))
    .refine((value) => value >= first, problemKey("long_ago"));

export const quoteForm = z
  .object({
    /** the shop's numeric variant id */
    variantId: z.string().regex(/^\d+$/, problemKey("missing")),
    /** the order that the form was begun from; null: none */
    orderId: z
      .string()
      .regex(/^\d{1,20}$/)
      .nullable()
      .catch(null),
    purchaseDate: day("2000-01-01"),
    chargedBy: z.enum(["merchant", "insurer"]).catch("insurer"),
    email: required.pipe(emailAddress(problemKey("email"))),
    firstName: required,
    lastName: required,
    phone: required.regex(/^\+?[\d\s().-]{6,25}$/, problemKey("phone")),
    birthDate: z.union([z.literal("").transform(() => null), day("1900-01-01")]),
    address1: required,
    address2: optional,
    zip: required,
    city: required,
    /** ISO 3166-1 alpha-2 */
    country: required.toUpperCase().regex(/^[A-Z]{2}$/, problemKey("country")),
    sellerFirstName: optional,
    sellerLastName: optional,
  })
  .refine(({ zip, country }) => isPostcode(zip, country), { path: ["zip"], message: problemKey("postcode") })
  .superRefine(({ sellerFirstName, sellerLastName }, context) => {
    if ((sellerFirstName === null) === (sellerLastName === null)) return;
    const path = [sellerFirstName === null ? "sellerFirstName" : "sellerLastName"];
    context.addIssue({ code: "custom", message: problemKey("seller"), path });
  });
export type QuoteForm = z.infer<typeof quoteForm>;

/** Which sending of a form it is: a repetition of the same is not sent. */
export const quoteRequest = z.looseObject({
  requestId: z.uuid(),
  /** number of requests so far */
  attempt: z.coerce.number().pipe(z.int().min(0).max(1_000)),
});
export type QuoteRequest = Pick<z.infer<typeof quoteRequest>, "requestId" | "attempt">;
export type QuoteField = keyof QuoteForm;
/** The fields that nothing stands in for. */
export const requiredQuoteFields = [
  ...(["purchaseDate", "firstName", "lastName", "email", "phone"] as const),
  ...(["address1", "zip", "city", "country"] as const),
] as const satisfies QuoteField[];
export type QuoteFormProblems = FieldProblems<QuoteField, QuoteProblem>;

const digits = (count: number) => new RegExp(`^\\d{${count}}$`);
const overseas = /^9[78]\d{3}$/;

/** By ISO 3166-1 alpha-2; spaces are taken out before (Universal Postal Union, "Addressing systems"). */
const formats: Partial<Record<string, RegExp>> = {
  FR: /^(0[1-9]|[1-8]\d|9[0-8])\d{3}$/,
  MC: /^980\d{2}$/,
  ...Object.fromEntries(
    ["GP", "MQ", "GF", "RE", "YT", "PM", "BL", "MF", "NC", "PF", "WF"].map((code) => [code, overseas]),
  ),
  BE: digits(4),
  CH: digits(4),
  LU: /^(L-?)?\d{4}$/i,
  AT: digits(4),
  DK: digits(4),
  DE: digits(5),
  ES: digits(5),
  IT: digits(5),
  PT: /^\d{4}-?\d{3}$/,
  PL: /^\d{2}-?\d{3}$/,
  NL: /^\d{4}[a-z]{2}$/i,
  GB: /^[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}$/i,
  US: /^\d{5}(-?\d{4})?$/,
};

/** Whether such a postcode can exist there. Of a country that is not known here, what has a letter or digit can. */
export function isPostcode(postcode: string, country: string): boolean {
  const format = formats[country] ?? /^[\p{L}\p{N}-]{2,12}$/u;
  return format.test(postcode.replace(/\s/g, ""));
}
