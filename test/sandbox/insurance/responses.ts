/** The stand-in's records as the insurer's JSON. */
import { formatDate } from "./dates.ts";
import type { Category, Reference } from "./schema.ts";
import type { Claim, Lead, Plan } from "./records.ts";
import { leadOffers, leadStatus } from "./quotes.ts";
import type { InsurerState } from "./service-state.ts";

export function offerResponse(reference: Reference, category: Category) {
  return {
    reference_id: reference.reference_id,
    contract_id: reference.contract_id,
    term_length: `${reference.term} ${reference.title.endsWith(" months") ? "months" : "mois"}`,
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

export function planResponse(plan: Plan) {
  return {
    id: plan.id,
    order_reference_id: plan.order_reference_id,
    offer_reference_id: plan.reference.reference_id,
    status: plan.status,
    purchase_date: formatDate(plan.activated_at),
    title: plan.reference.title,
    term_length: plan.reference.term,
    price: plan.price / 100,
    currency_code: plan.reference.currency_code,
    customer: plan.customer,
  };
}

export function createdPlanResponse(plan: Plan) {
  return {
    contract_id: plan.id,
    status: plan.status,
    activation_date: formatDate(plan.activated_at),
    expiration_date: formatDate(plan.expires_at),
  };
}

export function leadResponse(state: InsurerState, lead: Lead, linkBase: string) {
  const { price, ...variant } = lead.variant;
  return {
    id: lead.id,
    status: leadStatus(state, lead),
    purchase_date: formatDate(Date.parse(lead.purchased_on)),
    expiration_date: formatDate(lead.expires_at),
    category_id: lead.category_id,
    subscription_link: `${linkBase}/subscribe/${lead.id}`,
    signature_link: `${linkBase}/sign/${lead.id}`,
    charged_by: lead.charged_by,
    customer: lead.customer,
    variant: { ...variant, price: price / 100 },
    offers: leadOffers(lead).map((reference) => ({
      title: reference.title,
      term_length: reference.term,
      price: reference.price,
      currency_code: reference.currency_code,
      price_band_min: reference.price_band_min,
      price_band_max: reference.price_band_max,
      billing: reference.billing,
    })),
    ...(lead.seller ? { seller: lead.seller } : {}),
  };
}

export function claimResponse(claim: Claim) {
  const plan = claim.store.records[claim.environment].plans.get(claim.plan_id);
  return {
    id: claim.id,
    approval_status: claim.approval_status,
    status: claim.status,
    claim_type: claim.claim_type,
    customer: plan?.customer ?? { email: "", first_name: "", last_name: "" },
    plan_id: claim.plan_id,
    filed_date: formatDate(claim.filed_at),
    closed_date: claim.closed_at === null ? null : formatDate(claim.closed_at),
    compensation_amount: claim.compensation_amount,
    compensation_currency_code: plan?.reference.currency_code ?? "EUR",
  };
}
