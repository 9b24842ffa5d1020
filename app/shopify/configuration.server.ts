/** Reads shopify.app.toml, so that the app and Shopify use the same configuration. */
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { z } from "zod";

const configuration = z.object({
  application_url: z.string(),
  access_scopes: z.object({ scopes: z.string() }),
});

const read = () => configuration.parse(parse(readFileSync("shopify.app.toml", "utf8")));

/**
 * The Admin API's access scopes that Shopify grants at installation. Scopes of the Customer Account API are missing:
 * the extensions use them, and the documentation does not say whether an Admin token lists them.
 */
export function adminScopes(): string[] {
  return read()
    .access_scopes.scopes.split(",")
    .filter((scope) => !scope.startsWith("customer_"));
}

/** The app's URL that `shopify app deploy` sends to Shopify, without a trailing slash. */
export function deployedAddress(): string {
  return read().application_url.replace(/\/+$/, "");
}
