/** The whole of the stand-in's service: organisations, stores, the clock, and how each change of state happens. */
import { createHash } from "node:crypto";
import { MONTHLY_UNIVERSE, createCatalogue, type FormulaStyle } from "./catalogue.ts";
import { monthsLater } from "./dates.ts";
import type { NewOrder, NewPlan, Reference } from "./schema.ts";
import {
  emptyRecords,
  type Records,
  type Environment,
  type Order,
  type Organisation,
  type Plan,
  type Store,
} from "./records.ts";

export interface InsurerState {
  organisations: Organisation[];
  /** The insurer's time in milliseconds: the clock it was given, plus what the control address added. */
  now(): number;
  advance(milliseconds: number): void;
  /** Counts every change, so that what is derived (analytics) is worked out once per change. */
  version: number;
  sequence: number;
}

/** A request that the insurer refuses: `status` and the reason. */
export class ApiError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 422;
  readonly fields: { field: string; message: string }[];

  constructor(
    status: 400 | 401 | 403 | 404 | 422,
    message: string,
    fields: { field: string; message: string }[] = [],
  ) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

export function createInsurerState(seed: number, clock: () => number, formulas: FormulaStyle): InsurerState {
  const token = (of: string) => createHash("sha256").update(`${seed} ${of}`).digest("hex").slice(0, 32);
  const store = (
    organisation: string,
    name: string,
    number: number,
    external_id: string,
    terms: Pick<Store, "advance" | "commission_percent">,
    monthly: boolean,
  ): Store => ({
    id: `st_${token(`store ${name}`).slice(0, 12)}`,
    number,
    external_id,
    name,
    tokens: { test: `test_${token(`${name} test`)}`, production: `live_${token(`${name} production`)}` },
    requires_phone: false,
    empty_is_404: false,
    ...terms,
    catalogue: createCatalogue(organisation, {
      extra: monthly ? [MONTHLY_UNIVERSE] : [],
      formulas,
    }),
    records: { test: emptyRecords(), production: emptyRecords() },
  });
  const organisation = (name: string, stores: Store[]): Organisation => ({
    name,
    token: `org_${token(name)}`,
    stores,
  });
  const plain = { advance: false, commission_percent: 20 };
  const withAdvance = { advance: true, commission_percent: 15 };
  let added = 0;
  return {
    organisations: [
      organisation("Voltigeur", [
        store("Voltigeur", "Voltigeur en ligne", 101, "WEB-01", plain, false),
        store("Voltigeur", "Voltigeur Lyon", 102, "LYO-02", withAdvance, true),
        store("Voltigeur", "Voltigeur Bordeaux", 103, "BDX-03", plain, true),
      ]),
      organisation("Autre enseigne", [
        store("Autre enseigne", "Autre enseigne Lille", 201, "LIL-01", plain, false),
      ]),
    ],
    now: () => clock() + added,
    advance: (milliseconds) => (added += milliseconds),
    version: 0,
    sequence: 0,
  };
}

export function nextId(state: InsurerState, prefix: string): string {
  state.sequence += 1;
  return `${prefix}-${String(state.sequence).padStart(7, "0")}`;
}

/** The offer that a plan request names, checked against the product it insures. @throws Refusal */
export function referenceFor(store: Store, request: NewPlan): Reference {
  const wrong = (field: string, message: string) =>
    new ApiError(422, `${field} ${message}`, [{ field, message }]);
  if (store.requires_phone && !request.customer.phone) throw wrong("customer.phone", "is required");
  const reference = store.catalogue.references.get(request.offer_reference_id);
  if (!reference) throw wrong("offer_reference_id", "is not in the catalogue of the store");
  const price = Math.round(request.variant.price * 100);
  if (request.variant.currency_code !== reference.currency_code) {
    throw wrong("variant.currency_code", `is not the offer's (${reference.currency_code})`);
  }
  if (price < reference.price_band_min || price > reference.price_band_max) {
    throw wrong(
      "variant.price",
      `is outside the offer's price band (${reference.price_band_min} to ${reference.price_band_max} cents)`,
    );
  }
  const products = reference.product_reference_ids;
  if (products !== null && !products.includes(request.variant.reference_id)) {
    throw wrong("variant.reference_id", "is not a product the offer is for");
  }
  return reference;
}

type PlanData = Pick<
  Plan,
  "reference" | "order_reference_id" | "variant" | "customer" | "seller" | "activated_at"
>;

/** none → active: the insurer has been notified. */
export function addPlan(state: InsurerState, store: Store, environment: Environment, facts: PlanData): Plan {
  const plan: Plan = {
    ...facts,
    id: nextId(state, "CT"),
    environment,
    store,
    status: "active",
    expires_at: monthsLater(facts.activated_at, facts.reference.term),
    cancelled_at: null,
    price: facts.reference.price,
  };
  const records = store.records[environment];
  records.plans.set(plan.id, plan);
  append(records.plansByEmail, plan.customer.email, plan);
  append(records.plansByOrder, plan.order_reference_id, plan);
  state.version += 1;
  return plan;
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

export function cancelPlan(state: InsurerState, plan: Plan, moment: number): void {
  if (plan.status === "cancelled") return;
  plan.status = "cancelled";
  plan.cancelled_at = moment;
  state.version += 1;
}

function orderOf(store: Store, environment: Environment, reference: string): Order {
  const known = store.records[environment].orders.get(reference);
  const unsent = { order_reference_id: reference, line_items: [], recordings: 0, cancellations: 0 };
  return known ?? { ...unsent, store, status: "recorded", cancelled_at: null };
}

/** Records an order; the same reference again replaces what was sent, and a cancelled order stays cancelled. */
export function recordOrder(store: Store, environment: Environment, sent: NewOrder): Order {
  const known = orderOf(store, environment, sent.order_reference_id);
  const order = { ...known, ...sent, recordings: known.recordings + 1 };
  store.records[environment].orders.set(order.order_reference_id, order);
  return order;
}

/**
 * active → cancelled, for the order and every plan linked to it. An order that was never recorded but has plans is
 * cancelled all the same; cancelling twice changes nothing. @throws Refusal when neither order nor plan is known
 */
export function cancelOrder(
  state: InsurerState,
  store: Store,
  environment: Environment,
  reference: string,
): Order {
  const records = store.records[environment];
  const plans = records.plansByOrder.get(reference) ?? [];
  if (!records.orders.has(reference) && plans.length === 0) throw new ApiError(404, "No such order");
  const order = orderOf(store, environment, reference);
  records.orders.set(reference, order);
  order.status = "cancelled";
  order.cancelled_at ??= state.now();
  order.cancellations += 1;
  for (const plan of plans) cancelPlan(state, plan, state.now());
  return order;
}

export function allStores(state: InsurerState): Store[] {
  return state.organisations.flatMap((organisation) => organisation.stores);
}

export function allRecords(state: InsurerState): Records[] {
  return allStores(state).flatMap((store) => [store.records.production, store.records.test]);
}

/** A record of any store and environment. */
export function findRecord<T>(state: InsurerState, of: (records: Records) => T | undefined): T | undefined {
  return allRecords(state)
    .map(of)
    .find((record) => record !== undefined);
}
