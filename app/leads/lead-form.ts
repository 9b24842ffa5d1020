/**
 * The form of a new lead, for both sides of the page (spec, "Lead" and "Customer"). As in plans, `address2` alone is
 * optional of the address; the birth date is asked for where it is known.
 */
import { z } from "zod";

/** The keys of the fields' messages. */
export const leadProblems = ["missing", "email", "phone", "country", "date", "too_long", "seller"] as const;
export type LeadProblem = (typeof leadProblems)[number];
const say = (problem: LeadProblem) => problem;

const text = z.string().trim().max(200, say("too_long"));
const needed = text.min(1, say("missing"));
const optional = text.transform((value) => value || null);
const day = z.iso.date(say("date"));

export const leadForm = z
  .object({
    /** the shop's numeric variant id */
    variantId: z.string().regex(/^\d+$/, say("missing")),
    purchaseDate: day,
    chargedBy: z.enum(["merchant", "service"]).catch("service"),
    email: needed.pipe(z.email(say("email"))),
    firstName: needed,
    lastName: needed,
    phone: needed.regex(/^\+?[\d\s().-]{6,25}$/, say("phone")),
    birthDate: z.union([z.literal("").transform(() => null), day]),
    address1: needed,
    address2: optional,
    zip: needed,
    city: needed,
    /** ISO 3166-1 alpha-2 */
    country: needed.toUpperCase().regex(/^[A-Z]{2}$/, say("country")),
    sellerFirstName: optional,
    sellerLastName: optional,
  })
  .superRefine(({ sellerFirstName, sellerLastName }, context) => {
    if ((sellerFirstName === null) === (sellerLastName === null)) return;
    const path = [sellerFirstName === null ? "sellerFirstName" : "sellerLastName"];
    context.addIssue({ code: "custom", message: say("seller"), path });
  });
export type LeadForm = z.infer<typeof leadForm>;
export type LeadField = keyof LeadForm;
export type LeadFormProblems = Partial<Record<LeadField, LeadProblem>>;

const problem = z.enum(leadProblems).catch("missing");

/** The first problem of each field, from a failed parse. */
export function problemsOf(error: z.ZodError): LeadFormProblems {
  const first = new Map<PropertyKey, LeadProblem>();
  for (const { path, message } of error.issues) {
    const field = path[0];
    if (field !== undefined && !first.has(field)) first.set(field, problem.parse(message));
  }
  return Object.fromEntries(first);
}
