/** The stand-in by itself, on any free port, for benches. Prints one JSON line. */
import { startShop } from "./server.ts";

const shop = await startShop({ apiKey: "parasol-sandbox-key", apiSecret: "parasol-sandbox-secret" });
shop.install();
const { shopDomain, origin, apiKey, apiSecret } = shop;
console.log(JSON.stringify({ shop: shopDomain, storefront: origin, apiKey, apiSecret }));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void shop.close().then(() => process.exit(0)));
