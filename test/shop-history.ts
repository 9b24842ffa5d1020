/**
 * Years of orders in one shop, written into the database with one statement per table, as data for performance tests.
 * Every value derives from a row's number, so that two runs write the same.
 */
import type { PrismaClient } from "#app/platform/prisma/client.ts";

export interface History {
  shop: string;
  /** paid orders, over three years up to now; four in ten are insured */
  orders: number;
  /** insurance references, over 30 categories */
  references: number;
  /** the organisation whose sales and commissions are copied: app/analytics/view.server.ts; null for none */
  organisation: string | null;
}

/** The three years before now; the highest number is the newest. */
const at = "now() - ($2 - n) * interval '3 years' / $2";
const state =
  "(ARRAY['active','active','active','active','active','active','active','cancelled','refused','attention'])[1 + n % 10]";

/** Whether the item of order `n` was sold with insurance. */
const isInsured = "(n % 10 < 4 OR n % 50 = 7 OR n % 100 = 8 OR n % 500 = 9)";
const hasContract = `${state} IN ('active', 'cancelled')`;
const item = `jsonb_build_object('item', jsonb_build_object('lineId', n || '2', 'number', 1))`;
const line = `jsonb_build_object('pairId', n || '1', 'currency', 'EUR', 'isLater', false,
  'offeredAt', CASE WHEN n % 10 < 7 THEN (ARRAY['product_page','cart','mini_cart'])[1 + n % 3] END,
  'productFormat', (ARRAY['radio','modal'])[1 + n % 2])`;
const quantity = `jsonb_build_object('ordered', 1, 'current', 1, 'refunded', 0, 'fulfilled', 0, 'asOf', ${at})`;
const contract = `(${item} || jsonb_build_object('contractId', 'CT-' || n, 'referenceId', 'REF-' || n % 3000,
  'activatesOn', '2026-01-01', 'expiresOn', '2028-01-01'))`;
/** Each with `$1` the shop and `$2` how many. */
const ofOrders = [
  `INSERT INTO "Order" (shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", currency, "paymentMethod",
     "salesChannel", environment, "salesRecordStatus")
   SELECT $1, (5000000000 + n)::text, '#' || (1000 + n), ${at}, ${at}, ${at}, 'EUR', 'credit_card', 'online',
     'test', 'recorded'
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "OrderLine" (shop, "orderId", "lineId", "pairId", "productId", "variantId", title, quantity, "currentQuantity",
     "listPriceMinor", "priceMinor", currency, "categoryId", "insuranceOffered", "insuranceSelected", "offeredAt", "productFormat")
   SELECT $1, (5000000000 + n)::text, n || '1', n || '1', (7000 + n % 2000)::text, (70000 + n % 6000)::text,
     'Product ' || n % 2000, 1, 1, 5000 + n % 900 * 100, 5000 + n % 900 * 100, 'EUR', CASE WHEN n % 10 < 8 THEN 'Category ' || n % 30 ELSE '' END,
     n % 10 < 7, ${isInsured}, CASE WHEN n % 10 < 7 THEN (ARRAY['product_page','cart','mini_cart'])[1 + n % 3] END,
     (ARRAY['radio','modal'])[1 + n % 2]
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "InsuredItem" (shop, "orderId", environment, "lineId", "itemNumber", state, wanted, "offerReferenceId",
     "planTitle", "offerPriceMinor", "premiumMinor", "termMonths", currency, "insuredLineId", "insuredTitle",
     "insuredPriceMinor", "insuredCurrency", touchpoint, "contractId", "activatesOn", "expiresOn", "insuredAt", "changedAt")
   SELECT $1, (5000000000 + n)::text, 'test', n || '2', 1, ${state}, n % 10 <> 7, 'REF-' || n % 3000,
     'Plan ' || n % 3000, 1990 + n % 50 * 100, 1990 + n % 50 * 100, 24, 'EUR', n || '1', 'Product ' || n % 2000,
     5000 + n % 900 * 100, 'EUR', (ARRAY['product_page','cart','mini_cart'])[1 + n % 3],
     CASE WHEN ${hasContract} THEN 'CT-' || n END, '2026-01-01', '2028-01-01', CASE WHEN ${hasContract} THEN ${at} END, ${at}
   FROM generate_series(1, $2) AS n WHERE ${isInsured}`,
  // The books of which the rows above are read: a product with or without a plan, and what became of the plan.
  `INSERT INTO "OrderEvent" (shop, "orderId", key, type, data, at)
   SELECT $1, (5000000000 + n)::text, event.key, event.type, jsonb_build_object('type', event.type) || event.data::jsonb,
     ${at} + event.position * interval '1 second'
   FROM generate_series(1, $2) AS n, LATERAL (VALUES
     (1, true, 'placed', 'placed', jsonb_build_object('name', '#' || (1000 + n), 'currency', 'EUR', 'isTest', false,
       'environment', 'test', 'placedAt', ${at}, 'salesChannel', 'online', 'paymentMethod', 'credit_card', 'language', NULL)),
     (1, true, 'paid', 'paid', jsonb_build_object('asOf', ${at}, 'paymentMethod', 'credit_card')),
     (1, true, 'line ' || n || '1', 'line', ${line} || jsonb_build_object('lineId', n || '1', 'kind', 'product',
       'productId', (7000 + n % 2000)::text, 'variantId', (70000 + n % 6000)::text, 'title', 'Product ' || n % 2000,
       'listPriceMinor', 5000 + n % 900 * 100, 'paidMinor', 5000 + n % 900 * 100, 'requiresShipping', true,
       'categoryId', CASE WHEN n % 10 < 8 THEN 'Category ' || n % 30 ELSE '' END, 'isOffered', n % 10 < 7,
       'isSelected', ${isInsured})),
     (1, true, 'quantity 3', 'quantity', ${quantity} || jsonb_build_object('lineId', n || '1')),
     (1, ${isInsured}, 'line ' || n || '2', 'line', ${line} || jsonb_build_object('lineId', n || '2', 'kind', 'plan',
       'productId', (9000 + n % 30)::text, 'variantId', (90000 + n % 3000)::text, 'title', 'Plan ' || n % 3000,
       'listPriceMinor', 1990 + n % 50 * 100, 'paidMinor', 1990 + n % 50 * 100, 'requiresShipping', false,
       'categoryId', '', 'isOffered', false, 'isSelected', false)),
     (1, ${isInsured}, 'quantity 5', 'quantity', ${quantity} || jsonb_build_object('lineId', n || '2')),
     (1, ${isInsured}, 'sold ' || n || '2 1', 'sold', ${item} || jsonb_build_object('referenceId', 'REF-' || n % 3000,
       'planVariantId', (90000 + n % 3000)::text, 'planTitle', 'Plan ' || n % 3000, 'termMonths', 24,
       'offerPriceMinor', 1990 + n % 50 * 100, 'premiumMinor', 1990 + n % 50 * 100, 'currency', 'EUR',
       'insured', jsonb_build_object('lineId', n || '1', 'variantId', (70000 + n % 6000)::text,
         'title', 'Product ' || n % 2000, 'priceMinor', 5000 + n % 900 * 100, 'currency', 'EUR'),
       'touchpoint', (ARRAY['product_page','cart','mini_cart'])[1 + n % 3], 'consent', '1 2026-01-01T00:00:00Z',
       'conditionsUrl', NULL, 'ipidUrl', NULL, 'termsSha256', NULL, 'finding', CASE WHEN ${state} = 'attention' THEN 'no_insured_line' END,
       'replaces', NULL)),
     (2, ${isInsured} AND ${state} <> 'attention', 'requested ' || n || '2 1 1', 'requested',
       ${item} || '{"attempt":1}'),
     (3, ${isInsured} AND ${hasContract}, 'answered ' || n || '2 1 1', 'answered',
       ${item} || jsonb_build_object('attempt', 1, 'outcome', 'created', 'contractId', 'CT-' || n,
         'message', NULL, 'activatesOn', NULL, 'expiresOn', NULL)),
     (3, ${isInsured} AND ${state} = 'refused', 'answered ' || n || '2 1 1', 'answered',
       ${item} || '{"attempt":1,"outcome":"refused","contractId":null,"message":"Produit non assurable","activatesOn":null,"expiresOn":null}'),
     (3, ${isInsured} AND ${hasContract}, 'contract 9', 'contract', ${contract} || '{"status":"active","statusText":"active"}'),
     (4, ${isInsured} AND ${state} = 'cancelled', 'left ' || n || '2 1', 'left', ${item} || '{"by":"refund"}'),
     (5, ${isInsured} AND ${state} = 'cancelled', 'contract 11', 'contract',
       ${contract} || '{"status":"cancelled","statusText":"cancelled"}')
   ) AS event(position, happened, key, type, data)
   WHERE event.happened`,
  `INSERT INTO "Webhook" (shop, id, "eventId", topic, "orderId", "webhookId", "triggeredAt", "receivedAt", "sealedBody", state, "doneAt")
   SELECT $1, 'event-' || n, 'event-' || n, 'orders/paid', (5000000000 + n)::text, 'webhook-' || n, ${at}, ${at},
     '',
     CASE WHEN n % 20000 = 1 THEN 'failed' ELSE 'done' END, ${at}
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "Task" (id, shop, key, kind, "orderId", "lineId", "itemNumber", details, "openedAt", "closedAt", outcome)
   SELECT 'task-' || n, $1, 'plan_refused:' || n, 'plan_refused', (5000000000 + n)::text, n || '2', 1,
     '{"planTitle":"Plan","insurerMessage":"Produit non assurable"}', ${at}, CASE WHEN n % 1000 <> 0 THEN ${at} END,
     CASE WHEN n % 1000 <> 0 THEN 'done' END
   FROM generate_series(1, $2) AS n WHERE n % 50 = 0`,
  `INSERT INTO "Quote" (shop, environment, "quoteId", "createdAt", status, "purchasedOn", "expiresOn", "categoryId",
     "variantId", "productTitle", "priceMinor", currency, "chargedBy", offers)
   SELECT $1, 'test', 'quote-' || n, ${at}, 'active', to_char(${at}, 'YYYY-MM-DD'),
     to_char(${at} + interval '30 days', 'YYYY-MM-DD'), 'Category ' || n % 30, '70001', 'Product ' || n % 2000, 49900,
     'EUR', 'the service',
     '[{"title":"24 mois","termMonths":24,"priceMinor":4990,"currencyCode":"EUR","billing":"annually"}]'
   FROM generate_series(1, $2) AS n WHERE n % 20 = 0`,
  `INSERT INTO "ReconciliationRun" (id, shop, kind, "from", until, state, total, "createdAt", "finishedAt")
   SELECT 'run-' || n, $1, 'hourly', now() - n * interval '1 hour', now() - (n - 1) * interval '1 hour', 'done', 40,
     now() - n * interval '1 hour', now() - n * interval '1 hour'
   FROM generate_series(1, LEAST($2, 720)) AS n`,
  `INSERT INTO "AuditEntry" (id, shop, at, "actorKind", "actorId", action, subject)
   SELECT 'activity-' || n, $1, ${at}, 'staff', '1', 'connected', 'test' FROM generate_series(1, $2) AS n WHERE n % 100 = 0`,
  `INSERT INTO "SyncRun" (id, shop, kind, environment, reason, state, active, phase, done, total, counts, "createdAt",
     "startedAt", "lastProgressAt", "finishedAt")
   SELECT 'run-' || n, $1, (ARRAY['catalogue','products'])[1 + n % 2], 'test', 'schedule', 'done', NULL, 'end', 100, 100,
     '{"unchanged": 3000}', now() - n * interval '1 day', now() - n * interval '1 day', now() - n * interval '1 day',
     now() - n * interval '1 day'
   FROM generate_series(1, LEAST($2, 1000)) AS n`,
];

/** Each with `$1` the shop and `$2` how many references. */
const ofCatalogue = [
  `INSERT INTO "Category" (shop, environment, "categoryId", marketing, legal, "discoveredAt")
   SELECT $1, 'test', 'Category ' || n,
     '{"buttons":{"linkText":"","headline":"Cover"},"modal":{"headline":"","bulletsHeading":"","bulletPoints":[],"linkText":"","buyText":"","declineText":"","legalText":"","imageUrl":"","merchantLogoUrl":"","marketingPageUrl":""},"cart":{"buttonText":""}}',
     '{"ipidUrl":"https://assurance.example/ipid","conditionsUrl":"https://assurance.example/cg"}', now()
   FROM generate_series(0, LEAST($2, 30) - 1) AS n`,
  `INSERT INTO "Reference" (shop, environment, "referenceId", "categoryId", "termMonths", "termLength", "priceMinor",
     currency, "bandMinMinor", "bandMaxMinor", billing, title, "productReferenceIds")
   SELECT $1, 'test', 'REF-' || n, 'Category ' || n % 30, term, term || ' mois', 1990 + n % 50 * 100, 'EUR',
     n / 90 * 10000, n / 90 * 10000 + 9999, 'annually', 'Plan ' || n, '{}'
   FROM generate_series(0, $2 - 1) AS n, LATERAL (SELECT 12 * (1 + n / 30 % 3) AS term) AS terms`,
  `INSERT INTO "SyncedProduct" (shop, "productId", environment, "categoryId", part, status)
   SELECT $1, (9000 + n)::text, 'test', 'Category ' || n, 1, 'UNLISTED' FROM generate_series(0, LEAST($2, 30) - 1) AS n`,
  `INSERT INTO "SyncedVariant" (shop, "variantId", "productId", environment, "referenceId", "onSale", "priceMinor", "updatedAt")
   SELECT $1, (90000 + n)::text, (9000 + n % 30)::text, 'test', 'REF-' || n, true, 1990 + n % 50 * 100, now()
   FROM generate_series(0, $2 - 1) AS n`,
  `INSERT INTO "ShopProduct" (shop, "productId", title, handle, status, "productType", vendor, tags, collections,
     "minPriceMinor", "categoryId", "decidedBy", "writtenKey")
   SELECT $1, (7000 + n)::text, 'Product ' || n, 'product-' || n, 'ACTIVE', 'Type ' || n % 40, 'Vendor ' || n % 50,
     ARRAY['tag ' || n % 20], ARRAY[(n % 30)::text], 5000 + n % 900 * 100,
     CASE WHEN n % 10 < 8 THEN 'Category ' || n % 30 END, CASE WHEN n % 10 < 8 THEN 'rule-' || n % 30 END, NULL
   FROM generate_series(0, LEAST($2, 2000) - 1) AS n`,
  `INSERT INTO "ShopVariant" (shop, "variantId", "productId", title, "priceMinor")
   SELECT $1, (70000 + n)::text, (7000 + n % LEAST($2, 2000))::text, 'Size ' || n % 3, 5000 + n % 900 * 100
   FROM generate_series(0, LEAST($2 * 3, 6000) - 1) AS n`,
  `INSERT INTO "CategoryRule" (id, shop, position, conditions, "categoryId")
   SELECT 'rule-' || n, $1, n, jsonb_build_array(jsonb_build_object('field', 'product_type', 'value', 'Type ' || n)),
     'Category ' || n
   FROM generate_series(0, LEAST($2, 30) - 1) AS n`,
];

/** Each with `$1` the shop, `$2` how many and `$3` the organisation. */
const ofOrganisation = [
  `INSERT INTO "OrganisationSale" (shop, organisation, "saleId", date, status, monthly, store, "storeId",
     "storeExternalId", "productReferenceId", category, seller, "priceMinor", "frontMinor", "airMinor", "airFrom",
     "isContradiction")
   SELECT $1, $3, 'sale-' || n, to_char(${at}, 'YYYY-MM-DD'), 'active', n % 2 = 0, 'Store ' || n % 20, (n % 20)::text,
     'EXT-' || n % 20, (70000 + n % 6000)::text, 'Category ' || n % 30, 'Seller ' || n % 80, 4990, 990, NULL, NULL, false
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "OrganisationCommission" (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId",
     "saleId", monthly, "billingType", type, "amountMinor", "priceMinor", "effectMinor")
   SELECT $1, $3, 'commission-' || n, to_char(${at}, 'YYYY-MM-DD'), 'Store ' || n % 20, (n % 20)::text, 'EXT-' || n % 20,
     'sale-' || n, n % 2 = 0, 'collected', 'front', 990, 4990, 990
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "AnalyticsImport" (id, shop, organisation, environment, state, active, rows, "finishedAt")
   SELECT 'import', $1, $3, 'test', 'done', NULL, $2, now()`,
];

export async function writeHistory(db: PrismaClient, history: History): Promise<void> {
  const { shop, orders, references, organisation } = history;
  for (const sql of ofCatalogue) await db.$executeRawUnsafe(casts(sql), shop, references);
  for (const sql of ofOrders) await db.$executeRawUnsafe(casts(sql), shop, orders);
  if (organisation !== null) {
    for (const sql of ofOrganisation) await db.$executeRawUnsafe(casts(sql), shop, orders, organisation);
  }
  await db.$executeRawUnsafe("ANALYZE");
}

/** The server cannot infer the parameters' types from these statements. */
function casts(sql: string): string {
  return sql.replaceAll("$1", "$1::text").replaceAll("$2", "$2::int").replaceAll("$3", "$3::text");
}
