import { randomBytes } from "node:crypto";

const UNUSED = "http://127.0.0.1:9";

/** The app's required environment, for benches that call no other system. */
export const environment = {
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  SHOPIFY_APP_URL: UNUSED,
  ENCRYPTION_KEYS: `bench:${randomBytes(32).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: UNUSED,
  INSURANCE_BASE_URL_PRODUCTION: UNUSED,
};
