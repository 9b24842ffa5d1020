/**
 * An order as the reconciler works on it, read with one statement, and the lease under which it does. The lease is kept
 * in the order's row, on the database's clock, and renewed while the work goes on: a killed worker's lease ends by
 * itself, and a worker that was stopped and resumed notices that its lease has ended before it sends anything.
 */
import { randomUUID } from "node:crypto";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { permissionModesOf } from "#app/merchants/optional-scopes.server.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import type { InsuredCustomer } from "#app/orders/customer.ts";
import { openCustomer } from "#app/orders/sealed.server.ts";
import type { Item } from "#app/orders/ledger/items.server.ts";
import type { SalesRecordStatus } from "#app/orders/sales-record.ts";
import type { OrderState, Skip } from "./next-step.ts";
import { endLease, LEASE_MS, leaseStoredOrder, type Released, renewLease, saveRun } from "./lease.server.ts";
import { isSameItem, readStoredOrder, type StoredOrder } from "./stored-order.server.ts";

/** An item with what its customer is shown of it. */
export type WorkingItem = StoredOrder["items"][number];

export type WorkingOrder = Omit<StoredOrder, "sealedCustomer" | "shopModes"> &
  OrderState<WorkingItem> & {
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
  { sealedCustomer, shopModes: stored, ...order }: StoredOrder,
  skips: readonly Skip[],
): Promise<WorkingOrder> {
  const customer =
    sealedCustomer === null ? null : openCustomer(await dataKeyOf(shop), order.orderId, sealedCustomer);
  const { settings, modes } = permissionModesOf(stored);
  const isInstalled = stored?.isInstalled === true;
  return {
    ...order,
    shop,
    customer,
    paid: order.paidAt !== null,
    cancelled: order.cancelledAt !== null,
    skips: order.isPaused ? [...skips, "insurer"] : skips,
    fulfilsPlans: isInstalled && modes.fulfilment === "on" ? settings.fulfilsPlans : "never",
    showsCover: isInstalled && modes.orderCover === "on",
    mailsContracts: isInstalled && mailIsOn && settings.mailsContracts && customer?.email != null,
    isInstalled,
    claimContact: settings.claimContact,
    withdrawalDays: settings.withdrawalDays,
    timezone: stored?.timezone ?? "UTC",
  };
}

const RENEW_MS = 5_000;
/** Ample time between the check and the first byte sent to the insurer. */
const MARGIN_MS = 3_000;

export interface Lease {
  holder: string;
  /** false once another worker may have taken over; by the monotonic clock, which goes on in a stopped process */
  isHeld(): boolean;
  /** Ends the lease, and saves what the run found out. */
  release(order: WorkingOrder, end: { dueAt: Date | null; waits: boolean }): Promise<Released>;
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
  const lease = { holder: randomUUID(), startedAt: performance.now() };
  const row = await leaseStoredOrder(shop, orderId, lease.holder);
  if (!row) return null;
  if (!row.order) return { heldUntil: row.heldUntil };
  if (row.isWhole === true) return startWork(shop, row.order, lease, skips);
  const current = await readStoredOrder(shop, orderId);
  return current && startWork(shop, current, lease, skips);
}

/** @throws DecryptionError; then the lease is ended */
async function startWork(
  shop: string,
  stored: StoredOrder,
  { holder, startedAt }: { holder: string; startedAt: number },
  skips: readonly Skip[],
): Promise<AcquiredOrder> {
  const lease = keepLease(shop, stored, holder, startedAt);
  try {
    return { lease, order: await toWorkingOrder(shop, stored, skips) };
  } catch (error) {
    await endLease(shop, stored.orderId, holder);
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
    async release(order, end) {
      clearInterval(timer);
      return saveRun(shop, stored, order, holder, end);
    },
  };
}

/** The order with some of its items as they are now. */
export function withItems(order: WorkingOrder, moved: readonly Item[]): WorkingOrder {
  return {
    ...order,
    items: order.items.map((item) => {
      const now = moved.find((each) => isSameItem(each, item));
      if (!now) return item;
      const isInsuredNow = now.state === "active" && now.contractId !== item.contractId;
      return { ...item, ...now, insuredAt: isInsuredNow ? now.changedAt : item.insuredAt };
    }),
  };
}

/** An order's sales record changed without the reconciler. */
export async function writeSalesRecordStatus(
  shop: string,
  orderId: string,
  status: SalesRecordStatus,
): Promise<void> {
  await db.order.updateMany({ where: { shop, orderId }, data: { salesRecordStatus: status } });
}
