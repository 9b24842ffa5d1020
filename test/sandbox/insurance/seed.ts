/** A year of plausible sales, quotes and claims over the stores of every organisation: the same for the same seed. */
import { type Random, seeded } from "#test/random.ts";
import { offersFor } from "./catalogue.ts";
import { DAY_MS, isoDay } from "./dates.ts";
import type { Customer, Reference } from "./schema.ts";
import type { Environment, Plan, Store } from "./records.ts";
import { addLead } from "./quotes.ts";
import { addPlan, cancelPlan, nextId, recordOrder, type InsurerState } from "./service-state.ts";

const FIRST_NAMES = ["Camille", "Léa", "Manon", "Inès", "Chloé", "Hugo", "Louis", "Jules", "Zoé"];
const LAST_NAMES = ["Martin", "Bernard", "Dubois", "Petit", "Durand", "Leroy", "Lefèvre", "Garcia"];
const TOWNS = [
  ["Paris", "75011"],
  ["Lyon", "69003"],
  ["Bordeaux", "33000"],
  ["Lille", "59000"],
  ["Nantes", "44000"],
  ["Marseille", "13006"],
] as const;
const STREETS = ["rue des Lilas", "avenue Jean Jaurès", "rue du Moulin", "boulevard Voltaire"];
const SELLERS = [
  { first_name: "Sofia", last_name: "Renard" },
  { first_name: "Karim", last_name: "Benali" },
  { first_name: "Élodie", last_name: "Faure" },
];
const OUTCOMES = [
  { approval_status: "approved", status: "pending_repairs", closed: false },
  { approval_status: "approved", status: "pending_replacement", closed: false },
  { approval_status: "approved", status: "repaired", closed: true },
  { approval_status: "approved", status: "compensated", closed: true },
  { approval_status: "refused", status: "refused", closed: true },
  { approval_status: "pending", status: "pending_documents", closed: false },
] as const;
const CLAIM_TYPES = ["breakage", "theft", "breakdown", "oxidation"];

/** @param sales how many in production over a year; the first store gets a few in test, too */
export function seedYear(state: InsurerState, seed: number, sales: number): void {
  const random = seeded(seed);
  const stores = state.organisations[0]?.stores ?? [];
  const elsewhere = state.organisations[1]?.stores ?? [];
  // Half of the sales are the first store's, which is the one online.
  const records = (index: number): [Store, Environment] => {
    const other = random.below(20) === 0 ? elsewhere[0] : undefined;
    const store = other ?? (random.below(2) === 0 ? stores[0] : random.pick(stores));
    if (!store) throw new RangeError(`No store for sale ${index}`);
    return [store, "production"];
  };
  const start = state.now() - 365 * DAY_MS;
  for (let index = 0; index < sales; index += 1) {
    const day = Math.floor((index * 365) / sales);
    seedSale(state, random, ...records(index), start + day * DAY_MS + random.below(DAY_MS));
  }
  const [first] = stores;
  if (!first || sales === 0) return;
  for (let index = 0; index < 24; index += 1) {
    seedSale(state, random, first, "test", start + index * 15 * DAY_MS + random.below(DAY_MS));
  }
  for (const store of stores) {
    for (let index = 0; index < 4; index += 1) seedLead(state, random, store, "production");
  }
  seedLead(state, random, first, "test");
}

function seedSale(
  state: InsurerState,
  random: Random,
  store: Store,
  environment: Environment,
  moment: number,
): void {
  const reference = random.pick([...store.catalogue.references.values()]);
  const customer = customerOf(state, random);
  const variant = variantOf(random, reference);
  const order = nextId(state, "CMD");
  const plan = addPlan(state, store, environment, {
    reference,
    order_reference_id: order,
    variant,
    customer,
    seller: store.external_id.startsWith("WEB") ? null : random.pick(SELLERS),
    activated_at: moment,
  });
  recordOrder(store, environment, {
    order_reference_id: order,
    purchased_at: new Date(moment).toISOString(),
    payment_method: random.pick(["credit_card", "paypal", "gift_card"]),
    sales_channel: store.external_id.startsWith("WEB") ? "online" : "in_store",
    line_items: [
      {
        reference_id: variant.reference_id,
        price: variant.price,
        currency_code: variant.currency_code,
        category_id: reference.category_id,
        insurance_offered: true,
        insurance_selected: true,
      },
    ],
  });
  const age = state.now() - moment;
  if (random.below(100) < 6) cancelPlan(state, plan, moment + random.below(Math.max(1, age)));
  else if (random.below(100) < 8 && age > 20 * DAY_MS) seedClaim(state, random, plan, moment, age);
}

function seedClaim(state: InsurerState, random: Random, plan: Plan, moment: number, age: number): void {
  const { closed, ...outcome } = random.pick(OUTCOMES);
  const filed = moment + 10 * DAY_MS + random.below(age - 15 * DAY_MS);
  const id = nextId(state, "SIN");
  plan.store.records[plan.environment].claims.set(id, {
    id,
    store: plan.store,
    environment: plan.environment,
    plan_id: plan.id,
    ...outcome,
    claim_type: random.pick(CLAIM_TYPES),
    filed_at: filed,
    closed_at: closed ? Math.min(state.now(), filed + random.below(40 * DAY_MS)) : null,
    compensation_amount: outcome.approval_status === "approved" && closed ? plan.variant.price : 0,
  });
}

function seedLead(state: InsurerState, random: Random, store: Store, environment: Environment): void {
  const [reference] = offersFor(store.catalogue.references.values(), {});
  if (!reference) return;
  const variant = variantOf(random, reference);
  addLead(state, store, environment, {
    purchase_date: isoDay(state.now() - random.below(20) * DAY_MS),
    category_id: reference.category_id,
    charged_by: "the service",
    customer: customerOf(state, random),
    variant: { ...variant, price: variant.price / 100 },
    seller: store.external_id.startsWith("WEB") ? undefined : random.pick(SELLERS),
  });
}

function customerOf(state: InsurerState, random: Random): Customer {
  const first_name = random.pick(FIRST_NAMES);
  const last_name = random.pick(LAST_NAMES);
  const [city, zip_code] = random.pick(TOWNS);
  const plain = `${first_name}.${last_name}`
    .normalize("NFD")
    .replace(/[^A-Za-z.]/g, "")
    .toLowerCase();
  return {
    email: `${plain}.${state.sequence}@example.com`,
    first_name,
    last_name,
    birth_date: `${String(1 + random.below(28)).padStart(2, "0")}/0${1 + random.below(9)}/${1955 + random.below(50)}`,
    phone: `+336${String(10_000_000 + random.below(89_999_999))}`,
    address: { address1: `${1 + random.below(120)} ${random.pick(STREETS)}`, zip_code, city, country: "FR" },
  };
}

function variantOf(random: Random, reference: Reference) {
  const span = reference.price_band_max - reference.price_band_min;
  return {
    reference_id: String(40_000_000_000 + random.below(900_000)),
    title: `Produit ${reference.category_id}`,
    price: reference.price_band_min + random.below(span),
    currency_code: reference.currency_code,
  };
}
