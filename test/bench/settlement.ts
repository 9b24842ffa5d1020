/**
 * The settlement of one month of a shop with 100,000 contracts over a year, on PostgreSQL, with the insurer's sales and
 * commissions of all of them, of which two fifths are billed monthly. BENCH_CONTRACTS sets their number, BENCH_MONTHS over how many months they spread.
 */
import { connect, openCluster, serverUrl } from "#test/cluster.ts";
import { makeMigrated } from "#test/migrated.ts";
import { environment } from "./environment.ts";
import { type Figure, figure, median, timed } from "./figure.ts";

const CONTRACTS = Number(process.env["BENCH_CONTRACTS"] ?? 100_000);
const MONTHS = Number(process.env["BENCH_MONTHS"] ?? 12);
const LOOKS = 7;
const GOAL_MS = 2_000;
const NOW = new Date("2026-10-28T12:00:00Z");
const shop = "busy.myshopify.com";

/** With `$1` the shop, `$2` how many and `$3` how many months. */
const at = "timestamptz '2026-10-28 12:00Z' - (n % ($3 * 28)) * interval '1 day'";
const soldOn = `to_char(${at}, 'YYYY-MM-DD')`;
/** The others are annual. */
const isMonthly = "(n % 5 < 2)";
const price = "1990 + n % 50 * 100";
const statements = [
  `INSERT INTO "Order" (shop, "orderId", name, "purchasedAt", "changedAt", "paidAt", currency, "paymentMethod",
     "salesChannel", environment)
   SELECT $1, n::text, '#' || n, ${at}, ${at}, ${at}, 'EUR', 'credit_card', 'online', 'test'
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "InsuredItem" (shop, "orderId", environment, "lineId", "itemNumber", state, wanted, "offerReferenceId",
     "planTitle", "offerPriceMinor", "premiumMinor", "termMonths", currency, "contractId", "contractStatus", "insuredAt",
     "changedAt")
   SELECT $1, n::text, 'test', '2', 1, 'active', true, 'REF', 'Plan', ${price}, ${price}, 24, 'EUR', 'CT-' || n, 'active',
     ${at}, ${at}
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "PremiumMovement" (shop, "orderId", "lineId", "itemNumber", environment, kind, "amountMinor", currency,
     "happenedAt", "knownAt")
   SELECT $1, n::text, '2', 1, 'test', kind, ${price}, 'EUR', ${at}, ${at}
   FROM generate_series(1, $2) AS n, unnest(ARRAY['premium', 'contract']) AS kind`,
  `INSERT INTO "OrganisationSale" (shop, organisation, "saleId", date, status, monthly, store, "storeId",
     "storeExternalId", "productReferenceId", category, seller, "priceMinor", "frontMinor", "airMinor", "airFrom",
     "isContradiction")
   SELECT $1, $4, 'CT-' || n, ${soldOn}, 'active', ${isMonthly}, 'Lumen', '7', 'WEB', '', 'Phones', '', ${price},
     CASE WHEN ${isMonthly} THEN NULL ELSE 400 END, CASE WHEN ${isMonthly} THEN 100 END,
     CASE WHEN ${isMonthly} THEN ${soldOn} END, false
   FROM generate_series(1, $2) AS n`,
  `INSERT INTO "OrganisationCommission" (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId",
     "saleId", monthly, "billingType", type, "amountMinor", "priceMinor", "effectMinor")
   SELECT $1, $4, 'C-' || n, ${soldOn}, 'Lumen', '7', 'WEB', 'CT-' || n, false, 'collected', 'front', 400, ${price}, 400
   FROM generate_series(1, $2) AS n WHERE NOT ${isMonthly}`,
  // The AIR of the months before: that of the month which is looked at has not come yet.
  `INSERT INTO "OrganisationCommission" (shop, organisation, "commissionId", date, store, "storeId", "storeExternalId",
     "saleId", monthly, "billingType", type, "amountMinor", "priceMinor", "effectMinor")
   SELECT $1, $4, 'A-' || n || '-' || months, to_char(collected, 'YYYY-MM-DD'), 'Lumen', '7', 'WEB', 'CT-' || n, true,
     'collected', 'air', 100, ${price}, 100
   FROM generate_series(1, $2) AS n, generate_series(0, $3) AS months,
     LATERAL (SELECT ${at} + months * interval '1 month' AS collected) AS day
   WHERE ${isMonthly} AND collected < '2026-10-01'`,
];

export async function bench(): Promise<Figure[]> {
  const cluster = await openCluster();
  const DATABASE_URL = serverUrl(cluster.port, await cluster.newDatabase());
  await makeMigrated(DATABASE_URL);
  // The app's modules read the environment when they are imported.
  Object.assign(process.env, environment, { LOG_LEVEL: "error", NODE_ENV: "test", DATABASE_URL });
  const { database, db } = await import("#app/platform/db.server.ts");
  const { sealToken } = await import("#app/merchants/accounts.server.ts");
  const { findMerchant } = await import("#app/merchants/merchant.server.ts");
  const { organisationOf } = await import("#app/analytics/import.server.ts");
  const { stopQueue } = await import("#app/jobs/queue.server.ts");
  const { readSettlement } = await import("#app/settlement/settlement-page.server.ts");
  const client = await connect(DATABASE_URL);
  try {
    await db.merchant.create({
      data: { shop, name: "Busy", currency: "EUR", country: "FR", timezone: "Europe/Paris" },
    });
    await db.connection.create({
      data: {
        shop,
        environment: "test",
        storeId: "store",
        sealedToken: sealToken(shop, "test", "token", "token"),
        sealedOrganisationToken: sealToken(shop, "test", "organisation", "organisation"),
        state: "accepted",
        tokenSetAt: new Date(),
        checkedAt: new Date(),
      },
    });
    const organisation = await organisationOf(shop, "test");
    const merchant = await findMerchant(shop);
    if (organisation === null || merchant === null) throw new Error("The shop is not connected");
    for (const sql of statements) {
      const values = [shop, CONTRACTS, MONTHS, ...(sql.includes("$4") ? [organisation.id] : [])];
      await client.query(
        sql
          .replaceAll("$1", "$1::text")
          .replaceAll("$2", "$2::int")
          .replaceAll("$3", "$3::int")
          .replaceAll("$4", "$4::text"),
        values,
      );
    }
    await db.analyticsImport.create({
      data: {
        id: "import",
        shop,
        organisation: organisation.id,
        environment: "test",
        state: "done",
        active: null,
      },
    });
    await client.query("ANALYZE");
    const look = () => timed(() => readSettlement(merchant, { month: "2026-10", storeId: null }, NOW));
    const first = await look();
    const times: number[] = [];
    for (let round = 0; round < LOOKS; round += 1) times.push(await look());
    const name = `settlement of a month, ${CONTRACTS} contracts over ${MONTHS} months`;
    const goal = `at most ${GOAL_MS}`;
    return [
      figure(`${name}, first look`, first, "ms, once", goal, first <= GOAL_MS),
      figure(`${name}, later looks`, median(times), "ms, median", goal, median(times) <= GOAL_MS),
    ];
  } finally {
    await client.end();
    await stopQueue();
    await database.close();
    await cluster.close();
  }
}
