/** The stand-in by itself: `node test/sandbox/shop/main.ts --port 4010 --app-url http://127.0.0.1:3000`. Prints one JSON line. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startShop } from "./server.ts";

const extension = join(import.meta.dirname, "../../../extensions/parasol-storefront");
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "app-url": { type: "string" },
    "extension-dir": { type: "string", default: extension },
    "api-key": { type: "string", default: "parasol-sandbox-key" },
    "api-secret": { type: "string", default: "parasol-sandbox-secret" },
    products: { type: "string" },
    plan: { type: "string" },
  },
});
const products = z.coerce.number().int().positive().optional().parse(values.products);
const shop = await startShop({
  port: z.coerce.number().int().min(0).parse(values.port),
  apiKey: values["api-key"],
  apiSecret: values["api-secret"],
  ...(values["app-url"] === undefined ? {} : { appUrl: values["app-url"] }),
  extensionDir: values["extension-dir"],
  ...(products === undefined ? {} : { seed: { products } }),
  shops: [
    {
      ...(values.plan === undefined
        ? {}
        : {
            plan: z.enum(["Basic", "Shopify", "Advanced", "Shopify Plus", "Enterprise"]).parse(values.plan),
          }),
    },
  ],
});
shop.install();
console.log(
  JSON.stringify({
    ready: "shop",
    shop: shop.shopDomain,
    storefront: shop.origin,
    admin: shop.adminUrl,
    control: `${shop.origin}/sandbox`,
    apiKey: shop.apiKey,
    apiSecret: shop.apiSecret,
  }),
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void shop.close().then(() => process.exit(0)));
