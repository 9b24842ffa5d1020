/**
 * Writes the compact catalogues into app-data metafields. What changed is written in one atomic call with one version
 * (25 categories to a call), so a storefront never sees half of a category; what did not change is not written.
 */
import { db } from "#app/platform/db.server.ts";
import { fetchInstallationId, setAppMetafields } from "#app/shopify/app-data.server.ts";
import type { AdminClient } from "#app/shopify/graphql.server.ts";
import { categoryKey } from "./compact-catalogue.ts";
import { digestOf } from "./compact-content.ts";
import type { CompactContent } from "./compact-content.ts";

/** The platform's limit of metafields in one atomic call. */
const PER_CALL = 25;

/**
 * @param ended categories that are no longer sold: written where the shop has something of them
 * @returns how many catalogues were written, and their bytes
 */
export async function publishCatalogues(
  adminClient: AdminClient,
  contents: readonly CompactContent[],
  ended: readonly CompactContent[],
): Promise<{ written: number; bytes: number }> {
  const { shop } = adminClient;
  const installationId = await fetchInstallationId(adminClient);
  const rows = await db.publishedCatalogue.findMany({ where: { shop } });
  const known = new Map(rows.map((row) => [row.key, row]));
  const version = Math.max(0, ...rows.map((row) => row.version)) + 1;
  const changed = [...contents, ...ended.filter(({ category }) => known.has(categoryKey(category)))]
    .map((content) => ({ key: categoryKey(content.category), digest: digestOf(content), content }))
    .filter(({ key, digest }) => {
      const row = known.get(key);
      return row?.digest !== digest || row.installationId !== installationId;
    })
    .map(({ key, digest, content }) => ({ key, digest, value: JSON.stringify({ v: version, ...content }) }));
  let bytes = 0;
  for (let from = 0; from < changed.length; from += PER_CALL) {
    const group = changed.slice(from, from + PER_CALL);
    await setAppMetafields(
      adminClient,
      installationId,
      group.map(({ key, value }) => ({ namespace: "catalogue", key, type: "json", value })),
    );
    for (const { key, digest, value } of group) {
      const row = { digest, version, bytes: Buffer.byteLength(value), installationId };
      bytes += row.bytes;
      await db.publishedCatalogue.upsert({
        where: { shop_key: { shop, key } },
        create: { shop, key, ...row },
        update: row,
      });
    }
  }
  return { written: changed.length, bytes };
}
