/**
 * The client of the insurance service for one store in one environment (spec, "Endpoints" 1 to 9). It knows HTTP; it
 * knows no shop and no database. Resources keep the specification's field names; amounts are integer minor units.
 * Every method throws an InsuranceError (errors.ts).
 */
import { category, type Category } from "./category.ts";
import { claim, type Claim } from "./claim.ts";
import { creation, type BulkForm, type Outcome } from "./creation.server.ts";
import { lead, leadBody, type Lead, type NewLead } from "./lead.ts";
import { offer, type Offer, type OfferQuery } from "./offer.ts";
import { orderBody, type NewOrder } from "./order.ts";
import { createdPlan, plan, planBody, type CreatedPlan, type NewPlan, type Plan } from "./plan.ts";
import { list, one } from "./read.ts";
import { DEFAULT_CONCURRENCY, sender, type ClientOptions } from "./request.server.ts";

export interface InsuranceAccount {
  /** e.g. `https://api.example.com`; the paths of the specification come after it. */
  baseUrl: string;
  storeId: string;
  /** Bearer token of this store in this environment. */
  token: string;
  /** Scope of the circuit breaker and the concurrency limit, e.g. `${shop}:${environment}`. */
  key: string;
}

export interface InsuranceClientOptions extends ClientOptions {
  /**
   * How several plans or leads are created: one per request (default, the documented form), or many in one request as
   * a bare array or as an object with the resource's name (`{"plans": […]}`), both of which are not shown.
   */
  bulk?: BulkForm;
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
     * @param options `maySend` is asked right before every attempt: false, and nothing is sent (any more)
     * @throws UnknownOutcome when the plan may exist: look (`list`) before creating again
     */
    create(plan: NewPlan, options?: { maySend?: () => boolean }): Promise<CreatedPlan>;
    /** Endpoint 5, several: one outcome per plan, in order; never throws an InsuranceError. */
    createMany(plans: NewPlan[]): Promise<Outcome<CreatedPlan>[]>;
  };
  leads: {
    /** Endpoint 6. @throws UnknownOutcome when the lead may exist */
    create(lead: NewLead): Promise<Lead>;
    /** Endpoint 6, several: one outcome per lead, in order; never throws an InsuranceError. */
    createMany(leads: NewLead[]): Promise<Outcome<Lead>[]>;
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
export function insuranceClient(
  account: InsuranceAccount,
  options: InsuranceClientOptions = {},
): InsuranceClient {
  const send = sender(account, { authorization: `Bearer ${account.token}` }, options);
  const store = `/api/v2/store/${segment(account.storeId)}`;
  const plans = creation(send, options.bulk, {
    path: `${store}/plans`,
    names: ["plans", "plan"],
    body: planBody,
    personal: (value: NewPlan) => value.customer,
    created: createdPlan,
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
  });
  const leads = creation(send, options.bulk, {
    path: `${store}/leads`,
    names: ["leads", "lead"],
    body: leadBody,
    personal: (value: NewLead) => [value.customer, value.seller],
    created: lead,
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    exactDecimals: true,
  });

  return {
    offers: {
      list: ({ categoryId, productReferenceId, productPriceCents }) =>
        send({
          method: "GET",
          path: `${store}/offers`,
          query: query({
            category_id: categoryId,
            product_reference_id: productReferenceId,
            product_price: productPriceCents,
          }),
          read: list(offer, "offers", "single too"),
        }),
    },
    categories: {
      list: () =>
        send({
          method: "GET",
          path: `${store}/categories`,
          read: list(category, "categories"),
        }),
    },
    plans: {
      list: ({ customerEmail } = {}) =>
        send({
          method: "GET",
          path: `${store}/plans`,
          query: query({ customer_email: customerEmail }),
          confidential: true,
          read: list(plan, "plans"),
        }),
      get: (planId) =>
        send({
          method: "GET",
          path: `${store}/plans/${segment(planId)}`,
          confidential: true,
          read: one(plan, ["plans", "plan"]),
        }),
      ...plans,
    },
    leads,
    claims: {
      list: ({ planId } = {}) =>
        send({
          method: "GET",
          path: `${store}/claims`,
          query: query({ plan_id: planId }),
          confidential: true,
          read: list(claim, "claims"),
        }),
    },
    orders: {
      record: (order) =>
        send({
          method: "POST",
          path: `${store}/orders`,
          body: orderBody(order),
          statusOnly: true,
          read: () => undefined,
        }),
      cancel: (orderReferenceId) =>
        send({
          method: "PATCH",
          path: `${store}/orders/${segment(orderReferenceId)}/cancel`,
          statusOnly: true,
          read: () => undefined,
        }),
    },
  };
}

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
