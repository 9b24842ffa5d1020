/**
 * What shopify.app.toml declares, so that the app and the platform agree by construction.
 */
import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { z } from "zod";

const configuration = z.object({ access_scopes: z.object({ scopes: z.string() }) });

/** The access scopes, as the platform grants them at installation. */
export function declaredScopes(): string[] {
  return configuration.parse(parse(readFileSync("shopify.app.toml", "utf8"))).access_scopes.scopes.split(",");
}
