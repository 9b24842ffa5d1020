/** The pending product webhooks of a shop, which one job processes together. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

const sealedBodies = z.array(z.object({ id: z.string(), sealedBody: z.string() }));

/** The next pending product webhooks, by id. */
export async function readProductWebhooks(
  shop: string,
  after: string,
  limit: number,
): Promise<z.infer<typeof sealedBodies>> {
  const rows = await db.$queryRaw`
    SELECT id, "sealedBody" FROM "Webhook"
    WHERE shop = ${shop} AND state <> 'done' AND topic LIKE 'products/%' AND id > ${after}
    ORDER BY id LIMIT ${limit}`;
  return sealedBodies.parse(rows);
}

/** @param error the reason if they failed */
export async function markProductWebhooksDone(
  shop: string,
  ids: string[],
  error: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Webhook" SET state = 'done', "doneAt" = now(), error = ${error}, "sealedBody" = ''
    WHERE shop = ${shop} AND id = ANY(${ids})`;
}
