/** Walks over the shop's orders, as the admin lists and starts them. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { toLocalDay, startOfDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import { fromPlace, placeOf } from "#app/platform/keyset.server.ts";
import type { Merchant } from "#app/platform/prisma/client.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { sweepCounts, sweepKinds, sweepStates } from "./reconciliation.ts";
import type { SweepKind } from "./reconciliation.ts";
import { sweepForm, sweepProblems } from "./reconciliation-form.ts";
import type { SweepProblems } from "./reconciliation-form.ts";
import { startSweep } from "./reconciliation.server.ts";

const sweepRow = z.object({
  id: z.string(),
  kind: z.enum(sweepKinds),
  from: z.coerce.date(),
  until: z.coerce.date(),
  state: z.enum(sweepStates),
  /** orders in the range; null while it is not known */
  total: z.int().nullable(),
  counts: sweepCounts,
  /** why it waits; it goes on by itself */
  error: z.string().nullable(),
  createdAt: z.coerce.date(),
  finishedAt: z.coerce.date().nullable(),
});
export type SweepRow = z.infer<typeof sweepRow>;

/** One page, latest first. Hourly ones that found nothing are left out: they are only noise. */
export async function listSweeps(
  shop: string,
  request: PageRequest,
  size: number,
): Promise<ListPage<SweepRow>> {
  const rows = await db.$queryRaw`
    SELECT id, kind, "from", until, state, total, counts, error, "createdAt", "finishedAt" FROM "OrderSweep"
    WHERE shop = ${shop} AND NOT (kind = 'hourly' AND state = 'done'
        AND COALESCE((counts->>'missed')::int, 0) + COALESCE((counts->>'behind')::int, 0)
          + COALESCE((counts->>'resumed')::int, 0) + COALESCE((counts->>'different')::int, 0)
          + COALESCE((counts->>'tasks')::int, 0) = 0)
      ${fromPlace(request, Prisma.sql`"createdAt"`, Prisma.sql`id`)} LIMIT ${size + 1}`;
  const sweeps = z.array(sweepRow).parse(rows);
  return toListPage(sweeps, size, request, ({ createdAt, id }) => placeOf(createdAt, id));
}

/** The last walk of a kind; null before the first. */
export async function lastSweep(shop: string, kind: SweepKind): Promise<SweepRow | null> {
  const last = await db.orderSweep.findFirst({ where: { shop, kind }, orderBy: { createdAt: "desc" } });
  return sweepRow.nullable().parse(last);
}

/** When the last hourly reconciliation ended; null where none did yet. */
export async function lastReconciled(shop: string): Promise<Date | null> {
  const last = await db.orderSweep.findFirst({
    where: { shop, kind: "hourly", state: "done" },
    orderBy: { createdAt: "desc" },
    select: { finishedAt: true },
  });
  return last?.finishedAt ?? null;
}

export type AskedSweep =
  { state: "started" } | { state: "running" } | { state: "invalid"; problems: SweepProblems };

/** Starts a walk over a range of days, in the shop's time zone; one of each kind at a time. */
export async function askForSweep(merchant: Merchant, form: unknown): Promise<AskedSweep> {
  const { shop, timezone } = merchant;
  const now = new Date();
  const asked = sweepForm(toLocalDay(timezone, now)).safeParse(form);
  if (!asked.success) return { state: "invalid", problems: fieldProblems(asked.error, sweepProblems) };
  const { kind, start, end } = asked.data;
  const running = await db.orderSweep.count({
    where: { shop, kind, state: { in: ["queued", "running"] } },
  });
  if (running > 0) return { state: "running" };
  const nextDay = new Date(Date.parse(end) + 86_400_000).toISOString().slice(0, 10);
  const until = startOfDay(timezone, nextDay);
  await startSweep(shop, kind, startOfDay(timezone, start), until < now ? until : now);
  return { state: "started" };
}
