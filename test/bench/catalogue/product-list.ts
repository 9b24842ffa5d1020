/**
 * The queries of the page of products, with 100,000 products: the first page, a search for words that many titles hold,
 * that few hold and that none holds, and a category. In a process of its own. Prints one JSON line.
 */
import { environment } from "../environment.ts";
import { median } from "../figure.ts";

const PRODUCTS = 100_000;
const TIMES = 9;
const SHOP = "many.myshopify.com";

Object.assign(process.env, environment, {
  NODE_ENV: "test",
  LOG_LEVEL: "fatal",
  DATABASE_URL: "memory:",
});
// The app reads its environment as it is imported.
const { listOfferedCategories } = await import("#app/catalogue/references/look-up.server.ts");
const { pageOfProducts } = await import("#app/catalogue/product-categories/product-list.server.ts");
const { listRules } = await import("#app/catalogue/product-categories/rules.server.ts");
const { db } = await import("#app/platform/db.server.ts");

await db.$executeRaw`
  INSERT INTO "ShopProduct" (shop, "productId", title, handle, status, "productType", vendor, tags, collections,
    "minPriceMinor", "categoryId", "decidedBy")
  SELECT ${SHOP}, (1000000 + i)::text,
    (ARRAY['Phone', 'Tablet', 'Camera', 'Watch', 'Speaker'])[1 + i % 5] || ' ' || md5(i::text),
    'product-' || i, 'ACTIVE', 'Type ' || i % 40, 'Vendor ' || i % 300, ARRAY['tag' || i % 50], '{}',
    i * 10, CASE WHEN i % 3 = 0 THEN 'Photo' END, CASE WHEN i % 3 = 0 THEN 'rule' END
  FROM generate_series(1, ${PRODUCTS}::int) AS i`;
// As every reading of the products ends.
await db.$executeRaw`ANALYZE "ShopProduct"`;

const searches = {
  "the first page": {},
  "a search that a fifth of the titles meet": { query: "phone" },
  "a search that few titles meet": { query: "abcde" },
  "a search that no title meets": { query: "no such title" },
  "a category": { category: "Photo" },
};
const figures: Record<string, number> = {};
for (const [name, search] of Object.entries(searches)) {
  const filter = { query: null, category: null, decided: null, ...search };
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    const started = performance.now();
    // As the loader of the page does.
    const rules = await listRules(SHOP);
    await Promise.all([
      listOfferedCategories(SHOP, "test"),
      pageOfProducts(SHOP, rules, filter, { after: null, before: null }, 50),
    ]);
    times.push(performance.now() - started);
  }
  figures[name] = median(times);
}
console.log(JSON.stringify(figures));
process.exit(0);
