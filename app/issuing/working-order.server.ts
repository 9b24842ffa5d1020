/**
 * An order as the reconciler works on it, and the lease under which it does. The lease is kept in the order's row, on the
 * database's clock, and renewed while the work goes on: a killed worker's lease ends by itself, and a worker that was
 * stopped and resumed notices that its lease has ended before it sends anything.
 */
import { randomUUID } from "node:crypto";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { permissionModesOf } from "#app/merchants/optional-scopes.server.ts";
import { appendToOrder, type Locked, readOrderBook } from "#app/orders/book/book.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { quoteSituation } from "#app/orders/book/quote-rules.ts";
import type { InsuredCustomer } from "#app/orders/customer.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import type { OrderSituation, Skip } from "./next-step.ts";
import {
  endLease,
  LEASE_MS,
  leaseStoredOrder,
  releaseLease,
  type Released,
  renewLease,
} from "./lease.server.ts";
import { askingAboutWords } from "#app/orders/status-words.server.ts";
import type { StoredOrder } from "./stored-order.server.ts";

export type WorkingOrder = Omit<StoredOrder, "sealedCustomer" | "shopModes" | "quoteTerms"> &
  OrderSituation & {
    shop: string;
    /** who is insured; null after the erasure of their data */
    customer: InsuredCustomer | null;
    /** days in which customers may withdraw from a contract, and the shop's time zone */
    withdrawalDays: number;
    timezone: string;
    /** where the insurer takes claims; "" where the merchant has not said */
    claimContact: string;
    /** the insurer has just refused a contract for want of a phone number */
    phoneNeeded?: true;
  };

/** @throws DecryptionError */
async function toWorkingOrder(
  shop: string,
  { sealedCustomer, shopModes: stored, quoteTerms, ...row }: StoredOrder,
  order: Order,
  skips: readonly Skip[],
): Promise<WorkingOrder> {
  const customer =
    sealedCustomer === null ? null : openCustomer(await dataKeyOf(shop), row.orderId, sealedCustomer);
  const { settings, modes } = permissionModesOf(stored);
  const isInstalled = stored?.isInstalled === true;
  return {
    ...row,
    shop,
    order,
    customer,
    quotes: quoteSituation(order, quoteTerms, row.now),
    conclusiveAfterS: env.INSURANCE_CONSISTENCY_SECONDS,
    skips: row.isPaused ? [...skips, "insurer"] : skips,
    fulfilsPlans: isInstalled && modes.fulfilment === "on" ? settings.fulfilsPlans : "never",
    showsCover: isInstalled && modes.orderCover === "on",
    tagging: !isInstalled || !stored.canWriteOrders ? "none" : settings.tagsOrders ? "kept" : "removed",
    mailsContracts: isInstalled && mailIsOn && settings.mailsContracts && customer?.email != null,
    isInstalled,
    claimContact: settings.claimContact,
    withdrawalDays: settings.withdrawalDays,
    timezone: stored?.timezone ?? "UTC",
  };
}

/**
 * Appends what a step found out or is about to do.
 * @param decide null: the order has changed, and the step does not apply any more
 * @returns the order as it is now; null: it did not apply
 */
export async function appendStep(
  working: WorkingOrder,
  decide: (locked: Locked) => readonly BookEvent[] | null | Promise<readonly BookEvent[] | null>,
): Promise<WorkingOrder | null> {
  let { now } = working;
  const appended = await appendToOrder(
    working.shop,
    working.orderId,
    askingAboutWords(working.shop, working.environment, (locked) => {
      ({ now } = locked);
      return decide(locked);
    }),
    { isWorker: true },
  );
  return appended && { ...working, order: appended.order, now };
}

const RENEW_MS = 5_000;
/** Ample time between the check and the first byte sent to the insurer. */
const MARGIN_MS = 3_000;

export interface Lease {
  holder: string;
  /** false once another worker may have taken over; by the monotonic clock, which goes on in a stopped process */
  isHeld(): boolean;
  release(end: { dueAt: Date | null; waits: boolean }): Promise<Released>;
}

export interface AcquiredOrder {
  lease: Lease;
  order: WorkingOrder;
}

/**
 * Takes the lease of an order and reads the order. Null: there is no such order. `heldUntil`: another worker has it; its
 * revision grows, so that this worker reads the order again before it ends, unless it is dead.
 */
export async function acquireOrder(
  shop: string,
  orderId: string,
  skips: readonly Skip[] = [],
): Promise<AcquiredOrder | { heldUntil: Date } | null> {
  const holder = randomUUID();
  const startedAt = performance.now();
  const row = await leaseStoredOrder(shop, orderId, holder);
  if (!row) return null;
  if (!row.order) return { heldUntil: row.heldUntil };
  const lease = keepLease(shop, row.order, holder, startedAt);
  try {
    const book = await readOrderBook(shop, orderId);
    if (book !== null) return { lease, order: await toWorkingOrder(shop, row.order, book.order, skips) };
    await endLease(shop, orderId, holder);
    return null;
  } catch (error) {
    await endLease(shop, orderId, holder);
    throw error;
  }
}

/** Renews the lease until it is released. */
function keepLease(shop: string, stored: StoredOrder, holder: string, startedAt: number): Lease {
  const { orderId } = stored;
  let renewedAt = startedAt;
  const renew = async (): Promise<void> => {
    const now = performance.now();
    if (await renewLease(shop, orderId, holder)) renewedAt = now;
  };
  const timer = setInterval(() => {
    // Without a renewal the lease runs out, and `isHeld` says so: nothing else needs doing.
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, shop, orderId },
        "Failed to renew the order's lease; another worker may take over in 15 s",
      ),
    );
  }, RENEW_MS);
  timer.unref();

  return {
    holder,
    isHeld: () => performance.now() - renewedAt < LEASE_MS - MARGIN_MS,
    async release(end) {
      clearInterval(timer);
      return releaseLease(shop, stored, holder, end);
    },
  };
}
