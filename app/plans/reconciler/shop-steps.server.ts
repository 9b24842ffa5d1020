/** The reconciler's steps that make the shop's order show what is insured: its fulfilment and its cover. */
import { claimLink } from "#app/after-sales/claim-handover.server.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { withdrawalLink } from "#app/plans/withdrawal/link.server.ts";
import { AdminRefused } from "#app/shopify/errors.ts";
import { createFulfilment, readFulfilmentOrders } from "#app/shopify/fulfilment.server.ts";
import { writeOrderMetafield } from "#app/shopify/app-data.server.ts";
import type { OrderCover } from "../../../extensions/cover/src/cover.ts";
import { unitsToFulfil } from "./next-step.ts";
import { type CoveredUnit, orderCover, planLinesToFulfil } from "./shop-steps.ts";
import type { WorkingOrder } from "./working-order.server.ts";

/**
 * Fulfils the lines of plans whose contract exists and whose product is sent, so that orders close: a line without
 * shipping has to be fulfilled as well. What is fulfilled stays so when the plan is cancelled: nothing has to be sent
 * back. Safe to repeat. What the platform does not let be fulfilled now, because it is on hold or somebody else's, is
 * tried again later.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function fulfilPlanLines(order: WorkingOrder): Promise<WorkingOrder> {
  const { shop, orderId, units } = order;
  const due = unitsToFulfil(order);
  const done: WorkingOrder = { ...order, skips: [...order.skips, "fulfil"] };
  let blocked: string[];
  try {
    blocked = await fulfil(shop, orderId, due);
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to fulfil plan lines: the platform refused");
    return done;
  }
  if (blocked.length > 0)
    log.info(
      { shop, orderId },
      "Failed to fulfil plan lines: their fulfilment order is on hold or not shown to the app",
    );
  const isFulfilled = (unit: (typeof units)[number]) =>
    due.includes(unit) && unit.fulfilledAt === null && !blocked.includes(unit.lineId);
  return {
    ...done,
    units: units.map((unit) => (isFulfilled(unit) ? { ...unit, fulfilledAt: new Date() } : unit)),
  };
}

/** @returns the plan lines that cannot be fulfilled now. @throws AdminRefused, AdminUnavailable, NoAccess */
async function fulfil(shop: string, orderId: string, due: { lineId: string }[]): Promise<string[]> {
  const contracts = new Map<string, number>();
  for (const { lineId } of due) contracts.set(lineId, (contracts.get(lineId) ?? 0) + 1);
  // An order that the shop does not show has nothing that can be fulfilled.
  const orders = (await readFulfilmentOrders(shop, orderId)) ?? [];
  const { fulfilments, blocked } = planLinesToFulfil(contracts, orders);
  for (const { fulfilmentOrderId, lines } of fulfilments) {
    await createFulfilment(shop, fulfilmentOrderId, lines);
  }
  return blocked;
}

/**
 * Writes the order's cover into a metafield, which the order status page and the customer's account show
 * (extensions/cover). Nothing personal: everybody with the order's address reads it. An unchanged value is not written
 * again. What the shop refuses, such as an order that was deleted, waits for the next change.
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function showCover(order: WorkingOrder): Promise<WorkingOrder> {
  const metafield = { key: "cover", content: coverOf(order), written: order.coverDigest } as const;
  const written = await writeOrderMetafield(order.shop, order.orderId, metafield);
  return { ...order, coverDigest: written ?? order.coverDigest, skips: [...order.skips, "show_cover"] };
}

function coverOf(order: WorkingOrder): OrderCover {
  const { shop, orderId, units, soldQuotes, withdrawalDays: days, timezone } = order;
  const withdrawal = { url: withdrawalLink(shop, orderId), days, timezone };
  const sold = soldQuotes.map(({ soldTitle, productTitle, isEnding, ...quote }) => ({
    ...quote,
    state: isEnding ? ("attention" as const) : ("active" as const),
    wanted: true,
    planTitle: soldTitle,
    insuredTitle: productTitle,
    expiresOn: null,
    endsOn: null,
    insuredAt: null,
  }));
  const covered = [...units, ...sold]
    .sort((a, b) => (a.lineId < b.lineId ? -1 : a.lineId > b.lineId ? 1 : a.unitNumber - b.unitNumber))
    .map((unit): CoveredUnit => ({
      ...unit,
      conditions: linkOrEmpty(unit.conditionsUrl),
      ipid: linkOrEmpty(unit.ipidUrl),
    }));
  return orderCover(
    { ...order, app: env.SHOPIFY_APP_URL, withdrawal, claims: claimLink(shop, orderId) },
    covered,
  );
}

function linkOrEmpty(address: string | null): string {
  return address !== null && isLink(address) ? address : "";
}
