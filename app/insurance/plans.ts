import { z } from "zod";
import {
  customer,
  customerBody,
  emailInOneSpelling,
  variantBody,
  type NewCustomer,
  type NewVariant,
} from "./customer.ts";
import {
  amount,
  currencyCode,
  date,
  dateOrNull,
  id,
  minorUnits,
  isPathSegment,
  pathSegment,
  termMonths,
  text,
  withMoney,
} from "./fields.ts";
import { creationSender } from "./creation-forms.ts";
import { NotFound } from "./errors.ts";
import type { Account, Send } from "./request.ts";
import { type Listed, readWholeList } from "./list.ts";
import { megabytes, readObject } from "./response.ts";
import { planStanding, type PlanStanding, type StatusWords } from "./status-words.ts";

/** Spec, "Plan (insurance contract subscribed by a customer)". */
export const wirePlan = withMoney(
  z
    .object({
      id,
      // What a contract that came of a quote names is not shown.
      order_reference_id: id.or(z.literal("")).nullish(),
      offer_reference_id: id,
      status: z.string(),
      purchase_date: date,
      title: text,
      term_length: termMonths,
      price: amount,
      currency_code: currencyCode,
      customer,
    })
    .transform((wire, context) => ({
      /** The contract number. */
      id: wire.id,
      /** "": it names no order. */
      orderReferenceId: wire.order_reference_id ?? "",
      offerReferenceId: wire.offer_reference_id,
      /** `active` and `cancelled` are known; more may come. */
      status: wire.status,
      /** ISO 8601, see parseDate. */
      purchaseDate: wire.purchase_date,
      title: wire.title,
      termMonths: wire.term_length,
      priceMinor: minorUnits(wire.price, wire.currency_code, "price", context),
      currencyCode: wire.currency_code,
      customer: wire.customer,
    })),
);
export type Plan = z.output<typeof wirePlan> & {
  /** what its status means for this account */
  standing: PlanStanding;
};

/**
 * Spec, "Endpoints" 5: the response per created plan. The plan exists by then and its number is what counts: an
 * unreadable date becomes null instead of making the whole response unreadable.
 */
export const wireCreatedPlan = z
  .object({ contract_id: id, status: z.string(), activation_date: dateOrNull, expiration_date: dateOrNull })
  .transform((wire) => ({
    /** The contract number: the id of the plan. */
    contractId: wire.contract_id,
    status: wire.status,
    /** ISO 8601, see parseDate. */
    activationDate: wire.activation_date,
    /** ISO 8601, see parseDate. */
    expirationDate: wire.expiration_date,
  }));
export type CreatedPlan = z.output<typeof wireCreatedPlan> & Pick<Plan, "standing">;

/** A plan to create: spec, "Endpoints" note 2, the single form. */
export interface NewPlan {
  offerReferenceId: string;
  orderReferenceId: string;
  variant: NewVariant;
  customer: NewCustomer;
}

export interface PlanQuery {
  customerEmail?: string;
}

export function planBody(value: NewPlan) {
  return {
    offer_reference_id: value.offerReferenceId,
    order_reference_id: value.orderReferenceId,
    variant: variantBody(value.variant),
    customer: { ...customerBody(value.customer), birth_date: undefined },
  };
}

/** @param words what the merchant said that words of this account mean */
export function plans(send: Send, store: string, account: Account, words: StatusWords = {}) {
  const withStanding = <T extends { status: string }>(row: T) => ({
    ...row,
    standing: planStanding(row.status, words),
  });
  const sendCreation = creationSender(send, account, "plans");
  const readList = async ({ customerEmail }: PlanQuery, isStrict: boolean): Promise<Listed<Plan>> => {
    const { items, unreadable } = await readWholeList(
      send,
      {
        method: "GET",
        endpoint: "plans",
        path: `${store}/plans`,
        query: { customer_email: customerEmail && emailInOneSpelling(customerEmail) },
        confidential: true,
        // A customer has a few contracts, a store as many as it has customers.
        maxBytes: megabytes(customerEmail === undefined ? 64 : 4),
      },
      { schema: wirePlan, name: "plans", isStrict },
    );
    return { items: items.map(withStanding), unreadable };
  };
  /** For contract numbers like `..`, which no path can hold: URLs drop them. */
  async function findInList(planId: string): Promise<Plan> {
    const { items } = await readList({}, false);
    const plan = items.find(({ id }) => id === planId);
    if (plan) return plan;
    const details = { method: "GET", path: `${store}/plans`, status: 200, requestId: null };
    throw new NotFound("not in the list", { ...details, attempts: 1, durationMs: 0 });
  }

  return {
    /**
     * Endpoint 3: all plans of the store, or those of one customer.
     * @throws UnreadableResponse where one of them cannot be read: a plan that is missing here is created again
     */
    list: async (query: PlanQuery = {}): Promise<Plan[]> => (await readList(query, true)).items,
    /** The same without the plans that cannot be read, for callers that show or compare what is there. */
    listReadable: (query: PlanQuery = {}): Promise<Listed<Plan>> => readList(query, false),
    /** Endpoint 4. @throws NotFound */
    get: async (planId: string): Promise<Plan> => {
      if (!isPathSegment(planId)) return findInList(planId);
      const plan = await send({
        method: "GET",
        endpoint: "plans/{id}",
        path: `${store}/plans/${pathSegment(planId)}`,
        confidential: true,
        read: readObject(wirePlan, ["plans", "plan"]),
      });
      return withStanding(plan);
    },
    /**
     * Endpoint 5.
     * @param options `maySend` is called right before every attempt; nothing is sent once it returns false
     * @throws UnknownOutcome when the plan may exist: look (`list`) before creating again
     */
    create: async (plan: NewPlan, { maySend }: { maySend?: () => boolean } = {}): Promise<CreatedPlan> => {
      const created = await sendCreation({
        method: "POST",
        endpoint: "plans",
        path: `${store}/plans`,
        body: planBody(plan),
        personal: plan.customer,
        creates: "plans",
        read: readObject(wireCreatedPlan, ["plans", "plan"]),
        maySend,
      });
      return withStanding(created);
    },
  };
}
