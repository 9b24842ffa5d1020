/** Compares the ledger with the service's contracts, and puts right what is clear. */
import type { InsuranceClient } from "#app/insurance/client.server.ts";
import { UnreadableResponse } from "#app/insurance/errors.ts";
import type { Plan } from "#app/insurance/plan.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { insuredCustomer } from "#app/plans/ledger/customer.ts";
import { writeRecord } from "#app/plans/issuing/working-order.server.ts";
import { differences } from "./reconciliation.ts";
import type { Difference, SweepCounts } from "./reconciliation.ts";
import { closeTasks, openTask } from "#app/plans/tasks/tasks.server.ts";
import { moveUnit, unitRow } from "#app/plans/ledger/units.server.ts";
import type { Unit } from "#app/plans/ledger/units.server.ts";
import { workOnOrder } from "#app/plans/issuing/work.server.ts";

interface ComparedOrder {
  orderId: string;
  cancelled: boolean;
  environment: "test" | "production";
  email: string | null;
  units: Unit[];
}

/** @throws InsuranceError where the service cannot be read */
export async function compareWithService(
  shop: string,
  orders: ShopOrder[],
  counts: SweepCounts,
): Promise<void> {
  const compared = await readCompared(
    shop,
    orders.map(({ id }) => id),
  );
  // One question per customer, however many orders they made.
  const plansOf = new Map<string, Plan[] | null>();
  for (const order of compared) {
    if (order.email === null || order.units.length === 0) continue;
    const service = await connectionIn(shop, order.environment);
    if (!service) continue;
    const key = `${order.environment} ${order.email}`;
    let plans = plansOf.get(key);
    if (plans === undefined) plansOf.set(key, (plans = await contractsOf(service.client, order.email)));
    if (plans === null) continue;
    const contracts = plans.filter((plan) => plan.order_reference_id === order.orderId);
    counts.contracts += contracts.length;
    for (const difference of differences(order.units, contracts)) {
      counts.different += 1;
      await settle(shop, order, difference, counts);
    }
  }
}

/**
 * What cannot be read of one customer's contracts cannot be compared, and must not keep the rest from it.
 * @throws InsuranceError where the service cannot be reached
 */
async function contractsOf(client: InsuranceClient, customerEmail: string): Promise<Plan[] | null> {
  try {
    return await client.plans.list({ customerEmail });
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    log.warn({ err: error }, "a customer's contracts cannot be compared");
    return null;
  }
}

async function readCompared(shop: string, orderIds: string[]): Promise<ComparedOrder[]> {
  const rows = await db.order.findMany({
    where: { shop, orderId: { in: orderIds } },
    include: { units: { where: { shop } } },
  });
  return rows.map((row) => ({
    orderId: row.orderId,
    cancelled: row.cancelledAt !== null,
    environment: row.environment === "production" ? "production" : "test",
    email: insuredCustomer.nullable().parse(row.customer)?.email ?? null,
    units: row.units.map((unit) => unitRow.parse(unit)),
  }));
}

async function settle(
  shop: string,
  order: ComparedOrder,
  difference: Difference<Unit>,
  counts: SweepCounts,
): Promise<void> {
  const { orderId } = order;
  switch (difference.kind) {
    case "cancelled_there": {
      const { unit } = difference;
      const moved = await moveUnit(unit, "found_cancelled", { note: "found cancelled at the service" });
      if (!moved) return;
      await closeTasks(shop, { orderId, lineId: unit.lineId, unit: unit.unit }, "gone");
      if (!unit.wanted || order.cancelled) return;
      counts.tasks += 1;
      return about(shop, unit, "cancelled_elsewhere");
    }
    case "missing_there":
      counts.tasks += 1;
      return about(shop, difference.unit, "contract_missing");
    case "active_there": {
      // Of an order that is not cancelled nothing would be cancelled again: its units are all at their end.
      if (order.cancelled) {
        await writeRecord(shop, orderId, "recorded");
        return workOnOrder(shop, orderId);
      }
      const { contractId, offerReferenceId } = difference.unit;
      counts.tasks += 1;
      return surplus(shop, orderId, contractId ?? "", offerReferenceId);
    }
    case "maybe_ours":
      await moveUnit(difference.unit, "doubt", { note: "the service has a contract that may be this one's" });
      return workOnOrder(shop, orderId);
    case "nobodys":
      if (await isOurs(shop, orderId, difference.contract.id)) return;
      counts.tasks += 1;
      return surplus(shop, orderId, difference.contract.id, difference.contract.offer_reference_id);
  }
}

/**
 * Whether the contract is, or may be, a unit's by now: the units were read before the service was asked, and may have
 * been asked for, supplied or added to the order since.
 */
async function isOurs(shop: string, orderId: string, contractId: string): Promise<boolean> {
  const units = await db.insuredUnit.count({
    where: { shop, orderId, OR: [{ contractId }, { state: { in: ["creating", "unknown"] } }] },
  });
  return units > 0;
}

async function about(
  shop: string,
  { orderId, lineId, unit, contractId, planTitle }: Unit,
  kind: "cancelled_elsewhere" | "contract_missing",
): Promise<void> {
  await openTask({ shop, kind, orderId, lineId, unit, details: { contractId: contractId ?? "", planTitle } });
}

async function surplus(
  shop: string,
  orderId: string,
  contractId: string,
  offerReferenceId: string,
): Promise<void> {
  await openTask({
    shop,
    kind: "surplus_contract",
    orderId,
    about: contractId,
    details: { contractId, offerReferenceId },
  });
}
