/**
 * Counts the statements of each page, and checks that a list sorts no more than its page. The shop has one of each
 * thing and lists that fill their pages.
 */
import { beforeAll, expect, test, vi } from "vitest";
import { organisationOf } from "#app/analytics/import.server.ts";
import { db } from "#app/platform/db.server.ts";
import { writeHistory } from "#test/shop-history.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { encodeCursor } from "#app/platform/keyset.ts";
import { adminRequest, secrets, shop } from "#test/world.ts";
import { answerOf } from "./answer.ts";
import { endpoints, paramsOf, pathOf, proxyEndpoints } from "./every-route.ts";
import { openFullShop } from "./full-shop.ts";
import type { FullShop } from "./full-shop.ts";
import { alternativesOf, sortsOf } from "./statement-plans.ts";
import { statementsOf } from "./statements.ts";

vi.mock("@prisma/adapter-pg", async (original) => {
  const { recording } = await import("./statements.ts");
  return recording(await original());
});

/**
 * Two pages query the shop twice, each time with the session. Home also reads the settings for its permissions, and
 * counts tasks and waiting orders. Going live checks both accounts, the texts and the mail. The touchpoints' page names the formulas of one and
 * of several categories, and its preview has offers of all of them. An order reads its book, its mails, the
 * terms of its sale, its claims and the shop's claim contact, and its tasks their books.
 */
const limits: Record<string, number> = {
  "app.products.inspector": 14,
  "app._index": 14,
  "app.touchpoints": 16,
  "app.orders.$orderId": 22,
  "app.go-live": 14,
  "app.analytics.settlement": 18,
};
const atMostOf = (id: string) => limits[id] ?? 12;

let full: FullShop;
beforeAll(async () => {
  full = await openFullShop();
  const organisation = await organisationOf(shop.shopDomain, "test");
  await writeHistory(db, {
    shop: shop.shopDomain,
    orders: 1_000,
    references: 300,
    organisation: organisation?.id ?? null,
  });
});

const loaders = endpoints
  .filter(({ kind }) => kind === "loader")
  .map((endpoint) => ({ ...endpoint, atMost: atMostOf(endpoint.id) }));

test.each(loaders)("$name needs at most $atMost statements", async ({ id, handler, atMost }) => {
  const params = Object.fromEntries(paramsOf(id).map((name) => [name, full.ids[name] ?? ""]));
  const request = await adminRequest(`${pathOf(id, params)}?variant=${full.ids["variantId"] ?? ""}`);
  const statements = await statementsOf(() => answerOf(handler, request, params));
  // At least the merchant: a recorder that records nothing would pass every page.
  expect(statements.length).toBeGreaterThanOrEqual(1);
  expect(statements.length, statements.join("\n")).toBeLessThanOrEqual(atMost);
  if (process.env["PRINT_QUERY_COUNTS"]) console.log(`${statements.length} ${id}`);
});

test.each(proxyEndpoints)(
  "$name needs no more statements for 40 variants than for two",
  async ({ id, kind, handler }) => {
    const proxyShop = { shopDomain: shop.shopDomain, apiSecret: secrets.apiSecret };
    const rows = await db.shopVariant.findMany({ where: { shop: shop.shopDomain }, take: 40 });
    const variantIds = rows.map(({ variantId }) => variantId);
    const statementsFor = async (ids: string[]) => {
      const query = signedQuery(new URLSearchParams({ variants: ids.join() }), "/apps/parasol", proxyShop);
      const lines = ids.map((variant_id) => ({ key: variant_id, variant_id, quantity: 1, price: 100 }));
      const sent = kind === "action" ? { method: "POST", body: JSON.stringify({ lines }) } : {};
      const request = new Request(`http://app.test${pathOf(id)}?${query.toString()}`, sent);
      return (await statementsOf(() => answerOf(handler, request))).length;
    };
    expect(await statementsFor(variantIds)).toBeLessThanOrEqual(await statementsFor(variantIds.slice(0, 2)));
  },
);

/** The lists, each with a key for its cursor. */
const time = encodeCursor([new Date("2026-01-01T00:00:00Z"), "m"]);
const text = encodeCursor(["2026-01-01", "m"]);
const lists: [id: string, cursor: string, search: string][] = [
  ["app.orders._index", time, ""],
  ["app.orders[.]csv", time, ""],
  ["app.tasks._index", encodeCursor(["9999-12-31", 0, new Date("2026-01-01T00:00:00Z"), "m"]), "state=open"],
  ["app.tasks._index", time, "state=closed"],
  ["app.quotes._index", time, ""],
  ["app.history", encodeCursor([new Date("2026-01-01T00:00:00Z"), "audit", "m"]), ""],
  ["app.history", encodeCursor([new Date("2026-01-01T00:00:00Z"), "audit", "m"]), "what=views&who=staff"],
  ["app.catalogue.list", encodeCursor(["Category 1", 12, 0, "m"]), ""],
  ["app.products.list", text, ""],
  ["app.analytics.sales", text, ""],
  ["app.analytics.commissions", text, ""],
];

/** Sorts that are allowed, because the rows are few in every shop. */
const short = new Set([
  // the staff in a filter
  'StaffMember: name, "staffId"',
  // the first 200 price bands, to choose from
  'Reference: "bandMinMinor", "bandMaxMinor"',
  // of one run, the first 50
  'SyncProblem: "createdAt"',
  // of one reference
  'SyncedVariant: s."onSale" DESC, s."updatedAt" DESC',
  // the sellers with most sales, added up
  "OrganisationSale: (count(*)) DESC, seller",
  // of one page's products
  'ShopVariant: "priceMinor", "variantId"',
]);

test.each(lists)(
  "%s takes its pages from an index, however many rows there are: %s %s",
  async (id, cursor, search) => {
    const endpoint = endpoints.find((each) => each.id === id && each.kind === "loader");
    if (!endpoint) throw new Error(`no ${id}`);
    const at = encodeURIComponent(cursor);
    const statements = new Set<string>();
    for (const page of ["", `after=${at}`, `before=${at}`]) {
      const request = await adminRequest(`${pathOf(id, {})}?${search}&${page}`);
      for (const each of await statementsOf(() => answerOf(endpoint.handler, request, {})))
        statements.add(each);
    }
    const pages = [...statements].filter((statement) => /ORDER BY[^()]*LIMIT[^()]*$/i.test(statement));
    // A file has no pages; other lists have a first one, one after a key and one before it.
    expect(pages.length).toBeGreaterThanOrEqual(id.endsWith("csv") ? 1 : 3);
    for (const statement of pages) {
      const sorts = (await sortsOf(statement)).filter((sort) => !short.has(sort));
      expect(sorts, statement).toEqual([]);
    }
  },
);

test.each([
  ["app.orders._index", "query=1001"],
  ["app.tasks._index", "state=closed&query=1001"],
])("%s finds what is searched by indexes, however many rows there are", async (id, search) => {
  const endpoint = endpoints.find((each) => each.id === id && each.kind === "loader");
  if (!endpoint) throw new Error(`no ${id}`);
  const request = await adminRequest(`${pathOf(id, {})}?${search}`);
  const statements = await statementsOf(() => answerOf(endpoint.handler, request, {}));
  const searches = statements.filter(
    (statement) => statement.includes("LIMIT") && statement.includes("name IN"),
  );
  expect(searches).toHaveLength(1);
  for (const statement of searches) expect(await alternativesOf(statement), statement).toEqual([]);
});
