/**
 * Imports the organisation's sales and commissions page by page. Totals, filters and exports of several hundred
 * thousand rows then need neither the insurer nor the memory. A page is written completely or not at all, and an
 * interrupted import resumes after the last written page.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  organisationAnalytics,
  type OrganisationAnalytics,
  type PageOfRows,
} from "#app/insurance/analytics.ts";
import { InsuranceError, Unauthorised } from "#app/insurance/errors.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { JobContext } from "#app/jobs/worker.server.ts";
import { organisationAccount } from "#app/merchants/accounts.server.ts";
import { environment, type Environment } from "#app/merchants/connection.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { AnalyticsImport, Prisma } from "#app/platform/prisma/client.ts";
import { type ImportTarget, writeCommissions, writeSales } from "./organisation-figures.server.ts";

/** After this time without progress, the import's process is dead. */
const ABANDONED_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;
const RECENT_DAYS = 62;

/** Whether the process of an active import is dead. */
export const isAbandoned = ({ lastProgressAt }: AnalyticsImport): boolean =>
  lastProgressAt.getTime() < Date.now() - ABANDONED_MS;

/**
 * Starts an import unless one is active.
 * @param extent `whole` imports everything. `daily` does so once a week, and otherwise only recent rows: most
 * cancellations follow soon after the sale, and a commission does not change
 */
export async function requestImport(
  shop: string,
  inUse: Environment,
  organisation: string,
  extent: "whole" | "daily" = "daily",
): Promise<void> {
  const now = Date.now();
  await db.$transaction(async (tx) => {
    await tx.analyticsImport.updateMany({
      where: { shop, organisation, active: true, lastProgressAt: { lt: new Date(now - ABANDONED_MS) } },
      data: { active: null, state: "failed", error: "abandoned", finishedAt: new Date(now) },
    });
    const whole = await tx.analyticsImport.count({
      where: {
        shop,
        organisation,
        state: "done",
        since: null,
        createdAt: { gt: new Date(now - 7 * DAY_MS) },
      },
    });
    const since =
      whole === 0 || extent === "whole"
        ? null
        : new Date(now - RECENT_DAYS * DAY_MS).toISOString().slice(0, 10);
    const id = randomUUID();
    const { count } = await tx.analyticsImport.createMany({
      data: [{ id, shop, organisation, environment: inUse, since }],
      skipDuplicates: true,
    });
    if (count === 1) await sendJob(tx, "analytics-import", { shop, importId: id });
  });
}

/** The last import of an organisation, the last successful one, and the last successful complete one. */
export async function lastImports(
  shop: string,
  organisation: string,
): Promise<Record<"last" | "lastDone" | "lastWhole", AnalyticsImport | null>> {
  const findLast = (where: Prisma.AnalyticsImportWhereInput) =>
    db.analyticsImport.findFirst({
      where: { shop, organisation, ...where },
      orderBy: { createdAt: "desc" },
    });
  const [last, lastDone, lastWhole] = await Promise.all([
    findLast({}),
    findLast({ state: "done" }),
    findLast({ state: "done", since: null }),
  ]);
  return { last, lastDone, lastWhole };
}

/**
 * The job. An error of the insurer ends the import with its reason; the queue retries only a crash. When the job's time
 * slice is used up, another job continues after the last written page.
 */
export async function runImport(shop: string, importId: string, context: JobContext): Promise<void> {
  const run = await db.analyticsImport.findFirst({ where: { id: importId, shop, active: true } });
  if (!run) return;
  const organisation = await organisationOf(shop, environment.parse(run.environment));
  if (organisation?.id !== run.organisation) return finish(run, "failed", "disconnected");
  try {
    if (await importAll(run, organisation, context)) await finish(run, "done", null);
    else await sendJob(db, "analytics-import", { shop, importId });
  } catch (error) {
    if (!(error instanceof InsuranceError)) throw error;
    log.warn({ err: error, shop, importId }, "Failed to import the organisation's sales and commissions");
    await finish(run, "failed", error instanceof Unauthorised ? "refused" : error.message);
  }
}

type Resource = "sales" | "commissions";

/** @returns whether the import is complete */
async function importAll(
  run: AnalyticsImport,
  { analytics }: Organisation,
  context: JobContext,
): Promise<boolean> {
  const merchant = await findMerchant(run.shop);
  const target = { shop: run.shop, organisation: run.organisation, timezone: merchant?.timezone ?? "UTC" };
  const query =
    run.since === null ? {} : { startDate: run.since, endDate: toLocalDay(target.timezone, run.createdAt) };
  const { resource: started, page } = run;
  if (started === "sales") {
    const sales = analytics.sales(query, page + 1);
    if (!(await importPages(run.id, target, "sales", sales, writeSales, context))) return false;
  }
  const from = started === "commissions" ? page + 1 : 1;
  const commissions = analytics.commissions(query, from);
  return importPages(run.id, target, "commissions", commissions, writeCommissions, context);
}

/**
 * Writes each page together with its number, so that a later attempt resumes after it.
 * @returns whether it was the last page
 */
async function importPages<T>(
  id: string,
  target: ImportTarget,
  resource: Resource,
  pages: AsyncIterable<PageOfRows<T>>,
  write: (tx: Transaction, target: ImportTarget, items: T[]) => Promise<number>,
  { signal, isTimeSliceUsed }: JobContext,
): Promise<boolean> {
  for await (const { number, items } of pages) {
    await db.$transaction(async (tx) => {
      const rows = await write(tx, target, items);
      await tx.analyticsImport.updateMany({
        where: { id, shop: target.shop },
        data: {
          state: "running",
          resource,
          page: number,
          rows: { increment: rows },
          lastProgressAt: new Date(),
        },
      });
    });
    signal.throwIfAborted();
    if (isTimeSliceUsed()) return false;
  }
  return true;
}

async function finish({ id, shop }: AnalyticsImport, state: "done" | "failed", error: string | null) {
  const now = new Date();
  await db.analyticsImport.updateMany({
    where: { id, shop },
    data: { state, error, active: null, lastProgressAt: now, finishedAt: now },
  });
}

/** The merchant's organisation at the insurer. The import reads its sales and commissions. */
interface Organisation {
  /** Identifies the organisation by its token, so that rows of a previous token are never shown. */
  id: string;
  analytics: OrganisationAnalytics;
}

/** Null: no organisation token is set in this environment. */
export async function organisationOf(shop: string, environment: Environment): Promise<Organisation | null> {
  const account = await organisationAccount(shop, environment);
  if (!account) return null;
  const id = createHash("sha256").update(`${account.baseUrl}\n${account.token}`).digest("hex").slice(0, 16);
  return { id, analytics: organisationAnalytics(account, { log }) };
}
