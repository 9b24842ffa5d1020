/** What comes to a merchant without a visit: the daily import of the insurer's figures, and mails about their shop. */
import { attachmentOverview } from "#app/analytics/attachment.server.ts";
import { readOrganisationView } from "#app/analytics/view.server.ts";
import { messagesFor } from "#app/locales/index.server.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectedShops, findDueShops, findMerchant, forEachDueShop } from "#app/merchants/merchant.server.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { countOpenTasks } from "#app/orders/tasks/tasks.server.ts";
import { NO_DEADLINE, taskKinds } from "#app/orders/tasks/tasks.ts";
import { queueMail } from "#app/outbox/outbox.server.ts";
import { lastDayOfMonth, toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { addMonths, monthOfDay } from "#app/settlement/month.ts";
import { readSettlement } from "#app/settlement/settlement-page.server.ts";
import { readShopContact } from "#app/shopify/contact.server.ts";
import { isUrgentMailDue, monthlyMail, type Recipient, type UrgentThing, urgentMail } from "./report-mail.ts";
import { reportOffLink, type ReportKind } from "./report-links.server.ts";

/** Every hour: imports sales and commissions of organisations whose figures are older than a day. */
export async function startDailyImports(signal: AbortSignal): Promise<void> {
  const shops = await findDueShops(Prisma.sql`
    SELECT m.shop FROM "Merchant" AS m JOIN "Connection" AS c ON c.shop = m.shop AND c.environment = m.environment
    WHERE m."uninstalledAt" IS NULL AND c."sealedOrganisationToken" IS NOT NULL`);
  await forEachDueShop("daily import", shops, async (shop) => {
    const merchant = await findMerchant(shop);
    if (merchant) await readOrganisationView(merchant);
  }, signal);
}

/** Every hour: the mail of the last month, from its second day on, and the mail about urgent things. */
export async function sendReports(now: Date, signal: AbortSignal): Promise<void> {
  if (!mailIsOn) return;
  await forEachDueShop("reports", await findDueShops(connectedShops), async (shop) => {
    const merchant = await findMerchant(shop);
    if (merchant === null) return;
    const { reports } = await readMerchantSettings(shop);
    if (reports.monthlyReport) await sendMonthlyReport(merchant, now);
    if (reports.urgentReport) await sendUrgentReport(merchant, now);
  }, signal);
}

/** Days of a month on which the mail about the previous one may go out: later it is stale. */
const MONTHLY_DAYS = { first: 2, last: 10 };

export async function sendMonthlyReport(merchant: Merchant, now: Date): Promise<void> {
  const { shop, environment, timezone, currency, installedAt } = merchant;
  const today = toLocalDay(timezone, now);
  const dayOfMonth = Number(today.slice(8));
  const month = addMonths(monthOfDay(today), -1);
  const id = `report:monthly:${month}`;
  if (dayOfMonth < MONTHLY_DAYS.first || dayOfMonth > MONTHLY_DAYS.last) return;
  if (monthOfDay(toLocalDay(timezone, installedAt)) > month || (await isStored(shop, id))) return;
  const to = await readAddress(merchant);
  if (to === null) return;
  const [start, end] = [`${month}-01`, lastDayOfMonth(`${month}-01`)];
  const [{ total }, { totals, differences, hasOrganisation }, { count }, missingCommissions] = await Promise.all([
    attachmentOverview(shop, { environment, timezone, currency, start, end }),
    readSettlement(merchant, { month, storeId: null }, now),
    countOpenTasks(merchant),
    countMissingCommissions(merchant, [addMonths(month, -2), addMonths(month, -1)], now),
  ]);
  const figures = {
    month,
    attachment: total,
    totals,
    hasOrganisation,
    differences,
    missingCommissions,
    openTasks: count,
  };
  const mail = monthlyMail(recipientOf(merchant, "monthly", month), figures);
  const key = await dataKeyOf(shop);
  await db.$transaction((tx) => queueMail(tx, shop, key, { id, to, isToMerchant: true, ...mail }));
}

/** A commission is missing 31 days after it was due, which is after the mail of its own month. */
async function countMissingCommissions(
  merchant: Merchant,
  months: readonly string[],
  now: Date,
): Promise<number> {
  let missing = 0;
  for (const month of months) {
    const { groups } = await readSettlement(merchant, { month, storeId: null }, now);
    missing += groups.find(({ kind }) => kind === "commission_missing")?.count ?? 0;
  }
  return missing;
}

export async function sendUrgentReport(merchant: Merchant, now: Date): Promise<void> {
  const { shop, timezone } = merchant;
  const [things, last] = await Promise.all([
    readUrgentThings(merchant),
    db.urgentReport.findUnique({ where: { shop } }),
  ]);
  const keys = new Set(things.map(({ key }) => key));
  // A matter that ended and became urgent again is reported again.
  const told = (last?.told ?? []).filter((key) => keys.has(key));
  const today = toLocalDay(timezone, now);
  const isDue = isUrgentMailDue(things, new Set(told), last && toLocalDay(timezone, last.sentAt), today);
  if (!isDue) {
    if (last && told.length < last.told.length) await db.urgentReport.update({ where: { shop }, data: { told } });
    return;
  }
  const to = await readAddress(merchant);
  if (to === null) return;
  const mail = urgentMail(recipientOf(merchant, "urgent", monthOfDay(today)), things);
  const key = await dataKeyOf(shop);
  await db.$transaction(async (tx) => {
    const data = { told: [...keys], sentAt: now };
    await tx.urgentReport.upsert({ where: { shop }, create: { shop, ...data }, update: data });
    await queueMail(tx, shop, key, { id: `report:urgent:${today}`, to, isToMerchant: true, ...mail });
  });
}

async function readUrgentThings(merchant: Merchant): Promise<UrgentThing[]> {
  const { shop, environment, locale } = merchant;
  const stop = sellingStopOf(merchant);
  const [run, tasks, isTakenUp] = await Promise.all([
    db.syncRun.findFirst({
      where: { shop, environment, kind: "catalogue", active: null },
      orderBy: { createdAt: "desc" },
      select: { id: true, state: true },
    }),
    db.task.findMany({
      where: { shop, closedAt: null, dueOn: { lt: NO_DEADLINE } },
      orderBy: [{ dueOn: "asc" }, { openedAt: "asc" }],
      take: MAX_TASKS,
    }),
    db.syncedVariant.count({ where: { shop, environment } }),
  ]);
  const orderIds = tasks.flatMap(({ orderId }) => orderId ?? []);
  const orders = await db.order.findMany({
    where: { shop, orderId: { in: orderIds } },
    select: { orderId: true, name: true },
  });
  const names = new Map(orders.map(({ orderId, name }) => [orderId, name]));
  const texts = messagesFor(locale).tasks.kind;
  return [
    // A shop that has sold nothing yet is being set up.
    ...(stop === null || stop === "paused" || isTakenUp === 0
      ? []
      : [{ key: `selling:${stop}`, type: "selling" as const, stop }]),
    ...(run?.state === "failed" ? [{ key: `sync:${run.id}`, type: "sync" as const }] : []),
    ...tasks.flatMap(({ id, kind: storedKind, orderId, dueOn }) => {
      const kind = taskKinds.find((each) => each === storedKind);
      if (kind === undefined) return [];
      const orderName = orderId === null ? null : (names.get(orderId) ?? null);
      return { key: `task:${id}`, type: "task" as const, title: texts[kind].title, orderName, dueOn };
    }),
  ];
}

const MAX_TASKS = 500;

async function isStored(shop: string, id: string): Promise<boolean> {
  return (await db.outgoingMail.count({ where: { shop, id } })) > 0;
}

/** The address that the merchant chose, else the shop's own; null: Shopify shows none. */
async function readAddress({ shop }: Merchant): Promise<string | null> {
  const { reports } = await readMerchantSettings(shop);
  return reports.to === "" ? readShopContact(shop) : reports.to;
}

function recipientOf(merchant: Merchant, kind: ReportKind, month: string): Recipient {
  const { shop, name, locale, timezone, currency, environment } = merchant;
  const admin = `https://${shop}/admin/apps/${env.SHOPIFY_API_KEY}/app`;
  return {
    locale,
    timezone,
    currency,
    shopName: name === "" ? shop : name,
    isTest: environment === "test",
    links: {
      settlement: `${admin}/analytics/settlement?month=${month}`,
      tasks: `${admin}/tasks`,
      off: reportOffLink(shop, kind),
    },
  };
}
