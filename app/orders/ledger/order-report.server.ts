/** What the shop says of an order, and what the ledger has of it. */
import { db } from "#app/platform/db.server.ts";
import { AccessDenied } from "#app/shopify/errors.ts";
import { REFERENCE } from "#app/shopify/line-properties.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { fetchOrder } from "#app/shopify/order-query.server.ts";
import { joinBundles } from "./bundles.ts";
import { readCatalogueView } from "./catalogue-view.server.ts";
import { upsertOrder } from "./ledger.server.ts";
import { buildLedger } from "./ledger.ts";
import { isWholeAsked } from "./settle-order.server.ts";

/** Null: the shop has no such order, it is too old for the app, or the app may read none. */
export async function fetchOrderIfAllowed(
  ...[shop, orderId, options]: Parameters<typeof fetchOrder>
): Promise<ShopOrder | null> {
  try {
    return await fetchOrder(shop, orderId, options);
  } catch (error) {
    if (error instanceof AccessDenied) return null;
    throw error;
  }
}

/** Stores the report of an order that was read in the shop, with the ledger as the catalogue sees it. */
export async function storeOrderReport(shop: string, order: ShopOrder): Promise<void> {
  const { view, environment } = await readCatalogueView(shop, order);
  await upsertOrder(shop, order, buildLedger(order, view), environment, "read");
}

/**
 * What the ledger lacks of an order of the shop: the order, a change of it, or what its items and sales record wait for;
 * null: nothing.
 */
export async function compareReports(
  shop: string,
  order: ShopOrder,
): Promise<"missed" | "behind" | "resumed" | null> {
  const known = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    include: {
      lines: { where: { shop }, select: { lineId: true, currentQuantity: true, fulfilledQuantity: true } },
      items: {
        where: { shop },
        select: {
          lineId: true,
          replacesItem: true,
          state: true,
          wanted: true,
          endedInOrder: true,
          premiumMinor: true,
        },
      },
    },
  });
  // An order that was never paid has nothing to insure, and its cancellation nothing to cancel.
  if (!known) return order.paid ? "missed" : null;
  const isBehind =
    (order.paid && known.paidAt === null) ||
    (order.cancelledAt !== null && known.cancelledAt === null) ||
    // Quotes are for those who may be written to.
    (!order.acceptsMarketing && known.acceptsMarketing) ||
    hasChangedLine(order.lines, known) ||
    (await isPaidBackUnasked(shop, order, known.items));
  if (isBehind) return "behind";
  const hasWork =
    (known.paidAt !== null && known.salesRecordStatus === "none") ||
    (known.cancelledAt !== null && known.salesRecordStatus === "recorded") ||
    known.items.some(
      ({ state, wanted }) =>
        ["pending", "creating", "unknown", "cancelling"].includes(state) || (state === "active" && !wanted),
    );
  return hasWork ? "resumed" : null;
}

/** The whole order was paid back as money, and no task has asked what becomes of its insurance (`openPaidBackTask`). */
async function isPaidBackUnasked(
  shop: string,
  { id: orderId, isPaidBack, cancelledAt }: ShopOrder,
  items: readonly { wanted: boolean; premiumMinor: number }[],
): Promise<boolean> {
  if (!isPaidBack || cancelledAt !== null) return false;
  if (!items.some(({ wanted, premiumMinor }) => wanted && premiumMinor > 0)) return false;
  return !(await isWholeAsked(db, shop, orderId));
}

interface KnownLines {
  lines: { lineId: string; currentQuantity: number; fulfilledQuantity: number }[];
  items: { lineId: string; replacesItem: number | null; wanted: boolean; endedInOrder: boolean }[];
}

/** Compares quantities, not times: several changes may fall into one second. */
function hasChangedLine(lines: ShopOrder["lines"], known: KnownLines): boolean {
  const isPlan = ({ id, properties }: ShopOrder["lines"][number]) =>
    properties[REFERENCE] !== undefined || known.items.some(({ lineId }) => lineId === id);
  const joined = [...lines.filter(isPlan), ...joinBundles(lines.filter((line) => !isPlan(line)))];
  return joined.some(({ id, quantity, currentQuantity, fulfilledQuantity }) => {
    const items = known.items.filter(({ lineId }) => lineId === id);
    if (items.length > 0) {
      const sold = items.filter(({ replacesItem }) => replacesItem === null);
      const inOrder = items.filter(({ wanted, endedInOrder }) => wanted || endedInOrder);
      return sold.length < quantity || inOrder.length > currentQuantity;
    }
    const line = known.lines.find(({ lineId }) => lineId === id);
    // What was sent matters to insured orders only, whose plans are fulfilled with it.
    const isSent = known.items.length > 0 && line?.fulfilledQuantity !== fulfilledQuantity;
    return isSent || line?.currentQuantity !== currentQuantity;
  });
}
