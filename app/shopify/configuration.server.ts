/**
 * What shopify.app.toml declares, so that the app and Shopify agree by construction.
 */
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { z } from "zod";

const configuration = z.object({
  application_url: z.string(),
  access_scopes: z.object({ scopes: z.string() }),
});

const read = () => configuration.parse(parse(readFileSync("shopify.app.toml", "utf8")));

/**
 * The access scopes of the Admin API, as Shopify grants them at installation. Scopes of the Customer Account API are
 * left out: the extensions use them, and whether an Admin token lists them is not documented.
 */
export function adminScopes(): string[] {
  return read()
    .access_scopes.scopes.split(",")
    .filter((scope) => !scope.startsWith("customer_"));
}

/** The address that `shopify app deploy` sends to Shopify, without a slash at its end. */
export function deployedAddress(): string {
  return read().application_url.replace(/\/+$/, "");
}
