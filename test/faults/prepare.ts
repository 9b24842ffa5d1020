/**
 * Runs in a process of its own against an empty database: installs the app in each shop, connects it to the insurer and
 * stores the catalogue's rows. So a fault test begins at the first order. The command line names a file with the
 * preparation.
 */
import { staff } from "#app/audit/actor.ts";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { stopQueue } from "#app/jobs/queue.server.ts";
import { connectStore } from "#app/catalogue/connect-store.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { database, db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import { signSessionToken } from "#test/sandbox/shop/auth/session-token.ts";

const text = z.string();
export const preparation = z.array(
  z.object({
    shop: text,
    storeId: text,
    token: text,
    references: z.array(
      z.object({
        shop: text,
        environment: text,
        referenceId: text,
        categoryId: text,
        termMonths: z.int(),
        termLength: text,
        priceMinor: z.int(),
        currency: text,
        bandMinMinor: z.int(),
        bandMaxMinor: z.int(),
        billing: text,
        title: text,
        productReferenceIds: z.array(text),
      }),
    ),
    variants: z.array(
      z.object({
        shop: text,
        variantId: text,
        productId: text,
        environment: text,
        referenceId: text,
        onSale: z.boolean(),
        priceMinor: z.int(),
      }),
    ),
    products: z.array(
      z.object({
        shop: text,
        productId: text,
        title: text,
        handle: text,
        status: text,
        productType: text,
        vendor: text,
        categoryId: text.nullable(),
      }),
    ),
  }),
);

if (import.meta.main) {
  const shops = preparation.parse(JSON.parse(await readFile(process.argv[2] ?? "", "utf8")));
  for (const { shop, storeId, token, references, variants, products } of shops) {
    // It expires after a minute, which a busy machine may need for the migrations: it is created afterwards.
    await db.merchant.count();
    const sessionToken = await signSessionToken({
      apiKey: env.SHOPIFY_API_KEY,
      apiSecret: env.SHOPIFY_API_SECRET,
      shopDomain: shop,
      userId: "1",
      sessionId: "s1",
    });
    await requireMerchant(
      new Request(`${env.SHOPIFY_APP_URL}/app`, {
        headers: {
          authorization: `Bearer ${sessionToken}`,
          "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 Safari/537.36",
        },
      }),
    );
    const result = await connectStore(
      shop,
      { environment: "test", storeId, token, organisationToken: null },
      staff("1"),
    );
    if (result.state !== "accepted")
      throw new Error(`The insurer did not take the token of ${shop}: ${result.state}`);
    await db.reference.createMany({ data: references });
    await db.syncedVariant.createMany({ data: variants });
    await db.shopProduct.createMany({ data: products });
  }
  await stopQueue();
  await database.close();
  process.exit(0);
}
