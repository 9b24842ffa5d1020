/** The contracts that the insurer has, each with what the app knows of it, and a second look at one. */
import { LRUCache } from "lru-cache";
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { NotFound } from "#app/insurance/errors.ts";
import type { Listed, UnreadableRows } from "#app/insurance/list.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { type Environment, environment } from "#app/merchants/connection.ts";
import {
  callInsurer,
  type InsuranceConnection,
  type InsurerResult,
} from "#app/merchants/insurance-connection.server.ts";
import { contractEvent } from "#app/issuing/look-up.ts";
import { reconcileOrQueue } from "#app/issuing/store-and-reconcile.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import { fetchOrderIfAllowed, saveReport } from "#app/orders/save-report.server.ts";
import { compareWithInsurer } from "./compare.server.ts";
import { findContractMatches } from "./contract-matches.server.ts";
import { reconciliationCounts } from "./reconciliation.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { type ListPage, pageOfList } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { ShopError } from "#app/shopify/errors.ts";
import {
  type ContractFilter,
  contractKey,
  type ContractOrigin,
  isKnown,
  matchesFilter,
  originOf,
  searchedEmail,
} from "./contract-list.ts";

/** The insurer returns all contracts at once: paging through the list must not fetch them again for each page. */
const plansCache = new LRUCache<string, Listed<Plan>, InsuranceConnection>({
  // Of memory, in bytes: two for each character. A list that is larger is fetched for every page.
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: (plans) => 2 * JSON.stringify(plans).length,
  ttl: 60_000,
  fetchMethod: (_key, _stale, { context }) => context.client.plans.listReadable(),
});

const utcToday = () => toLocalDay("UTC", new Date());

/** A row of the list. */
export type ListedContract = Plan & { origin: ContractOrigin };

type ContractPage = ListPage<ListedContract> & { unreadable: UnreadableRows | null };

/** One page of the contracts of the shop's store, at most a minute old, bought last first. */
export async function listContracts(
  shop: string,
  filter: ContractFilter,
  request: PageRequest,
  size: number,
): Promise<InsurerResult<ContractPage>> {
  const list = async (connection: InsuranceConnection) => {
    const { items: plans, unreadable } = await readPlans(shop, connection, filter);
    const orderIds = await findOrdersByName(shop, filter.query);
    const matching = plans.filter((plan) => matchesFilter(plan, filter, orderIds));
    const withOrigins = async (rows: Plan[]): Promise<ListedContract[]> => {
      const matches = await findContractMatches(shop, connection.environment, rows);
      const today = utcToday();
      return rows.map((plan) => ({ ...plan, origin: originOf(matches.get(plan.id), plan, today) }));
    };
    if (filter.origin === null) {
      const page = pageOfList(matching, contractKey, request, size);
      return { ...page, items: await withOrigins(page.items), unreadable };
    }
    const rows = await withOrigins(matching);
    const wanted = rows.filter(({ origin }) => isKnown(origin) === (filter.origin === "known"));
    return { ...pageOfList(wanted, contractKey, request, size), unreadable };
  };
  return callInsurer(
    shop,
    list,
    filter.contract === null ? undefined : await accountOf(shop, filter.contract),
  );
}

/** An order's name with or without its `#`. */
async function findOrdersByName(shop: string, query: string | null): Promise<string[]> {
  if (query === null) return [];
  const names = [query, `#${query}`];
  const orders = await db.order.findMany({ where: { shop, name: { in: names } }, select: { orderId: true } });
  return orders.map(({ orderId }) => orderId);
}

/** The account that an order's contract was sold for, which need not be the one in use; undefined: not known here. */
async function accountOf(shop: string, contractId: string): Promise<Environment | undefined> {
  const item = await db.insuredItem.findFirst({ where: { shop, contractId }, select: { environment: true } });
  return item === null ? undefined : environment.parse(item.environment);
}

async function readPlans(
  shop: string,
  connection: InsuranceConnection,
  filter: ContractFilter,
): Promise<Listed<Plan>> {
  if (filter.contract !== null) {
    const plan = await findPlan(connection.client, filter.contract);
    return { items: plan === null ? [] : [plan], unreadable: null };
  }
  const customerEmail = searchedEmail(filter);
  if (customerEmail !== undefined) return connection.client.plans.listReadable({ customerEmail });
  const key = JSON.stringify([shop, connection.environment, connection.account.storeId]);
  // An answer from the cache says nothing about an account that the insurer does not accept now.
  const forceRefresh = connection.state !== "accepted";
  const listed = await plansCache.fetch(key, { context: connection, forceRefresh });
  return listed ?? { items: [], unreadable: null };
}

/** Null: the insurer does not have it (any more). */
async function findPlan(client: InsuranceClient, contractId: string): Promise<Plan | null> {
  try {
    return await client.plans.get(contractId);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

export type LookAgainOutcome =
  /** the contract belongs to an order or a quote of the app */
  | { type: "known" }
  /** a task says what is to be decided */
  | { type: "task" }
  /** it is not in force, so there is nothing to do about it */
  | { type: "ended" }
  /** the insurer does not have it (any more) */
  | { type: "missing" }
  /** the shop shows no such order */
  | { type: "no_order" }
  | { type: "failed"; reason: string };

/**
 * Looks again at a contract that the app does not know: reads its order from the shop and compares the two. What is in
 * force and remains without an insured item becomes a task.
 */
export async function recheckContract(
  shop: string,
  contractId: string,
  actor: Actor,
): Promise<LookAgainOutcome> {
  try {
    const compare = (connection: InsuranceConnection) => compareContract(shop, connection, contractId, actor);
    const result = await callInsurer(shop, compare);
    if (result.state === "answered") return result.value;
    return { type: "failed", reason: result.state === "not_connected" ? "" : result.reason };
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    return { type: "failed", reason: error.message };
  }
}

async function compareContract(
  shop: string,
  { client, environment }: InsuranceConnection,
  contractId: string,
  actor: Actor,
): Promise<LookAgainOutcome> {
  const plan = await findPlan(client, contractId);
  if (plan === null) return { type: "missing" };
  await recordAudit({ shop, actor, action: "contract_compared", subject: plan.id });
  const { orderReferenceId: orderId } = plan;
  const order = /^\d{1,20}$/.test(orderId) ? await fetchOrderIfAllowed(shop, orderId) : null;
  if (order !== null) await saveReport(shop, order, "read", { sendsJob: false });
  // First, so that a contract that the book lost is found before its item is sent again.
  await compareWithInsurer(shop, [orderId], reconciliationCounts.parse({}));
  if (order !== null) await reconcileOrQueue(shop, orderId);
  const matches = await findContractMatches(shop, environment, [plan]);
  const origin = originOf(matches.get(plan.id), plan, utcToday());
  if (origin.state === "order") return { type: origin.hasTask ? "task" : "known" };
  if (origin.state === "quote") return { type: "known" };
  if (origin.state === "unknown") return { type: "no_order" };
  if (plan.standing === "cancelled") return { type: "ended" };
  if (!origin.hasTask) await askAboutStray(shop, orderId, plan, actor);
  return { type: "task" };
}

/** Who looks again wants an answer, also where the question was answered before. */
async function askAboutStray(shop: string, orderId: string, plan: Plan, actor: Actor): Promise<void> {
  const question = `surplus_contract:${plan.id}`;
  const by = actor.kind === "staff" ? actor.id : actor.cause;
  await appendToOrder(shop, orderId, ({ order }): BookEvent[] => [
    ...(order.strayContracts.some(({ contractId }) => contractId === plan.id)
      ? []
      : [contractEvent(plan, null)]),
    ...(order.answers.has(question)
      ? [{ type: "decided" as const, question, items: [], answer: "reopened" as const, amountMinor: 0, by }]
      : []),
  ]);
}
