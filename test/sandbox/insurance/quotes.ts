/** Quotes (leads): what can be made, how long each is valid, and the one plan it leads to. */
import { offersFor } from "./catalogue.ts";
import { DAY_MS, toLocalDay, isoDay } from "./dates.ts";
import type { NewLead, Reference } from "./schema.ts";
import type { Environment, Lead, Plan, Store } from "./records.ts";
import { ApiError, addPlan, nextId, type InsurerState } from "./service-state.ts";

const LEAD_DAYS = 30;

/** A lead request that can be carried out, its purchase date as `YYYY-MM-DD`. @throws Refusal */
export function validateLead(store: Store, request: NewLead): NewLead {
  const wrong = (field: string, message: string) =>
    new ApiError(422, `${field} ${message}`, [{ field, message }]);
  const purchasedOn = toLocalDay(request.purchase_date);
  if (purchasedOn === null) throw wrong("purchase_date", "is not a date");
  if (!store.catalogue.categories.has(request.category_id)) {
    throw wrong("category_id", "is not a category of the store");
  }
  return { ...request, purchase_date: isoDay(purchasedOn) };
}

export function addLead(state: InsurerState, store: Store, environment: Environment, request: NewLead): Lead {
  const lead: Lead = {
    id: nextId(state, "LD"),
    environment,
    store,
    purchased_on: request.purchase_date,
    expires_at: state.now() + LEAD_DAYS * DAY_MS,
    category_id: request.category_id,
    charged_by: request.charged_by,
    customer: request.customer,
    variant: { ...request.variant, price: Math.round(request.variant.price * 100) },
    seller: request.seller ?? null,
    plan_id: null,
  };
  store.records[environment].leads.set(lead.id, lead);
  return lead;
}

/** A lead is valid until its expiration date and for one plan. */
export function leadStatus(state: InsurerState, lead: Lead): "active" | "expired" {
  return lead.plan_id === null && state.now() < lead.expires_at ? "active" : "expired";
}

export function leadOffers(lead: Lead): Reference[] {
  return offersFor(lead.store.catalogue.references.values(), {
    categoryId: lead.category_id,
    product: lead.variant.reference_id,
    price: lead.variant.price,
  });
}

/** The customer subscribes on the hosted page: one plan, and the lead is used. @throws Refusal */
export function subscribe(state: InsurerState, lead: Lead, referenceId: string): Plan {
  if (leadStatus(state, lead) === "expired") throw new ApiError(422, "This quote has expired or was used");
  const reference = leadOffers(lead).find((offer) => offer.reference_id === referenceId);
  if (!reference) throw new ApiError(422, "This offer is not part of the quote");
  const plan = addPlan(state, lead.store, lead.environment, {
    reference,
    // The document does not say which order such a plan has: the quote's id is used.
    order_reference_id: lead.id,
    variant: lead.variant,
    customer: lead.customer,
    seller: lead.seller,
    activated_at: state.now(),
  });
  lead.plan_id = plan.id;
  return plan;
}
