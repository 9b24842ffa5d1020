/**
 * Brings the insurance service in line with an order's ledger: creates and looks up plans, records the order, cancels.
 * next-step.ts decides from what is stored, so this may be started by anything, any number of times, and killed
 * anywhere.
 */
import { sendOrderJob } from "#app/jobs/order-jobs.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import type { InsuranceConnection } from "#app/merchants/insurance-connection.server.ts";
import { log } from "#app/platform/log.server.ts";
import { scheduleFulfilment } from "#app/plans/fulfilment/fulfil-plan-lines.server.ts";
import { scheduleOrderCover } from "#app/plans/order-cover/publish-order-cover.server.ts";
import { isAboutAccount, pauseAccount, waitIfPaused } from "./pauses.server.ts";
import { acquireLease } from "./lease.server.ts";
import type { Lease } from "./lease.server.ts";
import { nextStep } from "./next-step.ts";
import { runStep } from "./run-step.server.ts";
import type { WorkingOrder } from "./working-order.server.ts";

/**
 * Does all that can be done for the order now. Where its account at the service cannot be used, the order waits for it
 * (pauses.server.ts).
 * @throws InsuranceError: not done, try again later
 */
export async function issuePlans(shop: string, orderId: string): Promise<void> {
  while (!(await waitIfPaused(shop, orderId))) {
    try {
      await issueDespitePause(shop, orderId);
      return;
    } catch (error) {
      if (!isAboutAccount(error)) throw error;
      log.warn({ err: error, shop, orderId }, "Paused the account: the service refuses it, its orders wait");
      await pauseAccount(shop, orderId);
    }
  }
}

/**
 * served: the service carried out or decided a request; idle: there was nothing to request; waiting: for a time,
 * scheduled.
 */
export type IssuingResult = "served" | "idle" | "waiting";

/**
 * The same, whether or not the account is paused. Where another worker leases the order, that worker sees what is
 * stored; in case it is dead, the order is checked again when its lease has ended.
 * @throws InsuranceError, NotConnectedError: not done, try again later
 */
export async function issueDespitePause(shop: string, orderId: string): Promise<IssuingResult> {
  let isServed = false;
  for (;;) {
    const acquired = await acquireLease(shop, orderId);
    if (!acquired) return "idle";
    if ("heldUntil" in acquired) {
      await scheduleRetry(shop, orderId, acquired.heldUntil, "held");
      return "waiting";
    }
    const { lease, order } = acquired;
    let end: Ending;
    try {
      end = await runSteps(shop, order, lease);
    } catch (error) {
      await lease.release(order);
      // Its customer sees that the contract is on its way, even while the service is down.
      if (hasCoverToShow(order)) await scheduleOrderCover(shop, orderId);
      throw error;
    }
    const isCurrent = await lease.release(end.order);
    if (hasLinesToFulfil(end.order)) await scheduleFulfilment(shop, orderId);
    if (hasCoverToShow(end.order)) await scheduleOrderCover(shop, orderId);
    // What was returned or insured needs its quote no more.
    if (end.order.hasLeads) await sendOrderJob("order-leads", shop, orderId);
    // After the release: the next job would find the order leased, and wait until the lease expires.
    if (end.isCutOff) await scheduleRetry(shop, orderId, end.order.now, "more");
    isServed ||= serviceDecided(order, end.order);
    if (end.isCutOff || (isCurrent && end.isDone))
      return end.isWaiting ? "waiting" : isServed ? "served" : "idle";
  }
}

/** Steps of one time slice: between the slices of an order with very many units, the worker serves other orders. */
const MAX_STEPS = 200;

interface Ending {
  /** as the steps left it */
  order: WorkingOrder;
  /** nothing can be done for the order now; false: it has to be read again */
  isDone: boolean;
  /** the time slice is used up, and another one follows */
  isCutOff?: true;
  /** what comes next has to wait, and is scheduled */
  isWaiting?: true;
}

/**
 * Takes one step after the other, up to the first that changes the sales record status: that is saved together with
 * the end of the lease, and for nearly every order it is the last step.
 */
async function runSteps(shop: string, found: WorkingOrder, lease: Lease): Promise<Ending> {
  let connection: Promise<InsuranceConnection | null> | undefined;
  const readConnection = () => (connection ??= connectionIn(shop, found.environment));
  let order = found;
  for (let steps = 0; order.salesRecordStatus === found.salesRecordStatus; steps++) {
    if (steps === MAX_STEPS) return { order, isDone: false, isCutOff: true };
    const step = nextStep(order);
    if (step.do === "nothing") break;
    const result = await runStep(shop, order, step, lease, readConnection);
    if (result === "changed") return { order, isDone: false };
    if ("waitUntil" in result) {
      await scheduleRetry(shop, order.orderId, result.waitUntil, String(result.waitUntil.getTime()));
      return { order, isDone: true, isWaiting: true };
    }
    order = result.order;
  }
  return { order, isDone: nextStep(order).do === "nothing" };
}

const hasLinesToFulfil = ({ canFulfil, units }: WorkingOrder) =>
  canFulfil && units.some(({ state, fulfilledAt }) => state === "active" && fulfilledAt === null);

/** Whether the service has created, refused, recorded or cancelled something in between. */
function serviceDecided(before: WorkingOrder, after: WorkingOrder): boolean {
  if (before.salesRecordStatus !== after.salesRecordStatus) return true;
  return after.units.some(
    (unit) =>
      (unit.state === "active" || unit.state === "refused") &&
      before.units.some(
        ({ lineId, unitNumber, state }) =>
          lineId === unit.lineId && unitNumber === unit.unitNumber && state !== unit.state,
      ),
  );
}

const hasCoverToShow = ({ canWriteOrders, units }: WorkingOrder) => canWriteOrders && units.length > 0;

/** @param reason of an order's retries with the same reason, one waits at most */
async function scheduleRetry(shop: string, orderId: string, after: Date, reason: string): Promise<void> {
  await sendOrderJob("order-issuing", shop, orderId, { startAfter: after, reason });
}
