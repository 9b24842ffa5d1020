import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

const rows = z.array(z.object({ storeId: z.string(), store: z.string(), storeExternalId: z.string() }));
export type PointOfSale = z.infer<typeof rows>[number];

/** The organisation's points of sale, as its sales name them. */
export async function pointsOfSale(shop: string, organisation: string): Promise<PointOfSale[]> {
  const found = await db.$queryRaw`
    SELECT "storeId", max(store) AS store, max("storeExternalId") AS "storeExternalId"
    FROM "OrganisationSale" WHERE shop = ${shop} AND organisation = ${organisation}
    GROUP BY "storeId" ORDER BY store`;
  return rows.parse(found);
}
