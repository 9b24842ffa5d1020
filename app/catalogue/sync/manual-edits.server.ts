/** The history of a merchant's changes by hand. */
import { randomUUID } from "node:crypto";
import { db } from "#app/platform/db.server.ts";
import type { ProductChange } from "./difference.ts";

/** Notes a merchant's changes: each once, until it changes again. */
export async function recordManualEdits(
  shop: string,
  runId: string,
  productId: string,
  edits: ProductChange["edits"],
): Promise<number> {
  let recorded = 0;
  for (const edit of edits) {
    const last = await db.manualEdit.findFirst({
      where: { shop, productId, variantId: edit.variantId, field: edit.field },
      orderBy: { noticedAt: "desc" },
    });
    if (last?.outcome === "kept" && edit.outcome === "kept" && last.theirs === edit.theirs) continue;
    await db.manualEdit.create({ data: { id: randomUUID(), shop, runId, productId, ...edit } });
    recorded += 1;
  }
  return recorded;
}

export async function listManualEdits(shop: string, take = 100) {
  return db.manualEdit.findMany({ where: { shop }, orderBy: { noticedAt: "desc" }, take });
}
