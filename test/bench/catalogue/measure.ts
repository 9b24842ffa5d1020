/** The app's side of the catalogue benchmark, in a process of its own. Prints one JSON line and ends. */
import { staff } from "#app/audit/actor.ts";
import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import { z } from "zod";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";
import { input } from "./figures.ts";
import type { Measured, MeasuredRun } from "./figures.ts";

const { references, categories, service, shop } = input.parse(JSON.parse(process.argv[2] ?? "null"));

Object.assign(process.env, {
  NODE_ENV: "test",
  LOG_LEVEL: "fatal",
  DATABASE_URL: "memory:",
  SHOPIFY_API_KEY: shop.apiKey,
  SHOPIFY_API_SECRET: shop.apiSecret,
  SHOPIFY_APP_URL: "http://app.test",
  ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: service.base_url,
  INSURANCE_BASE_URL_PRODUCTION: service.base_url,
  SANDBOX_SHOP_ORIGIN: shop.storefront,
});
// The app reads its environment as it is imported.
const { connectStore } = await import("#app/catalogue/connect-store.server.ts");
const { requireMerchant } = await import("#app/merchants/guard.server.ts");
const { findRun, startRun } = await import("#app/catalogue/runs/runs.server.ts");
const { syncCatalogue } = await import("#app/catalogue/sync/sync.server.ts");
const { categoriseProducts } =
  await import("#app/catalogue/product-categories/categorise-products.server.ts");
const { db } = await import("#app/platform/db.server.ts");

const signal = new AbortController().signal;
const TERMS = [12, 24, 36];
/** Cents; every band is a hundred euros wide. */
const WIDTH = 10_000;

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${service.control_url}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? null : answer.json();
}

const catalogue = z.object({
  categories: z.array(z.object({ id: z.string() }).loose()),
  references: z.array(z.object({ reference_id: z.string() })),
});

const bandsPerCategory = Math.ceil(references / categories / TERMS.length);
const limit = pLimit(16);

/** Takes the demo's catalogue away and puts one of the wanted size in its place. */
async function fill(): Promise<string[]> {
  const before = catalogue.parse(await control("GET", "/catalogue"));
  const [template] = before.categories;
  await Promise.all(
    before.references.map(({ reference_id: id }) =>
      limit(() => control("DELETE", `/catalogue/references/${id}`)),
    ),
  );
  for (const { id } of before.categories)
    await control("DELETE", `/catalogue/categories/${encodeURIComponent(id)}`);
  const ids: string[] = [];
  const puts: (() => Promise<unknown>)[] = [];
  for (let category = 0; category < categories; category++) {
    const name = `Univers ${category + 1}`;
    await control("PUT", `/catalogue/categories/${encodeURIComponent(name)}`, { ...template, id: name });
    for (let band = 0; band < bandsPerCategory; band++) {
      for (const term of TERMS) {
        const id = `U${category + 1}-${term}-${band + 1}`;
        ids.push(id);
        puts.push(() =>
          control("PUT", `/catalogue/references/${id}`, {
            reference_id: id,
            contract_id: `CG-U${category + 1}`,
            category_id: name,
            title: `Assurance ${name}, ${term} mois`,
            term,
            price: 1_000 + band * 90 + term,
            currency_code: "EUR",
            price_band_min: 5_000 + band * WIDTH,
            price_band_max: 4_999 + (band + 1) * WIDTH,
            billing: "annually",
            product_reference_ids: null,
          }),
        );
      }
    }
  }
  await Promise.all(puts.map((put) => limit(put)));
  return ids;
}

const counts = z.record(z.string(), z.number());

async function run(kind: "catalogue" | "products"): Promise<MeasuredRun> {
  const started = performance.now();
  const { id } = await startRun(shop.shop, kind, "merchant");
  const work = kind === "catalogue" ? syncCatalogue : categoriseProducts;
  await work({ shop: shop.shop, runId: id }, { signal });
  const done = await findRun(shop.shop, id);
  if (done?.state !== "done")
    throw new Error(`The run ended as ${done?.state ?? "nothing"}: ${done?.errorDetail ?? ""}`);
  const { products_written: products = 0, catalogues_written: catalogues = 0 } = counts.parse(done.counts);
  return {
    // Without the one for the list of categories.
    serviceCalls: done.serviceCalls - 1,
    adminCalls: done.adminCalls,
    points: done.points,
    seconds: (performance.now() - started) / 1_000,
    writes: products + catalogues,
  };
}

const ids = await fill();
const token = await signSessionToken({
  apiKey: shop.apiKey,
  apiSecret: shop.apiSecret,
  shopDomain: shop.shop,
  userId: "1",
  sessionId: "bench",
});
await requireMerchant(new Request("http://app.test/app", { headers: { authorization: `Bearer ${token}` } }));
const connected = await connectStore(
  shop.shop,
  {
    environment: "test",
    storeId: service.store_id,
    token: service.token_test,
    organisationToken: null,
  },
  staff("1"),
);
if (connected.state !== "accepted") throw new Error(`The service answered: ${connected.state}`);
await run("products");

const mb = (bytes: number) => bytes / 1_048_576;
const startMb = mb(process.memoryUsage.rss());
const first = await run("catalogue");
const unchanged = await run("catalogue");
// Every hundredth price, so that all categories are touched.
await Promise.all(
  ids
    .filter((_id, index) => index % 100 === 50)
    .map((id) => limit(() => control("PUT", `/catalogue/references/${id}`, { price: 99_999 }))),
);
const changed = await run("catalogue");
const written = await db.publishedCatalogue.findMany({ where: { shop: shop.shop } });
const sizes = written.map(({ bytes }) => bytes);
const result: Measured = {
  first,
  unchanged,
  changed,
  startMb,
  // The process's own high-water mark, in KiB.
  peakMb: process.resourceUsage().maxRSS / 1_024,
  bands: bandsPerCategory * categories,
  bytes: Math.max(...sizes),
  // A category that does not fit is written without its bands.
  live: written.filter(({ bytes }) => bytes < 3_000 && references > 3_000).length,
};
console.log(JSON.stringify(result));
process.exit(0);
