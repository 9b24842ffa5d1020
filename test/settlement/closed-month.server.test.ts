/** A month of a selling shop: settled with the insurer's figures, closed, and corrected by the next one. */
import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { organisationOf, requestImport, runImport } from "#app/analytics/import.server.ts";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { removeOrganisationToken } from "#app/merchants/connection.server.ts";
import { db } from "#app/platform/db.server.ts";
import type { OrganisationSale } from "#app/platform/prisma/client.ts";
import { createQuote } from "#app/quotes/create-quote.server.ts";
import { findSalesOfQuotes } from "#app/quotes/find-quote-sales.server.ts";
import { quoteForm } from "#app/quotes/quote-form.ts";
import { findQuote } from "#app/quotes/quotes.server.ts";
import { rebuildOrders } from "#app/processes/rebuild-orders.server.ts";
import { choosePointsOfSale } from "#app/settlement/choose-stores.server.ts";
import { closeMonth, readClosedFile } from "#app/settlement/close-month.server.ts";
import { type MonthFileName, monthFileNames } from "#app/settlement/files.server.ts";
import { addMonths } from "#app/settlement/month.ts";
import { differencesOfMonth } from "#app/settlement/month-files.server.ts";
import { readSettlement } from "#app/settlement/settlement-page.server.ts";
import { fileLanguage } from "#app/ui/file-language.server.ts";
import { eventually } from "#test/eventually.ts";
import { quoteEntry } from "#test/routes/full-shop.ts";
import { refundOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import {
  buy,
  countWaiting,
  insuredLines,
  lineIdAt,
  readItemStates,
  setUpSellingShop,
  settleWebhooks,
} from "#test/orders/selling-shop.ts";
import { shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const month = new Date().toISOString().slice(0, 7);
const nextMonth = addMonths(month, 1);
const inMonth = (of: string) => new Date(`${of}-20T12:00:00Z`);
const actor = staff("1");

async function readMerchant() {
  const merchant = await findMerchant(domain);
  if (!merchant) throw new Error("The shop is not installed");
  return merchant;
}

async function importFigures(): Promise<void> {
  const organisation = await organisationOf(domain, "test");
  if (!organisation) throw new Error("There is no organisation");
  await requestImport(domain, "test", organisation.id, "whole");
  const waiting = await db.analyticsImport.findFirstOrThrow({ where: { shop: domain, active: true } });
  await runImport(domain, waiting.id, { signal: new AbortController().signal, isTimeSliceUsed: () => false });
}

const settlementOf = async (of: string, now = inMonth(addMonths(of, 1))) =>
  readSettlement(await readMerchant(), { month: of, storeId: null }, now);

async function close(of: string, now = inMonth(addMonths(of, 1))) {
  const merchant = await readMerchant();
  return closeMonth(
    merchant,
    of,
    actor,
    fileLanguage("en", merchant, new URLSearchParams({ month: of })),
    now,
  );
}

async function storedFile(of: string, name: MonthFileName): Promise<Buffer> {
  const file = await readClosedFile(await readMerchant(), of, name);
  if (!file) throw new Error("The month is open");
  return Buffer.from(file.content);
}

const storedFiles = (of: string) => Promise.all(monthFileNames.map((name) => storedFile(of, name)));

async function rowsOf(of: string, name: "bordereau.csv" | "journal.csv"): Promise<Record<string, string>[]> {
  return parse(await storedFile(of, name), { columns: true, bom: true });
}

const cents = (text: string | undefined) => Math.round(Number(text ?? 0) * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

const bought: Order[] = [];

beforeAll(async () => {
  for (let index = 0; index < 4; index += 1) bought.push(await selling.buyAndIssue());
  const { phone, plan } = insuredLines(selling.references);
  const discounted = buy([phone, { ...plan, discounts: [300] }]);
  bought.push(discounted);
  await eventually(async () => expect(await readItemStates(discounted)).toEqual(["active"]));
  await importFigures();
});

test("no point of sale is guessed among several: nothing is settled before the merchant has chosen", async () => {
  const merchant = await readMerchant();
  const view = await settlementOf(month);
  expect(view).toMatchObject({ own: null, totals: { commissions: null } });
  expect(view.stores.length).toBeGreaterThan(1);
  expect(await close(month)).toBe("no_own_store");
  const own = view.proposedStoreId ?? "";
  expect(await choosePointsOfSale(merchant, ["another organisation's"], actor)).toBe("unknown_store");
  expect(await choosePointsOfSale(merchant, [own], actor)).toBe("saved");
  expect((await settlementOf(month)).own).toEqual({ storeIds: [own], reason: "chosen" });
  const entry = await db.auditEntry.findFirst({ where: { shop: domain, action: "points_of_sale_chosen" } });
  const name = view.stores.find(({ storeId }) => storeId === own)?.store;
  expect(entry).toMatchObject({
    actorId: "1",
    before: { pointsOfSale: null },
    after: { pointsOfSale: name },
  });
});

test("a month is settled by its premiums, contracts and commissions, and books and insurer agree", async () => {
  const { totals, groups } = await settlementOf(month);
  const items = await db.insuredItem.findMany({ where: { shop: domain } });
  const owed = sum(items.map(({ offerPriceMinor }) => offerPriceMinor));
  const paid = sum(items.map(({ premiumMinor }) => premiumMinor));
  expect(totals.premiums).toEqual([
    {
      currency: "EUR",
      premiumMinor: owed,
      discountMinor: paid - owed,
      refundMinor: 0,
      collectedMinor: paid,
      begunMinor: owed,
      endedMinor: 0,
      owedMinor: owed,
      contractsBegun: 5,
      contractsEnded: 0,
    },
  ]);
  expect(paid).toBeLessThan(owed);
  expect(groups).toEqual([]);
  const earned = totals.commissions?.earnedMinor ?? 0;
  expect(earned).toBeGreaterThan(0);
  expect(totals.balances).toEqual([{ currency: "EUR", amountMinor: owed - earned }]);
});

test("a difference is found with its order, and only in its month", async () => {
  const [order] = bought;
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order?.id } });
  const where = { shop: domain, saleId: item.contractId ?? "" };
  await db.organisationSale.updateMany({ where, data: { priceMinor: { increment: 250 } } });
  const { groups } = await settlementOf(month);
  expect(groups).toMatchObject([
    {
      kind: "price",
      count: 1,
      amounts: [{ currency: "EUR", minor: 250 }],
      shown: [{ order: { id: order?.id } }],
    },
  ]);
  expect((await settlementOf(nextMonth)).groups).toEqual([]);
  await db.organisationSale.updateMany({ where, data: { priceMinor: { decrement: 250 } } });
});

test("the last figures stay, however many imports have failed since", async () => {
  const view = await settlementOf(month);
  const organisation = await organisationOf(domain, "test");
  const failed = { shop: domain, organisation: organisation?.id ?? "", state: "failed", active: null };
  await db.analyticsImport.createMany({
    data: Array.from({ length: 40 }, (_, index) => ({
      ...failed,
      id: `failed-${index}`,
      environment: "test",
    })),
  });
  expect(await settlementOf(month)).toEqual(view);
  await db.analyticsImport.deleteMany({ where: { shop: domain, state: "failed" } });
});

async function readStores() {
  const { stores, own } = await settlementOf(month);
  const ownStore = stores.find(({ storeId }) => own?.storeIds.includes(storeId));
  const other = stores.find(({ storeId }) => storeId !== ownStore?.storeId);
  if (!ownStore || !other) throw new Error("The organisation has several points of sale");
  return { own: ownStore, other };
}

test("what is booked on a point of sale that the merchant did not choose is a difference", async () => {
  const { own, other } = await readStores();
  const items = await db.insuredItem.findMany({ where: { shop: domain } });
  const where = { shop: domain, saleId: { in: items.map(({ contractId }) => contractId ?? "") } };
  await db.organisationSale.updateMany({ where, data: other });
  const wrongStore = expect.objectContaining({ kind: "wrong_store" }) as object;
  expect((await settlementOf(month)).groups).toContainEqual(wrongStore);
  const merchant = await readMerchant();
  await choosePointsOfSale(merchant, [own.storeId, other.storeId], actor);
  expect((await settlementOf(month)).groups).not.toContainEqual(wrongStore);
  await choosePointsOfSale(merchant, [own.storeId], actor);
  await db.organisationSale.updateMany({ where, data: own });
  expect((await settlementOf(month)).groups).toEqual([]);
});

test("another point of sale has what the insurer pays for it, and no books", async () => {
  const { other } = await readStores();
  const view = await readSettlement(await readMerchant(), { month, storeId: other.storeId });
  expect(view).toMatchObject({ otherStoreId: other.storeId, totals: { premiums: [] }, groups: [] });
});

test("what ended without a movement is found in the month in which that became known", async () => {
  const [order] = bought;
  const where = { shop: domain, orderId: order?.id ?? "" };
  const kinds = async () => (await settlementOf(nextMonth)).groups.map(({ kind }) => kind);
  const { createdAt } = await db.analyticsImport.findFirstOrThrow({ where: { shop: domain } });
  const importedAt = (at: Date) =>
    db.analyticsImport.updateMany({ where: { shop: domain }, data: { createdAt: at } });
  await importedAt(inMonth(addMonths(nextMonth, 1)));
  await db.insuredItem.updateMany({ where, data: { endedAt: inMonth(nextMonth) } });
  expect(await kinds()).toEqual(["cancelled_only_here"]);
  expect((await settlementOf(month)).groups).toEqual([]);
  const ended = { endedAt: null, contractStatus: "cancelled", contractEndedAt: inMonth(nextMonth) };
  await db.insuredItem.updateMany({ where, data: ended });
  const item = await db.insuredItem.findFirstOrThrow({ where });
  const sale = { shop: domain, saleId: item.contractId ?? "" };
  await db.organisationSale.updateMany({ where: sale, data: { status: "cancelled" } });
  expect(await kinds()).toEqual(["cancelled_only_there"]);
  await rebuildOrders(domain, () => true);
  await importedAt(createdAt);
  await importFigures();
  expect(await kinds()).toEqual([]);
});

/** A sale that is billed monthly, with its AIR. */
async function sellMonthly(dates: readonly string[], changes: Partial<OrganisationSale> = {}): Promise<void> {
  const { own } = await readStores();
  const organisation = await organisationOf(domain, "test");
  const common = { shop: domain, organisation: organisation?.id ?? "", saleId: "CT-monthly", ...own };
  const date = dates[0] ?? "";
  const sale = { ...common, date, airFrom: date, status: "active", monthly: true, airMinor: 200 };
  const silent = { productReferenceId: "", category: "", seller: "", isContradiction: false };
  await db.organisationSale.create({ data: { ...sale, ...silent, priceMinor: 990, ...changes } });
  const air = { type: "air", billingType: "collected", monthly: true, priceMinor: 990 };
  await db.organisationCommission.createMany({
    data: dates.map((day) => ({
      ...common,
      ...air,
      commissionId: `CT-monthly ${day}`,
      date: day,
      amountMinor: 200,
      effectMinor: 200,
    })),
  });
}

async function removeMonthly(): Promise<void> {
  const where = { shop: domain, saleId: "CT-monthly" };
  await db.organisationSale.deleteMany({ where });
  await db.organisationCommission.deleteMany({ where });
}

test("a commission that is paid late is neither missing nor paid twice, and one that never came is", async () => {
  const on = (months: number, day = "15") => `${addMonths(month, months)}-${day}`;
  await sellMonthly([on(-4), on(-2, "05"), on(-2), on(-1)]);
  expect((await settlementOf(addMonths(month, -3))).groups).toEqual([]);
  expect((await settlementOf(addMonths(month, -2))).groups).toEqual([]);
  await db.organisationCommission.deleteMany({
    where: { shop: domain, commissionId: `CT-monthly ${on(-2)}` },
  });
  expect((await settlementOf(addMonths(month, -3))).groups).toMatchObject([
    { kind: "commission_missing", shown: [{ contractId: "CT-monthly", day: on(-3) }] },
  ]);
  await removeMonthly();
  await sellMonthly([-6, -5, -4, -3, -2].map((months) => on(months)).concat(on(-2, "25")));
  expect((await settlementOf(addMonths(month, -2))).groups).toMatchObject([
    { kind: "commission_twice", shown: [{ contractId: "CT-monthly", day: on(-2, "25") }] },
  ]);
  await removeMonthly();
});

test("a commission that never came stays missing, whatever the insurer calls the contract later", async () => {
  const on = (months: number) => `${addMonths(month, months)}-15`;
  await sellMonthly([on(-4), on(-2), on(-1)], { status: "expired" });
  expect((await settlementOf(addMonths(month, -3))).groups).toMatchObject([
    { kind: "commission_missing", shown: [{ contractId: "CT-monthly", day: on(-3) }] },
  ]);
  await removeMonthly();
});

test("an end that became known here a month after it is found, also on another point of sale", async () => {
  const { own, other } = await readStores();
  const [order] = bought;
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: order?.id } });
  const where = { shop: domain, saleId: item.contractId ?? "" };
  const cancelledOn = `${addMonths(month, 1)}-28`;
  await db.organisationSale.updateMany({ where, data: { ...other, status: "cancelled", cancelledOn } });
  expect((await settlementOf(nextMonth)).groups).toMatchObject([
    { kind: "cancelled_only_there", shown: [{ contractId: item.contractId, day: cancelledOn }] },
  ]);
  await db.organisationSale.updateMany({ where, data: { ...own, status: "active", cancelledOn: null } });
});

test("the sale of a contract in no clear state is no sale without a contract", async () => {
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain } });
  const known = await db.organisationSale.findFirstOrThrow({
    where: { shop: domain, saleId: item.contractId ?? "" },
  });
  const sale = { ...known, saleId: "CT-unclear", frontMinor: 0, airMinor: null };
  await db.organisationSale.create({ data: sale });
  const kinds = async () => (await settlementOf(month)).groups.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["missing_here"]);
  const where = { shop: domain, orderId: item.orderId };
  await db.insuredItem.updateMany({ where, data: { unclearContractId: "CT-unclear" } });
  expect(await kinds()).toEqual([]);
  await db.insuredItem.updateMany({ where, data: { unclearContractId: null } });
  await db.organisationSale.deleteMany({ where: { shop: domain, saleId: "CT-unclear" } });
});

test("a monthly contract without a commission in the month is found, among those that have one", async () => {
  const { own } = await readStores();
  const organisation = await organisationOf(domain, "test");
  const { createdAt } = await db.analyticsImport.findFirstOrThrow({ where: { shop: domain } });
  const importedAt = (at: Date) =>
    db.analyticsImport.updateMany({ where: { shop: domain }, data: { createdAt: at } });
  await importedAt(inMonth(addMonths(month, 2)));
  const ofOrganisation = { shop: domain, organisation: organisation?.id ?? "" };
  const collections = [-3, -2, -1, 0, 1].map((months) => `${addMonths(month, months)}-05`);
  const [soldOn = "", , , due = ""] = collections;
  const commissionOf = (saleId: string, date: string) => ({
    ...ofOrganisation,
    ...own,
    commissionId: `${saleId} ${date}`,
    saleId,
    date,
    monthly: true,
    billingType: "collected",
    type: "air",
    amountMinor: 100,
    priceMinor: 990,
    effectMinor: 100,
  });
  for (const saleId of ["CT-paid", "CT-unpaid"]) {
    const product = { productReferenceId: "", category: "", seller: "" };
    const amounts = {
      priceMinor: 990,
      frontMinor: null,
      airMinor: 100,
      airFrom: soldOn,
      isContradiction: false,
    };
    const sale = { saleId, date: soldOn, status: "active", monthly: true, ...own, ...product, ...amounts };
    await db.organisationSale.create({ data: { ...ofOrganisation, ...sale } });
    const paid = collections.filter((date) => date !== due || saleId === "CT-paid");
    await db.organisationCommission.createMany({ data: paid.map((date) => commissionOf(saleId, date)) });
  }
  const { groups } = await settlementOf(month);
  expect(groups).toMatchObject([
    {
      kind: "commission_missing",
      count: 1,
      shown: [{ contractId: "CT-unpaid", day: due, amountMinor: 100 }],
    },
  ]);
  await db.organisationCommission.create({ data: commissionOf("CT-unpaid", due) });
  expect((await settlementOf(month)).groups).toEqual([]);
  const made = { shop: domain, saleId: { in: ["CT-paid", "CT-unpaid"] } };
  await db.organisationSale.deleteMany({ where: made });
  await db.organisationCommission.deleteMany({ where: made });
  await importedAt(createdAt);
});

test("a contract that a customer made from a quote by staff is no sale without a contract", async () => {
  const merchant = await readMerchant();
  const { phone } = insuredLines(selling.references);
  const product = await db.shopProduct.findFirstOrThrow({
    where: { shop: domain, categoryId: { not: null } },
  });
  const variant = { variantId: phone.variantId, productId: product.productId, title: "128 GB" };
  await db.shopVariant.create({ data: { shop: domain, ...variant, priceMinor: 57_900 } });
  const form = quoteForm.parse({ ...quoteEntry(phone.variantId), email: "quoted@example.com" });
  const made = await createQuote(merchant, { requestId: randomUUID(), attempt: 0 }, form, actor);
  if (made.state !== "created") throw new Error(`The quote is ${made.state}`);
  const quote = await findQuote(merchant, made.quoteId, `${month}-01`);
  const page = quote?.subscriptionLink ?? "";
  const [, offer = ""] = /value="([^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
  await fetch(page, { method: "POST", body: new URLSearchParams({ offer }) });
  await importFigures();
  // The worker of the app may have found it after its own import.
  await findSalesOfQuotes(merchant);
  expect((await settlementOf(month)).groups).toEqual([]);
  const sold = await findQuote(merchant, made.quoteId, `${month}-01`);
  expect(sold).toMatchObject({ state: "sold", contractId: expect.stringContaining("CT-") as string });
});

test("a month stays open if a rebuild replaces its movements during the closing", async () => {
  const key = { shop: domain, environment: "test", month };
  let closing: Promise<string> | undefined;
  // The uncommitted row makes the closing wait after it has read the movements.
  const rolledBack = db.$transaction(
    async (tx) => {
      await tx.closedMonth.create({ data: { ...key, closedAt: new Date(), closedBy: "2", settlement: {} } });
      closing = close(month);
      await eventually(async () => expect(await countWaiting()).toBe(1));
      await rebuildOrders(domain, () => true);
      throw new Error("Not closed by this one");
    },
    { timeout: 30_000 },
  );
  await expect(rolledBack).rejects.toThrow("Not closed by this one");
  expect(await closing).toBe("changed_meanwhile");
  expect(await db.closedMonth.count({ where: key })).toBe(0);
  expect(await db.premiumMovement.count({ where: { shop: domain, closedIn: { not: null } } })).toBe(0);
});

test("a closed month keeps its files byte for byte, and the next one has the corrections", async () => {
  expect(await close(month, inMonth(month))).toBe("not_over");
  expect(await close(month)).toBe("closed");
  expect(await close(month)).toBe("closed_before");
  const files = await storedFiles(month);
  const view = await settlementOf(month);

  const [, returned] = bought;
  if (!returned) throw new Error("Five were bought");
  refundOrder(shop.state, returned.id, {
    lines: [0, 1].map((index) => ({ lineId: lineIdAt(returned, index), quantity: 1 })),
  });
  await settleWebhooks(returned);
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: returned.id } });
  await eventually(async () => expect(await readItemStates(returned)).toEqual(["cancelled"]));
  await importFigures();
  const late = await selling.buyAndIssue();
  await rebuildOrders(domain, () => true);

  expect(await storedFiles(month)).toEqual(files);
  expect(await settlementOf(month)).toEqual({ ...view, importedAt: expect.any(Date) as Date });
  const { totals } = await settlementOf(nextMonth);
  const lateItem = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: late.id } });
  expect(totals.premiums).toMatchObject([
    {
      premiumMinor: lateItem.offerPriceMinor,
      refundMinor: -item.premiumMinor,
      endedMinor: -item.offerPriceMinor,
      contractsBegun: 1,
    },
  ]);
  expect(totals.commissions?.frontRefundedMinor).toBeLessThan(0);
  expect(await close(nextMonth)).toBe("closed");
  expect(await storedFiles(month)).toEqual(files);

  // Both months together are the truth.
  const rows = [...(await rowsOf(month, "bordereau.csv")), ...(await rowsOf(nextMonth, "bordereau.csv"))];
  const movements = await db.premiumMovement.findMany({ where: { shop: domain } });
  const commissions = await db.organisationCommission.findMany({
    where: { shop: domain, storeId: { in: [...(view.own?.storeIds ?? [])] }, date: { gte: `${month}-01` } },
  });
  expect(sum(rows.map((row) => cents(row["Amount"])))).toBe(
    sum([
      ...movements.map(({ amountMinor }) => amountMinor),
      ...commissions.map(({ effectMinor }) => effectMinor ?? 0),
    ]),
  );
  expect(rows).toHaveLength(movements.length + commissions.length);
});

test("a closed month shows what is found after its closing, and its totals stay", async () => {
  const { totals, groups } = await settlementOf(month);
  const [first] = bought;
  const item = await db.insuredItem.findFirstOrThrow({ where: { shop: domain, orderId: first?.id } });
  const where = { shop: domain, saleId: item.contractId ?? "" };
  await db.organisationSale.updateMany({ where, data: { priceMinor: { increment: 250 } } });
  const view = await settlementOf(month);
  const kindsOf = (of: typeof groups) => of.map(({ kind }) => kind);
  expect(kindsOf(view.groups)).toEqual([...new Set(["price", ...kindsOf(groups)])]);
  expect(view).toMatchObject({ totals, differences: sum(groups.map(({ count }) => count)) + 1 });
  const merchant = await readMerchant();
  const language = fileLanguage("en", merchant, new URLSearchParams({ month }));
  const file = await differencesOfMonth(merchant, { month, storeId: null }, language);
  expect(await file.text()).toContain(item.contractId);
  await db.organisationSale.updateMany({ where, data: { priceMinor: { decrement: 250 } } });
});

test("the totals of the files are the page's, and the journal balances", async () => {
  const { totals } = await settlementOf(month);
  const bordereau = await rowsOf(month, "bordereau.csv");
  const of = (...kinds: string[]) =>
    sum(bordereau.filter((row) => kinds.includes(row["Movement"] ?? "")).map((row) => cents(row["Amount"])));
  const [euros] = totals.premiums;
  expect(of("Price of the offer", "Discount", "Refund to the customer")).toBe(euros?.collectedMinor);
  expect(of("Contract in force", "Contract ended")).toBe(euros?.owedMinor);
  expect(of("Commission on the sale", "Recurring commission")).toBe(totals.commissions?.earnedMinor);
  const journal = await rowsOf(month, "journal.csv");
  const total = (column: string, account?: string) =>
    sum(
      journal
        .filter((row) => account === undefined || row["Account"] === account)
        .map((row) => cents(row[column])),
    );
  expect(total("Debit")).toBe(total("Credit"));
  expect(total("Debit", "Payments") - total("Credit", "Payments")).toBe(euros?.collectedMinor);
  const balance = total("Credit", "Insurer") - total("Debit", "Insurer");
  expect(totals.balances).toEqual([{ currency: "EUR", amountMinor: balance }]);
  expect((await storedFile(month, "journal.xlsx")).subarray(0, 2).toString()).toBe("PK");
});

test("commissions are unknown and no month closes while no point of sale is this shop", async () => {
  await db.organisationSale.deleteMany({ where: { shop: domain } });
  const later = addMonths(nextMonth, 1);
  const view = await settlementOf(later);
  expect(view).toMatchObject({ hasOrganisation: true, own: null, totals: { commissions: null } });
  expect(await close(later)).toBe("no_own_store");
});

test("without an organisation token the page settles premiums and contracts alone", async () => {
  await removeOrganisationToken(domain, "test", actor);
  const view = await settlementOf(addMonths(nextMonth, 1));
  expect(view).toMatchObject({ hasOrganisation: false, importedAt: null, totals: { commissions: null } });
});
