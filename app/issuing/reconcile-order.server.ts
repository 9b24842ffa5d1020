/**
 * The one reconciler of an order: brings the insurer and the shop in line with the book. next-step.ts decides
 * from what is stored, so this may be started by anything, any number of times, and killed anywhere. One worker at a time
 * works on an order, under its lease (working-order.server.ts).
 */
import { nameOf } from "#app/orders/book/events.ts";
import { InsuranceError } from "#app/insurance/errors.ts";
import { isAboutAccount, NotConnectedError } from "#app/merchants/account-errors.ts";
import { standingOf } from "#app/orders/book/evolve.ts";
import { salesRecordStatusOf } from "#app/orders/book/projection.ts";
import { db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { ShopError } from "#app/shopify/errors.ts";
import { hasPoints } from "#app/shopify/rate-limit.server.ts";
import { pauseAccount } from "./account.server.ts";
import { needsInsurer, nextDueAt, nextStep } from "./next-step.ts";
import type { ShopStep, Skip, Step } from "./next-step.ts";
import { runStep } from "./run-step.server.ts";
import { sendOrderJob } from "#app/orders/schedule.server.ts";
import { acquireOrder, appendStep } from "./working-order.server.ts";
import type { AcquiredOrder, WorkingOrder } from "./working-order.server.ts";

/**
 * served: the insurer carried out or decided a request; idle: there was nothing to request; waiting: for a time,
 * scheduled.
 */
export type ReconcileResult = "served" | "idle" | "waiting";

export interface ReconcileOptions {
  /** requests are sent although the account is paused: the result says whether it can be used again */
  isProbe?: boolean;
  /** other events of the shop wait behind it: what the shop's rate limit would hold up is left to a job */
  isFromWebhook?: boolean;
}

/**
 * Does all that can be done for the order now. A step that fails keeps the others from nothing: the first failure is
 * thrown at the end. Where its account at the insurer cannot be used, the order waits for it (account.server.ts). Where
 * another worker leases the order, that worker does what is left; in case it is dead, the order is checked again when its
 * lease has ended.
 * @throws InsuranceError, ShopError, NotConnectedError: not done, try again later
 */
export async function reconcileOrder(
  shop: string,
  orderId: string,
  { isProbe = false, isFromWebhook = false }: ReconcileOptions = {},
): Promise<ReconcileResult> {
  let hasWorked = false;
  let skips: readonly Skip[] = [];
  for (;;) {
    const next = await acquireOrder(shop, orderId, skips);
    if (!next) return "idle";
    if ("heldUntil" in next) {
      await scheduleRetry(shop, orderId, next.heldUntil, "held");
      return "waiting";
    }
    const { lease } = next;
    const start = isProbe ? withoutSkip(next.order, "insurer") : next.order;
    let run: Run;
    try {
      run = await runSteps({ order: start, lease }, isFromWebhook);
    } catch (error) {
      await lease.release({ dueAt: nextDueAt(start), waits: false });
      throw error;
    }
    const { order, failures, waitUntil } = run;
    const pausing = isProbe ? undefined : failures.find(isAboutAccount);
    if (pausing !== undefined) {
      log.warn(
        { err: pausing, shop, orderId },
        "Paused the account: the insurer refuses it, its orders wait",
      );
      await pauseAccount(shop, order.environment);
    }
    const waits = !isProbe && (order.isPaused || pausing !== undefined) && needsInsurer(order);
    const released = await lease.release({ dueAt: nextDueAt(order), waits });
    hasWorked ||= insurerDecided(start, order);

    // The account works: what the shop did not take is tried again, and keeps no other order waiting.
    const isLeft = (each: unknown) => isProbe && hasWorked && each instanceof ShopError;
    const failure = failures.find((each) => (isProbe ? !isLeft(each) : !isAboutAccount(each)));
    if (failure !== undefined) throw failure;
    // After the release: the next job would find the order leased, and wait until the lease expires.
    if (run.isCutOff) {
      await scheduleRetry(shop, orderId, order.now, "more");
      return "waiting";
    }
    if (run.isHeldUp) await sendOrderJob(db, shop, orderId);
    if (waitUntil !== null) await scheduleRetry(shop, orderId, waitUntil, String(waitUntil.getTime()));
    // The account's pause may have ended before the order could wait for it.
    const isPauseOver = waits && !released.isWaiting;
    if (released.isCurrent && !run.isStale && !isPauseOver) {
      return waitUntil !== null || waits ? "waiting" : hasWorked ? "served" : "idle";
    }
    // What this run did for the shop is done, unless something has changed since.
    skips = released.isCurrent ? order.skips.filter((skip) => skip !== "insurer") : [];
  }
}

/** Steps of one time slice: between the slices of an order with very many items, the worker serves other orders. */
const MAX_STEPS = 200;

interface Run {
  /** as the steps left it */
  order: WorkingOrder;
  /** the steps that can be tried again later */
  failures: (InsuranceError | NotConnectedError | ShopError)[];
  /** requests to the insurer have to wait until then */
  waitUntil: Date | null;
  /** the order was changed by something else: it has to be read again */
  isStale: boolean;
  /** the time slice is used up, and another one follows */
  isCutOff: boolean;
  /** steps in the shop are left to a job */
  isHeldUp: boolean;
}

async function runSteps({ order: found, lease }: AcquiredOrder, isFromWebhook: boolean): Promise<Run> {
  const run: Run = {
    order: found,
    failures: [],
    waitUntil: null,
    isStale: false,
    isCutOff: false,
    isHeldUp: false,
  };
  for (let steps = 0; ; steps++) {
    const step = nextStep(run.order);
    if (step.do === "nothing") return { ...run, order: await projectAgain(run.order) };
    if (step.do === "wait") {
      run.waitUntil = step.until;
      run.order = skipping(run.order, "insurer");
      continue;
    }
    if (steps === MAX_STEPS) return { ...run, isCutOff: true };
    if (isFromWebhook && isShopStep(step) && !hasPoints(run.order.shop, SHOP_POINTS)) {
      run.order = skipping(run.order, "shop");
      run.isHeldUp = true;
      continue;
    }
    try {
      const result = await runStep(run.order, lease, step);
      if (result === "changed") return { ...run, isStale: true };
      if ("waitUntil" in result) {
        run.waitUntil = result.waitUntil;
        run.order = skipping(run.order, "insurer");
      } else run.order = result.working;
      // Its quotes are read again: a sold one is a part of the cover.
      if (step.do === "update_quotes") return { ...run, isStale: true };
    } catch (error) {
      const isLasting = !(
        error instanceof InsuranceError ||
        error instanceof NotConnectedError ||
        error instanceof ShopError
      );
      if (isLasting) throw error;
      run.failures.push(error);
      // The sales record is for statistics: a cancellation does not wait for it.
      const isAlone = isShopStep(step) || (step.do === "record" && !isAboutAccount(error));
      run.order = skipping(run.order, isAlone ? step.do : "insurer");
    }
  }
}

/** A refund that has not come in time leaves its premium open, although nothing was appended. */
async function projectAgain(order: WorkingOrder): Promise<WorkingOrder> {
  const { refunds, items } = order.order;
  const isTimed =
    refunds.some(({ status }) => status === "pending") ||
    items.some(({ refundRequestedAt, left }) => refundRequestedAt !== null && left === null);
  return isTimed ? ((await appendStep(order, () => [])) ?? order) : order;
}

/** What fulfilment, cover and tags of an order cost at most, in points of the shop's rate limit. */
const SHOP_POINTS = 100;

const isShopStep = (step: Step): step is ShopStep =>
  step.do === "fulfil" || step.do === "update_quotes" || step.do === "show_cover" || step.do === "tag";

const skipping = (order: WorkingOrder, skip: Skip): WorkingOrder => ({
  ...order,
  skips: [...order.skips, skip],
});
const withoutSkip = (order: WorkingOrder, skip: Skip): WorkingOrder => ({
  ...order,
  skips: order.skips.filter((each) => each !== skip),
});

/** Whether the insurer has created, refused, recorded or cancelled something in between. */
function insurerDecided({ order: before }: WorkingOrder, { order: after }: WorkingOrder): boolean {
  if (salesRecordStatusOf(before) !== salesRecordStatusOf(after)) return true;
  return after.items.some((item) => {
    const standing = standingOf(item);
    const known = before.items.find((each) => nameOf(each) === nameOf(item));
    const isDecided = standing === "in_force" || standing === "refused";
    return isDecided && (known === undefined || standingOf(known) !== standing);
  });
}

/** @param reason of an order's retries with the same reason, one waits at most */
async function scheduleRetry(shop: string, orderId: string, after: Date, reason: string): Promise<void> {
  await sendOrderJob(db, shop, orderId, { startAfter: after, reason });
}
