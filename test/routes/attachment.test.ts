/** The attachment rate as a file, and over time. */
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { overTime } from "#app/routes/app.analytics._index/attachment-charts.tsx";
import { loader as page } from "#app/routes/app.analytics._index/route.tsx";
import { loader as file } from "#app/routes/app.analytics[.]csv.tsx";
import files from "#app/locales/en/files.json";
import { messagesFor } from "#app/locales/index.server.ts";
import { installApp } from "#test/install.ts";
import { writeHistory } from "#test/shop-history.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const rowsOf = async (search = "", domain?: string) => {
  const answer = await ask(file, `/app/analytics.csv${search}${search === "" ? "?" : "&"}locale=en`, {
    domain,
  });
  expect(answer.headers.get("content-type")).toContain("text/csv");
  const rows: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true });
  // The file has the merchant's words; this maps them back to the specification's names.
  const names = new Map(
    Object.entries(files.columns)
      .toReversed()
      .map(([name, word]) => [word, name]),
  );
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([word, value]) => [names.get(word) ?? word, value])),
  );
};

beforeAll(async () => {
  await installApp();
  await installApp(otherShop.shopDomain);
  await writeHistory(db, { shop: shop.shopDomain, orders: 1_000, references: 90, organisation: null });
});

test("the page is there while its figures are counted", async () => {
  const { statistics } = await db.$transaction(async (tx) => {
    // Only the page's statistics read this table, so only they wait for the lock.
    await tx.$executeRaw`LOCK TABLE "OrderLine"`;
    return ask(page, "/app/analytics");
  });
  expect((await statistics).overview.total.eligible).toBe(800);
});

test("what was sold is told by term and formula, and a period is shown beside the one before it", async () => {
  const { sold, course } = await (await ask(page, "/app/analytics")).statistics;
  const lines = (groups: typeof sold.terms) => groups.reduce((sum, each) => sum + each.lines, 0);
  expect(sold.terms.map(({ value }) => value)).toEqual(["24"]);
  expect(lines(sold.formulas)).toBe(lines(sold.terms));
  expect(sold.insuredOrders).toBe(lines(sold.terms));
  expect(sold.formulas.map(({ value }) => value)).toContain("Category 1");
  // All orders have no period before them.
  expect(course).toBeNull();
  const recent = await (await ask(page, "/app/analytics?start=2026-01-01")).statistics;
  expect(recent.course?.points.length).toBeGreaterThan(1);
});

test("the file has every figure of the page, by every dimension", async () => {
  const { overview, sold } = await (await ask(page, "/app/analytics")).statistics;
  const rows = await rowsOf();
  const words: Record<string, string> = messagesFor("en").analytics.attachment.label;
  const by = (dimension: string) => rows.filter((row) => row["dimension"] === words[dimension]);
  const { days, categories, touchpoints, formats, products, bands, total } = overview;
  expect(total.eligible).toBe(800);
  for (const [dimension, groups] of Object.entries({
    day: days,
    category: categories,
    touchpoint: touchpoints,
    format: formats,
    product: products,
    band: bands,
  })) {
    expect(by(dimension).map(({ eligible, paid }) => [Number(eligible), Number(paid)])).toEqual(
      groups.map(({ eligible, paid }) => [eligible, paid]),
    );
  }
  expect(formats.map(({ format }) => format).toSorted()).toEqual(["modal", "radio"]);
  const onProductPage = touchpoints.find(({ touchpoint }) => touchpoint === "product_page");
  expect(formats.reduce((sum, { eligible }) => sum + eligible, 0)).toBe(onProductPage?.eligible);
  for (const [dimension, groups] of Object.entries({ term: sold.terms, formula: sold.formulas }))
    expect(by(dimension).map(({ value, paid }) => [value, Number(paid)])).toEqual(
      groups.map(({ value, lines }) => [value, lines]),
    );
  const [order] = by("order");
  expect(order).toMatchObject({
    value: (Math.round(sold.premiumMinor / sold.insuredOrders) / 100).toFixed(2),
    paid: String(sold.insuredOrders),
    eligible: "",
  });
  const premium = by("category").reduce((sum, row) => sum + Math.round(Number(row["premium"]) * 100), 0);
  expect(premium).toBe(total.premiumMinor);
  expect(by("touchpoint").find(({ value }) => value === "cart")).toMatchObject({
    eligible: "241",
    paid: "141",
    attachmentRate: "0.5851",
    currencyCode: "EUR",
  });
});

test("the file keeps to the period of the page, and to the shop", async () => {
  const days = (await rowsOf("?start=2026-01-01&end=2026-01-31")).filter(
    ({ dimension }) => dimension === "Day",
  );
  expect(days.length).toBeGreaterThan(0);
  for (const { value } of days) expect(value).toMatch(/^2026-01-/);
  expect(await rowsOf("", otherShop.shopDomain)).toEqual([]);
});

test("up to a quarter is shown by day, more by month, and nothing is lost on the way", async () => {
  const { overview } = await (await ask(page, "/app/analytics")).statistics;
  expect(overTime(overview.days.slice(-92)).by).toBe("day");
  const { by, points } = overTime(overview.days);
  expect(by).toBe("month");
  expect(points.map(({ at }) => at)).toEqual([...new Set(overview.days.map(({ day }) => day.slice(0, 7)))]);
  for (const figure of ["eligible", "seen", "chosen", "paid", "cancelled", "premiumMinor"] as const) {
    expect(points.reduce((sum, point) => sum + point[figure], 0)).toBe(overview.total[figure]);
  }
});
