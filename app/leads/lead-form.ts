/**
 * The form of a new lead, for server and browser (spec, "Lead" and "Customer"). As with plans, only `address2` is
 * optional in the address; so is the birth date.
 */
import { z } from "zod";
import type { FieldProblems } from "#app/platform/field-problems.ts";
import { isPostcode } from "./postcode.ts";

/** Problems of a field; they are keys of its message. */
export const leadProblems = [
  ...(["missing", "email", "phone", "country", "date", "future", "long_ago", "postcode"] as const),
  ...(["too_long", "seller"] as const),
] as const;
export type LeadProblem = (typeof leadProblems)[number];
const problemKey = (problem: LeadProblem) => problem;

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

export const leadForm = z
  .object({
    /** the shop's numeric variant id */
    variantId: z.string().regex(/^\d+$/, problemKey("missing")),
    purchaseDate: day("2000-01-01"),
    chargedBy: z.enum(["merchant", "service"]).catch("service"),
    email: required.pipe(z.email(problemKey("email"))),
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
export type LeadForm = z.infer<typeof leadForm>;
export type LeadField = keyof LeadForm;
/** The fields that nothing stands in for. */
export const requiredLeadFields = [
  ...(["purchaseDate", "firstName", "lastName", "email", "phone"] as const),
  ...(["address1", "zip", "city", "country"] as const),
] as const satisfies LeadField[];
export type LeadFormProblems = FieldProblems<LeadField, LeadProblem>;
