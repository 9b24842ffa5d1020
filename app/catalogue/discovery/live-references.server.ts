/** Saves references of live offers that the catalogue does not know yet. A run then adds them to the shop. */
import { LRUCache } from "lru-cache";
import type { Offer } from "#app/insurance/offers.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { SoldReference } from "#app/catalogue/sync/compact-catalogue.ts";
import { referenceFromOffer } from "#app/catalogue/references/reference.ts";
import { type ReferenceProblemKind } from "#app/catalogue/references/reference-problems.ts";
import { saveReferences } from "#app/catalogue/references/references.server.ts";
import { startRun } from "#app/catalogue/runs/runs.server.ts";
import { db } from "#app/platform/db.server.ts";

/** Problems that a run may solve. */
const curable = ["not_written", "variant_limit", "no_documents"] satisfies ReferenceProblemKind[];

/** One run an hour is enough for new references, whatever the number of shoppers who see them. */
const recentRuns = new LRUCache<string, true>({ max: 10_000, ttl: 3_600_000 });

/**
 * @param store the store of the offers
 * @param sold the offers that the shop sells already
 */
export async function saveLiveReferences(
  shop: string,
  store: { environment: Environment; storeId: string },
  variantId: string,
  offers: readonly Offer[],
  sold: readonly SoldReference[],
): Promise<void> {
  const { environment } = store;
  const news = offers
    .filter((offer) => !sold.some((each) => isKnown(each, offer, variantId)))
    .map((offer) => referenceFromOffer(offer, [variantId]));
  let changes = 0;
  for (const categoryId of new Set(news.map((reference) => reference.categoryId))) {
    const categoryReferences = news.filter((reference) => reference.categoryId === categoryId);
    const saved = await saveReferences(shop, store, categoryId, categoryReferences, false);
    // The connected store has changed, so these offers are not for its catalogue.
    if (saved === null) return;
    changes += saved.added + saved.changed;
  }
  const missing = offers.filter(
    (offer) =>
      !sold.some(
        ({ referenceId, shopPriceMinor }) =>
          referenceId === offer.referenceId && shopPriceMinor === offer.priceMinor,
      ),
  );
  const key = `${shop} ${environment}`;
  if (missing.length === 0 || recentRuns.has(key)) return;
  // A run cannot solve other problems, such as the sale rule.
  const ids = [...new Set(missing.map(({ referenceId }) => referenceId))];
  const where = { shop, environment, referenceId: { in: ids }, problem: { notIn: curable } };
  const isWithheld = changes === 0 && (await db.reference.count({ where })) === ids.length;
  if (isWithheld || recentRuns.has(key)) return;
  recentRuns.set(key, true);
  await startRun(shop, "catalogue", "live");
}

function isKnown(sold: SoldReference, offer: Offer, variantId: string): boolean {
  const { referenceId, priceMinor, productReferenceIds: own } = sold;
  return (
    referenceId === offer.referenceId &&
    priceMinor === offer.priceMinor &&
    (own.length === 0 || own.includes(variantId))
  );
}
