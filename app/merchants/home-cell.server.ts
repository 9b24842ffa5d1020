/**
 * Which cell has a shop (docs/decisions/0054-cells.md). The shop itself says so, in a metafield of the app's installation:
 * all cells read the same, and the platform lets one of two write it first.
 */
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { log } from "#app/platform/log.server.ts";
import { createAdminClient } from "#app/shopify/graphql.server.ts";
import { deleteSessions } from "#app/shopify/sessions.server.ts";

const NAMESPACE = "cells";
const KEY = "home";

const installation = z.object({
  currentAppInstallation: z.object({
    id: z.string(),
    metafield: z.object({ value: z.string() }).nullable(),
  }),
});
const written = z.object({
  metafieldsSet: z.object({ userErrors: z.array(z.object({ code: z.string() })) }),
});

/**
 * Makes this cell the shop's, unless it has another one: both would insure its orders.
 * @throws Response 409 where it has; AdminRefused, AdminUnavailable, NoAccess
 */
export async function claimShop(shop: string): Promise<void> {
  if (env.CELL === undefined) return;
  const client = createAdminClient(shop, { attempts: 3 });
  const read = async () => {
    const { currentAppInstallation: found } = await client.request({
      query: `#graphql
      query ParasolHomeCell($namespace: String!, $key: String!) {
        currentAppInstallation { id metafield(namespace: $namespace, key: $key) { value } }
      }`,
      variables: { namespace: NAMESPACE, key: KEY },
      schema: installation,
    });
    return { ownerId: found.id, value: found.metafield?.value };
  };
  const value = JSON.stringify(env.CELL);
  const before = await read();
  if (before.value === undefined) {
    const place = { ownerId: before.ownerId, namespace: NAMESPACE, key: KEY, type: "json" };
    // Null: only where there is none yet. Who comes second is told so, and reads what the first has written.
    const claim = { ...place, value, compareDigest: null };
    await client.request({
      query: `#graphql
      mutation ParasolClaimShop($metafields: [MetafieldsSetInput!]!) {
        metafieldsSet(metafields: $metafields) { userErrors { code } }
      }`,
      variables: { metafields: [claim] },
      schema: written,
    });
  }
  const home = before.value ?? (await read()).value;
  if (home === value) return;
  log.error({ shop, what: home }, "the shop is served by another cell: the proxy's map lacks its line");
  await deleteSessions(shop);
  throw Response.json(null, { status: 409, headers: { "cache-control": "no-store" } });
}
