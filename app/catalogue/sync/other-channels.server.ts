/**
 * Takes plan products off every channel but the online store. The platform puts new products on each channel that
 * publishes new ones by itself, and only the online store's pages sell a plan together with what it insures.
 */
import { UserErrors, joinMessages } from "#app/shopify/errors.ts";
import type { FoundProduct } from "./plan-product-state.ts";
import { unpublishProduct } from "./publication.server.ts";
import type { SyncContext } from "./sync-context.server.ts";

export async function leaveOtherChannels(
  { adminClient, report, signal }: SyncContext,
  products: readonly FoundProduct[],
): Promise<void> {
  for (const { productId, otherPublications } of products) {
    if (otherPublications.length === 0) continue;
    signal.throwIfAborted();
    try {
      await unpublishProduct(adminClient, productId, otherPublications);
      report.count("channels_left", otherPublications.length);
    } catch (error) {
      if (!(error instanceof UserErrors)) throw error;
      const detail = joinMessages(error.errors);
      await report.problems([{ productId, problem: "not_unpublished", detail }]);
    }
  }
}
