/** Mails to the merchant: the month's figures, and what is urgent. */
import { beforeAll, expect, test } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { readMerchantSettings, saveMerchantSettings } from "#app/merchants/settings.server.ts";
import { db } from "#app/platform/db.server.ts";
import { isUrgentMailDue } from "#app/reports/report-mail.ts";
import { sendMonthlyReport, sendReports, sendUrgentReport, startDailyImports } from "#app/reports/reports.server.ts";
import { loader as offPage, action as turnOff } from "#app/routes/reports.$shop.$link.tsx";
import { choosePointsOfSale } from "#app/settlement/choose-stores.server.ts";
import { addMonths } from "#app/settlement/month.ts";
import { readSettlement } from "#app/settlement/settlement-page.server.ts";
import { formatsFor } from "#app/ui/format.ts";
import { declareWithdrawal, readWithdrawal } from "#app/withdrawals/withdraw.server.ts";
import { eventually } from "#test/eventually.ts";
import { buy, insuredLines, listOpenTaskKinds, readItemStates, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { mailbox, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const month = new Date().toISOString().slice(0, 7);
const dayOfNext = (day: string) => new Date(`${addMonths(month, 1)}-${day}T09:00:00Z`);
const never = new AbortController().signal;

async function readMerchant() {
  const merchant = await findMerchant(domain);
  if (!merchant) throw new Error("The shop is not installed");
  return merchant;
}

const mailsTo = (address: string) => mailbox.received.filter((mail) => mail.to.includes(address));
const contact = `contact@${domain}`;

async function linkIn(text: string): Promise<{ request: Request; params: { shop: string; link: string } }> {
  const [address = "", of = "", link = ""] = /http\S+\/reports\/([^/\s]+)\/(\S+)/.exec(text) ?? [];
  return Promise.resolve({ request: new Request(address), params: { shop: of, link } });
}

beforeAll(async () => {
  await selling.buyAndIssue();
  const { phone, plan } = insuredLines(selling.references);
  const discounted = buy([phone, { ...plan, discounts: [300] }]);
  await eventually(async () => expect(await readItemStates(discounted)).toEqual(["active"]));
});

test("the insurer's figures are imported once a day without a visit", async () => {
  await startDailyImports(never);
  await startDailyImports(never);
  expect(await db.analyticsImport.count({ where: { shop: domain } })).toBe(1);
  const isDone = { shop: domain, state: "done" };
  await eventually(async () => expect(await db.analyticsImport.count({ where: isDone })).toBe(1));
});

test("the month's mail comes once, from the second day of the next month on", async () => {
  const merchant = await readMerchant();
  const request = { month, storeId: null };
  const { proposedStoreId } = await readSettlement(merchant, request, dayOfNext("02"));
  await choosePointsOfSale(merchant, [proposedStoreId ?? ""], staff("1"));
  // Its commission became missing after the mail of its own month.
  const sale = await db.organisationSale.findFirstOrThrow({ where: { shop: domain, storeId: proposedStoreId ?? "" } });
  const unpaid = { saleId: "CT-unpaid", date: `${addMonths(month, -2)}-05`, status: "active", cancelledOn: null, frontMinor: 400 };
  await db.organisationSale.create({ data: { ...sale, ...unpaid } });
  await sendMonthlyReport(merchant, dayOfNext("01"));
  expect(await db.outgoingMail.count({ where: { shop: domain, id: { startsWith: "report:" } } })).toBe(0);
  await sendMonthlyReport(merchant, dayOfNext("02"));
  await sendMonthlyReport(merchant, dayOfNext("02"));
  await eventually(() => expect(mailsTo(contact)).toHaveLength(1));
  const text = mailsTo(contact)[0]?.text ?? "";
  for (const figure of ["Attachment rate: 100%", "Open tasks: 0", "for more than 31 days: 1"])
    expect(text).toContain(figure);
  const { totals, differences } = await readSettlement(merchant, request, dayOfNext("02"));
  const [premiums] = totals.premiums;
  const { money } = formatsFor("en", merchant.timezone);
  // Its sums are the page's: of four that differ.
  const { collectedMinor = 0, owedMinor = 0 } = premiums ?? {};
  const earnedMinor = totals.commissions?.earnedMinor ?? 0;
  expect(new Set([0, collectedMinor, owedMinor, earnedMinor]).size).toBe(4);
  expect(text).toContain(`Premiums collected: ${money(collectedMinor, "EUR")}`);
  expect(text).toContain(`Owed to the insurer: ${money(owedMinor, "EUR")}`);
  expect(text).toContain(`Commissions earned: ${money(earnedMinor, "EUR")}`);
  expect(differences).toBe(0);
  expect(text).toContain(`/app/analytics/settlement?month=${month}`);
});

test("a link in it turns it off, by a button and not by being opened", async () => {
  const text = mailsTo(contact)[0]?.text ?? "";
  const { request, params } = await linkIn(text);
  const page = await offPage({ request, params, context: {} });
  expect(await page.text()).toContain("Turn off these mails?");
  expect((await readMerchantSettings(domain)).reports.monthlyReport).toBe(true);
  await turnOff({ request: new Request(request.url, { method: "POST" }), params, context: {} });
  expect((await readMerchantSettings(domain)).reports).toMatchObject({ monthlyReport: false, urgentReport: true });
  const forged = await offPage({ request, params: { ...params, shop: "other.myshopify.com" }, context: {} });
  expect(forged.status).toBe(404);
});

test("what is urgent comes at most once a day, with everything that is open, in the merchant's language", async () => {
  const settings = await readMerchantSettings(domain);
  const reports = { ...settings.reports, to: "owner@shop.test" };
  await saveMerchantSettings(domain, { ...settings, reports }, staff("1"));
  await db.merchant.update({ where: { shop: domain }, data: { locale: "fr" } });
  await sendReports(dayOfNext("03"), never);
  expect(await db.urgentReport.count()).toBe(0);

  const order = await selling.buyAndIssue();
  const view = await readWithdrawal(domain, order.id);
  if (!view) throw new Error("The order is not known");
  await declareWithdrawal(view, view.items, { name: "Ana", email: null, language: "en" });
  await eventually(async () => expect(await listOpenTaskKinds(order)).toContain("withdrawal"));
  await sendReports(dayOfNext("03"), never);
  await eventually(() => expect(mailsTo("owner@shop.test")).toHaveLength(1));
  const [mail] = mailsTo("owner@shop.test");
  expect(mail?.subject).toContain("Vos assurances ont besoin de vous");
  expect(mail?.text).toContain(order.name);

  await db.connection.updateMany({ where: { shop: domain }, data: { state: "refused" } });
  await sendUrgentReport(await readMerchant(), dayOfNext("03"));
  await sendUrgentReport(await readMerchant(), dayOfNext("04"));
  await sendUrgentReport(await readMerchant(), dayOfNext("05"));
  await eventually(() => expect(mailsTo("owner@shop.test")).toHaveLength(2));
  const text = mailsTo("owner@shop.test")[1]?.text ?? "";
  expect(text).toContain("l’assureur refuse son jeton");
  expect(text).toContain(order.name);
});

test("a mail is due where something is new, and none went out today", () => {
  const thing = (key: string) => ({ key, type: "sync" as const });
  expect(isUrgentMailDue([thing("a")], new Set(), null, "2026-11-28")).toBe(true);
  expect(isUrgentMailDue([thing("a")], new Set(["a"]), "2026-11-27", "2026-11-28")).toBe(false);
  expect(isUrgentMailDue([thing("a"), thing("b")], new Set(["a"]), "2026-11-27", "2026-11-28")).toBe(true);
  expect(isUrgentMailDue([thing("b")], new Set(["a"]), "2026-11-28", "2026-11-28")).toBe(false);
});
