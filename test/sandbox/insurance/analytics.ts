/** Sales and commissions, derived from the plans that exist (spec, "Sales" and "Commission": the commission rules). */
import { DAY_MS, isoDay, monthsLater } from "./dates.ts";
import type { AnalyticsQuery } from "./schema.ts";
import type { Organisation, Plan } from "./records.ts";
import type { InsurerState } from "./service-state.ts";

interface Sale {
  id: string;
  status: string;
  cancellation_date: string | null;
  monthly: boolean;
  date: string;
  store: string;
  store_id: number;
  store_external_id: string;
  product_reference_id: string;
  category: string;
  price: number;
  seller: string;
  front_eur: number | null;
  air_eur: number | null;
}

interface Commission extends Pick<Sale, "id" | "date" | "store" | "store_id" | "store_external_id"> {
  amount: number;
  price: number;
  plan_sale_id: string;
  monthly: boolean;
  billing_type: "collected" | "refunded";
  type: "front" | "air";
}

/** A contract cancelled this soon is reversed: the amount collected is refunded, and so is its commission. */
const REFUND_DAYS = 30;
const MOST_PER_PAGE = 1000;

/**
 * The commission terms of a plan in cents.
 * Annual: everything at the sale, no air. Monthly with an advance: a year at the sale, the monthly amount from year 2.
 * Monthly without: the monthly amount from year 1.
 */
function commissionOf(plan: Plan): { front: number | null; air: number | null; airFromMonth: number } {
  const share = Math.round((plan.price * plan.store.commission_percent) / 100);
  if (plan.reference.billing === "annually") return { front: share, air: null, airFromMonth: 0 };
  if (plan.store.advance) return { front: share * 12, air: share, airFromMonth: 12 };
  return { front: null, air: share, airFromMonth: 0 };
}

function saleOf(plan: Plan): Sale {
  const { front, air } = commissionOf(plan);
  return {
    id: plan.id,
    status: plan.status,
    cancellation_date: plan.cancelled_at === null ? null : isoDay(plan.cancelled_at),
    monthly: plan.reference.billing === "monthly",
    date: isoDay(plan.activated_at),
    store: plan.store.name,
    store_id: plan.store.number,
    store_external_id: plan.store.external_id,
    product_reference_id: plan.variant.reference_id,
    category: plan.reference.category_id,
    price: plan.price / 100,
    seller: plan.seller ? `${plan.seller.first_name} ${plan.seller.last_name}` : "",
    front_eur: front === null ? null : front / 100,
    air_eur: air === null ? null : air / 100,
  };
}

/** The commissions of a plan up to now: one per collection that pays one, one more per refund. */
function commissionsOf(plan: Plan, now: number): Commission[] {
  const { front, air, airFromMonth } = commissionOf(plan);
  const monthly = plan.reference.billing === "monthly";
  const found: Commission[] = [];
  const row = (month: number, type: Commission["type"], amount: number, date: number) =>
    found.push({
      id: `${plan.id}-${String(month).padStart(2, "0")}-${type}`,
      date: isoDay(date),
      store: plan.store.name,
      store_id: plan.store.number,
      store_external_id: plan.store.external_id,
      amount: amount / 100,
      price: plan.price / 100,
      plan_sale_id: plan.id,
      monthly,
      billing_type: "collected",
      type,
    });
  const end = Math.min(plan.cancelled_at ?? Infinity, plan.expires_at, now + 1);
  const refundedAt =
    plan.cancelled_at !== null && plan.cancelled_at < plan.activated_at + REFUND_DAYS * DAY_MS
      ? plan.cancelled_at
      : null;
  const collections = monthly ? plan.reference.term : 1;
  for (let month = 0; month < collections; month += 1) {
    const date = monthsLater(plan.activated_at, month);
    // The first collection happens with the sale, even if the plan is cancelled that day.
    if (month > 0 && date >= end) break;
    if (month === 0 && front !== null) row(month, "front", front, date);
    if (air !== null && month >= airFromMonth) row(month, "air", air, date);
  }
  if (refundedAt !== null) {
    for (const collected of [...found]) {
      found.push({
        ...collected,
        id: `${collected.id}-refund`,
        date: isoDay(refundedAt),
        billing_type: "refunded",
      });
    }
  }
  return found;
}

interface AnalyticsRows {
  /** the state's version and the day */
  at: string;
  sales: Sale[];
  commissions: Commission[];
}

const derived = new WeakMap<Organisation, AnalyticsRows>();

/** Computes an organisation's sales and commissions once per change and day. */
function rowsOf(state: InsurerState, organisation: Organisation): AnalyticsRows {
  const now = state.now();
  const at = `${state.version} ${isoDay(now)}`;
  const known = derived.get(organisation);
  if (known?.at === at) return known;
  const plans = organisation.stores.flatMap((store) => [
    ...store.records.production.plans.values(),
    ...store.records.test.plans.values(),
  ]);
  const rows = {
    at,
    sales: byDate(plans.map(saleOf)),
    commissions: byDate(plans.flatMap((plan) => commissionsOf(plan, now))),
  };
  derived.set(organisation, rows);
  return rows;
}

/** A page of an organisation's sales or commissions. */
export function analyticsPage(
  state: InsurerState,
  organisation: Organisation,
  resource: "sales" | "commissions",
  { start_date: start, end_date: end, external_ids: stores, ...query }: AnalyticsQuery,
): (Sale | Commission)[] {
  const rows: (Sale | Commission)[] = rowsOf(state, organisation)[resource];
  const size = Math.min(query.per_page, MOST_PER_PAGE);
  const matching = rows.filter(
    ({ date, store_external_id: store }) =>
      (start === undefined || date >= start) &&
      (end === undefined || date <= end) &&
      (stores.length === 0 || stores.includes(store)),
  );
  return matching.slice((query.page - 1) * size, query.page * size);
}

/** Oldest first: rows added while a client reads the pages come last. */
function byDate<T extends { date: string; id: string }>(rows: T[]): T[] {
  return rows.sort((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : a.date < b.date ? -1 : 1));
}
