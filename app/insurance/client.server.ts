/**
 * The client of the insurance service for one store in one environment (spec, "Endpoints" 1 to 9). Resources keep the
 * specification's field names; amounts are integer minor units. Every method throws an InsuranceError (errors.ts).
 */
import type { Category } from "./category.ts";
import type { Claim } from "./claim.ts";
import { createHttpClient, type ClientOptions } from "./http-client.server.ts";
import { lead, leadBody, type Lead, type NewLead } from "./lead.ts";
import { listOf } from "./list-request.server.ts";
import type { Offer, OfferQuery } from "./offer.ts";
import { orderBody, type NewOrder } from "./order.ts";
import { createdPlan, plan, planBody, type CreatedPlan, type NewPlan, type Plan } from "./plan.ts";
import { objectReader } from "./response-reader.ts";

export interface InsuranceAccount {
  /** e.g. `https://api.example.com`; the paths of the specification come after it. */
  baseUrl: string;
  storeId: string;
  /** Bearer token of this store in this environment. */
  token: string;
  /** Scope of the circuit breaker and the concurrency limit, e.g. `${shop}:${environment}`. */
  key: string;
}

export interface InsuranceClient {
  offers: {
    /** Endpoint 1: the offers for a product. No offer fits: an empty list. */
    list(query: OfferQuery): Promise<Offer[]>;
  };
  categories: {
    /** Endpoint 2. */
    list(): Promise<Category[]>;
  };
  plans: {
    /** Endpoint 3: all plans of the store, or those of one customer. */
    list(query?: { customerEmail?: string }): Promise<Plan[]>;
    /** Endpoint 4. @throws NotFound */
    get(planId: string): Promise<Plan>;
    /**
     * Endpoint 5.
     * @param options `maySend` is called right before every attempt; nothing is sent once it returns false
     * @throws UnknownOutcome when the plan may exist: look (`list`) before creating again
     */
    create(plan: NewPlan, options?: { maySend?: () => boolean }): Promise<CreatedPlan>;
  };
  leads: {
    /** Endpoint 6. @throws UnknownOutcome when the lead may exist */
    create(lead: NewLead): Promise<Lead>;
  };
  claims: {
    /** Endpoint 7: all claims of the store, or those on one contract. */
    list(query?: { planId?: string }): Promise<Claim[]>;
  };
  orders: {
    /** Endpoint 8. */
    record(order: NewOrder): Promise<void>;
    /** Endpoint 9: cancels the order and the plans linked to it. @throws NotFound for an order the service does not know */
    cancel(orderReferenceId: string): Promise<void>;
  };
}

/** @throws TypeError when the account's base address is no URL or its store id cannot be part of a path */
export function insuranceClient(account: InsuranceAccount, options: ClientOptions = {}): InsuranceClient {
  const { send } = createHttpClient(account, { authorization: `Bearer ${account.token}` }, options);
  // Offers have limits of their own: many offer requests, or a failing offers endpoint, must not delay plan creations.
  const offers = createHttpClient(
    { ...account, key: `${account.key}:offers` },
    { authorization: `Bearer ${account.token}` },
    options,
  );
  const store = `/api/v2/store/${segment(account.storeId)}`;

  return {
    offers: {
      list: ({ categoryId, productReferenceId, productPriceMinor }) =>
        offers.send({
          method: "GET",
          endpoint: "offers",
          path: `${store}/offers`,
          query: query({
            category_id: categoryId,
            product_reference_id: productReferenceId,
            product_price: productPriceMinor,
          }),
          ...listOf("offers", megabytes(1)),
        }),
    },
    categories: {
      list: () =>
        send({
          method: "GET",
          endpoint: "categories",
          path: `${store}/categories`,
          ...listOf("categories", megabytes(4)),
        }),
    },
    plans: {
      list: ({ customerEmail } = {}) =>
        send({
          method: "GET",
          endpoint: "plans",
          path: `${store}/plans`,
          query: query({ customer_email: customerEmail }),
          confidential: true,
          // A customer has a few contracts, a store as many as it has customers.
          ...listOf("plans", megabytes(customerEmail === undefined ? 64 : 4)),
        }),
      get: (planId) =>
        send({
          method: "GET",
          endpoint: "plans/{id}",
          path: `${store}/plans/${segment(planId)}`,
          confidential: true,
          read: objectReader(plan, ["plans", "plan"]),
        }),
      create: (newPlan, { maySend } = {}) =>
        send({
          method: "POST",
          endpoint: "plans",
          path: `${store}/plans`,
          body: planBody(newPlan),
          personal: newPlan.customer,
          read: objectReader(createdPlan, ["plans", "plan"]),
          maySend,
        }),
    },
    leads: {
      create: (newLead) =>
        send({
          method: "POST",
          endpoint: "leads",
          path: `${store}/leads`,
          body: leadBody(newLead),
          personal: [newLead.customer, newLead.seller],
          read: objectReader(lead, ["leads", "lead"]),
          exactDecimals: true,
        }),
    },
    claims: {
      list: ({ planId } = {}) =>
        send({
          method: "GET",
          endpoint: "claims",
          path: `${store}/claims`,
          query: query({ plan_id: planId }),
          confidential: true,
          ...listOf("claims", megabytes(planId === undefined ? 16 : 1)),
        }),
    },
    orders: {
      record: (order) =>
        send({
          method: "POST",
          endpoint: "orders",
          path: `${store}/orders`,
          body: orderBody(order),
          statusOnly: true,
          read: () => undefined,
        }),
      cancel: (orderReferenceId) =>
        send({
          method: "PATCH",
          endpoint: "orders/{id}/cancel",
          path: `${store}/orders/${segment(orderReferenceId)}/cancel`,
          statusOnly: true,
          read: () => undefined,
        }),
    },
  };
}

const megabytes = (count: number) => count * 1024 * 1024;

function query(values: Record<string, string | number | undefined>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters;
}

/** An id as one segment of a path: encoded, and never one that would lead the request to another path. */
function segment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new TypeError("An empty or dotted id cannot be part of a path");
  return encodeURIComponent(id);
}
