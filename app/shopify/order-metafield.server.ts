/** What the app shows on an order, in a metafield of its own. */
import { createHash } from "node:crypto";
import { log } from "#app/platform/log.server.ts";
import { setAppMetafields } from "./app-data.server.ts";
import { AdminRefused, MetafieldsRefused } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";

/**
 * Writes it unless the value is unchanged. What the shop refuses, such as an order that was deleted, waits for the next
 * change.
 * @param written the digest of the last written value; null: there is none
 * @returns the digest of the current value; null: there is none
 * @throws AdminUnavailable, NoAccess: not done, try again
 */
export async function writeOrderMetafield(
  shop: string,
  orderId: string,
  { key, content, written }: { key: "cover" | "quotes"; content: object; written: string | null },
): Promise<string | null> {
  const value = JSON.stringify(content);
  const digest = createHash("sha256").update(value).digest("base64url");
  if (digest === written) return null;
  try {
    // Each writes what it has read, so a repetition after a lost response does no harm.
    const client = createAdminClient(shop, { attempts: 2, isBackground: key === "quotes" });
    await setAppMetafields(client, `gid://shopify/Order/${orderId}`, [
      { namespace: "$app", key, type: "json", value },
    ]);
    return digest;
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof MetafieldsRefused)) throw error;
    log.warn({ err: error, shop, orderId }, `Failed to write the order's ${key}: the platform refused`);
    return null;
  }
}
