/** The built app with a shop that has three years of orders. */
import { request } from "undici";
import { startApp } from "#test/demo/app-process.ts";
import { openStage } from "#test/demo/stage.ts";
import type { Stage } from "#test/demo/stage.ts";
import { staffSessionToken } from "#test/sandbox/shop/admin/staff.ts";
import { writeHistory } from "#test/shop-history.ts";

// Shopify's library rejects user agents that do not look like a browser.
export const BROWSER = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 Safari/537.36",
};

/** A few statements write years of orders, and each takes long. */
const PATIENT = {
  directUrl: undefined,
  pool: 2,
  queuePool: 2,
  statementTimeoutSeconds: 600,
  lockTimeoutSeconds: 600,
  migrates: false,
};

/** The headers of a page script's request: App Bridge adds the session token. */
export async function scriptHeaders({ shop }: Stage): Promise<Record<string, string>> {
  return { ...BROWSER, authorization: `Bearer ${await staffSessionToken(shop)}` };
}

/** The URL of a page's document, as the admin opens it in its frame. */
export async function documentAddress({ shop, app }: Stage, path: string): Promise<string> {
  const search = new URLSearchParams({
    shop: shop.shopDomain,
    host: Buffer.from(`admin.shopify.com/store/${shop.shopDomain.replace(/\..*/, "")}`).toString("base64url"),
    embedded: "1",
    id_token: await staffSessionToken(shop),
  });
  return `${app.url}${path}?${search.toString()}`;
}

/** The shop connects through the Connection page. The history is then written while the app is stopped. */
export async function openBusyShop(history: { orders: number; references: number }): Promise<Stage> {
  const stage = await openStage();
  const { shop, insurance, app, environment, folder } = stage;
  shop.install();
  const form = new URLSearchParams({
    intent: "connect",
    environment: "test",
    testToken: "yes",
    storeId: insurance.store_id,
    token: insurance.token_test,
    organisationToken: insurance.organisation_token,
  });
  const connected = await request(`${app.url}/app/connection.data`, {
    method: "POST",
    headers: {
      ...(await scriptHeaders(stage)),
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    },
    body: form.toString(),
  });
  const answer = await connected.body.text();
  if (!answer.includes('"connected"'))
    throw new Error(`Connection answered ${connected.statusCode}: ${answer}`);
  // The first view of the sales stores the organisation.
  const sales = await request(await documentAddress(stage, "/app/analytics/sales"), { headers: BROWSER });
  await sales.body.dump();
  await app.stop();

  // The app's modules read the environment when they are imported.
  Object.assign(process.env, environment);
  const { openDatabase } = await import("#app/platform/database.server.ts");
  const database = await openDatabase(environment["DATABASE_URL"] ?? "", PATIENT);
  const { organisation } = await database.prisma.analyticsImport.findFirstOrThrow();
  await database.prisma.analyticsImport.deleteMany();
  await writeHistory(database.prisma, { shop: shop.shopDomain, organisation, ...history });
  await database.close();

  const again = await startApp(environment, folder);
  return {
    ...stage,
    app: again,
    async close() {
      await again.stop();
      await stage.close();
    },
  };
}
