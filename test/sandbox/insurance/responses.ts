/** The stand-in's records as the service's JSON. What the specification leaves open is a `Style`, set through control. */
import { z } from "zod";
import { formatDate } from "./dates.ts";
import type { Category } from "./schema.ts";
import type { Claim, Lead, Plan, Reference } from "./records.ts";
import { leadOffers, leadStatus } from "./quotes.ts";
import type { ServiceState } from "./service-state.ts";

export const style = z.object({
  /** How lists are wrapped. */
  wrapping: z
    .enum(["array", "data", "items", "results", "records", "resource", "data.resource"])
    .default("array"),
  /** How a single plan or lead is wrapped, also what one creation answers. */
  one: z.enum(["bare", "data", "resource", "array"]).default("bare"),
  /** Offers: answer the bare object when there is exactly one. */
  single_offer: z.boolean().default(false),
  /** Dates of Plan, Lead and Claim. */
  dates: z.enum(["day/month/year", "iso day", "iso moment"]).default("day/month/year"),
  /** Amounts of a lead's offers: as declared (cents), as in the sample (decimals), or decimals with bands in cents. */
  lead_amounts: z.enum(["cents", "decimals", "decimal price"]).default("cents"),
  /** How an offer's duration is worded. */
  terms: z.enum(["mois", "ans", "months", "years"]).default("mois"),
  /** Whether a plan is refused without the customer's phone number, which the specification does not say. */
  phone: z.enum(["optional", "required"]).default("optional"),
  /** Fields that the specification does not have, everywhere. */
  extra_fields: z.boolean().default(false),
});
export type Style = z.infer<typeof style>;

export function wrapList(items: object[], name: string, { wrapping, extra_fields }: Style): object {
  const list = extra_fields
    ? items.map((item) => ({ ...item, unknown_field: { nested: [1, null] } }))
    : items;
  switch (wrapping) {
    case "array":
      return list;
    case "data":
    case "items":
    case "results":
    case "records":
      return { [wrapping]: list };
    case "resource":
      return { [name]: list };
    case "data.resource":
      return { data: { [name]: list } };
  }
}

/** @param name the resource's name in the singular */
export function wrapObject(item: object, name: string, { one, extra_fields }: Style): object {
  const value = extra_fields ? { ...item, unknown_field: { nested: [1, null] } } : item;
  switch (one) {
    case "bare":
      return value;
    case "data":
      return { data: value };
    case "resource":
      return { [name]: value };
    case "array":
      return [value];
  }
}

export function offerResponse(reference: Reference, category: Category, { terms }: Style) {
  return {
    reference_id: reference.reference_id,
    contract_id: reference.contract_id,
    term_length: termText(reference.term, terms),
    price: reference.price,
    currency_code: reference.currency_code,
    price_band_min: reference.price_band_min,
    price_band_max: reference.price_band_max,
    billing: reference.billing,
    title: reference.title,
    category_id: reference.category_id,
    category,
  };
}

function termText(months: number, terms: Style["terms"]): string {
  switch (terms) {
    case "mois":
    case "months":
      return `${months} ${terms}`;
    case "ans":
      return `${months / 12} an${months === 12 ? "" : "s"}`;
    case "years":
      return `${months / 12} year${months === 12 ? "" : "s"}`;
  }
}

export function planResponse(plan: Plan, { dates }: Style) {
  return {
    id: plan.id,
    order_reference_id: plan.order_reference_id,
    offer_reference_id: plan.reference.reference_id,
    status: plan.status,
    purchase_date: formatDate(plan.activated_at, dates),
    title: plan.reference.title,
    term_length: plan.reference.term,
    price: plan.price / 100,
    currency_code: plan.reference.currency_code,
    customer: plan.customer,
  };
}

export function createdPlanResponse(plan: Plan, { dates }: Style) {
  return {
    contract_id: plan.id,
    status: plan.status,
    activation_date: formatDate(plan.activated_at, dates),
    expiration_date: formatDate(plan.expires_at, dates),
  };
}

export function leadResponse(
  state: ServiceState,
  lead: Lead,
  linkBase: string,
  { dates, lead_amounts }: Style,
) {
  const { price, ...variant } = lead.variant;
  return {
    id: lead.id,
    status: leadStatus(state, lead),
    purchase_date: formatDate(Date.parse(lead.purchased_on), dates),
    expiration_date: formatDate(lead.expires_at, dates),
    category_id: lead.category_id,
    subscription_link: `${linkBase}/subscribe/${lead.id}`,
    signature_link: `${linkBase}/sign/${lead.id}`,
    charged_by: lead.charged_by,
    customer: lead.customer,
    variant: { ...variant, price: price / 100 },
    offers: leadOffers(lead).map((reference) => ({
      title: reference.title,
      term_length: reference.term,
      price: lead_amounts === "cents" ? reference.price : decimal(reference.price),
      currency_code: reference.currency_code,
      price_band_min:
        lead_amounts === "decimals" ? decimal(reference.price_band_min) : reference.price_band_min,
      price_band_max:
        lead_amounts === "decimals" ? decimal(reference.price_band_max) : reference.price_band_max,
      billing: reference.billing,
    })),
    ...(lead.seller ? { seller: lead.seller } : {}),
  };
}

declare global {
  interface JSON {
    /** In Node since version 22. */
    rawJSON(text: string): unknown;
  }
}

/** Cents as a JSON number with its decimals written out (49.90, 49.00), as services in other languages do. */
function decimal(cents: number): unknown {
  return JSON.rawJSON((cents / 100).toFixed(2));
}

export function claimResponse(claim: Claim, { dates }: Style) {
  const plan = claim.store.records[claim.environment].plans.get(claim.plan_id);
  return {
    id: claim.id,
    approval_status: claim.approval_status,
    status: claim.status,
    claim_type: claim.claim_type,
    customer: plan?.customer ?? { email: "", first_name: "", last_name: "" },
    plan_id: claim.plan_id,
    filed_date: formatDate(claim.filed_at, dates),
    closed_date: claim.closed_at === null ? null : formatDate(claim.closed_at, dates),
    compensation_amount: claim.compensation_amount,
    compensation_currency_code: plan?.reference.currency_code ?? "EUR",
  };
}
