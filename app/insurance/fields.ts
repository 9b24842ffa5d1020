/** The building blocks of the resources' schemas: how each kind of field of the service is read. */
import { z } from "zod";
import { toStoredMinorUnits } from "#app/platform/money.ts";
import { cutText } from "#app/platform/storable-text.ts";

const MAX_ID_LENGTH = 255;
/** Longer texts are cut: they go into the storefront, into every page of it. */
const MAX_TEXT_LENGTH = 5_000;

/** An identifier. Ids are strings inside, also where the service declares or sends an integer. */
export const id = z.union([z.string().min(1).max(MAX_ID_LENGTH), z.int().transform(String)]);

/** Presentation text: missing and null read as "", so that a poor text never hides an offer. */
export const text = z
  .string()
  .nullish()
  .transform((value) => cutText(value ?? "", MAX_TEXT_LENGTH));

/** Text that may be missing: null then. */
export const textOrNull = z
  .string()
  .nullish()
  .transform((value) => (value == null ? null : cutText(value, MAX_TEXT_LENGTH)));

/** ISO 4217 code, e.g. EUR. */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, "not a currency code");

/** An amount in currency units, as a JSON number or as decimal text; convert with platform/money. */
export const amount = z.union([z.number(), z.string().regex(/^-?\d+(?:\.\d+)?$/, "not an amount")]);

/** How an offer is billed (spec, Offer): `monthly`, or `annually`, which is billed once. */
export const billing = z.enum(["monthly", "annually"]);
export type Billing = z.infer<typeof billing>;

/**
 * For an object's transform: an amount in currency units as integer minor units; what cannot be converted becomes an
 * issue of that field.
 */
export function minorUnits(
  value: number | string,
  currency: string,
  field: string,
  context: z.RefinementCtx,
): number {
  try {
    return toStoredMinorUnits(value, currency);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    context.addIssue({ code: "custom", path: [field], message: error.message });
    return z.NEVER;
  }
}
