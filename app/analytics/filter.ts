/** The filter of the organisation's figures in the page's URL. */
import { z } from "zod";
import { isIsoDay } from "#app/platform/day.ts";

export const billings = ["monthly", "annually"] as const;

const day = z.string().refine(isIsoDay).nullable().catch(null);

const period = {
  /** first and last day, both included; null leaves that side open */
  start: day,
  end: day,
};

/** Swaps the days of a period that ends before it starts: the merchant mixed them up. */
function inOrder<T extends { start: string | null; end: string | null }>(days: T): T {
  const { start, end } = days;
  return start !== null && end !== null && start > end ? { ...days, start: end, end: start } : days;
}

/** Malformed values do not filter. */
export const periodFilter = z.object(period).transform(inOrder);

/** Malformed values do not filter. */
export const organisationFilter = z
  .object({
    ...period,
    /** the insurer's identifiers of points of sale, separated by commas; none means all */
    stores: z
      .string()
      .transform((text) => text.split(",").filter((id) => id !== ""))
      .catch([]),
    billing: z.enum(billings).nullable().catch(null),
  })
  .transform(inOrder);
export type OrganisationFilter = z.infer<typeof organisationFilter>;
