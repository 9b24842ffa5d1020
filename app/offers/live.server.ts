/**
 * Live offers of the service for one product: cached for minutes, asked for once however many shoppers wait for the
 * same answer, and served stale while the service is away.
 */
import { LRUCache } from "lru-cache";
import type { Offer } from "#app/insurance/offer.ts";
import { serviceFor } from "#app/merchants/connection.server.ts";
import { InsuranceError } from "#app/insurance/errors.ts";

export interface LiveQuestion {
  shop: string;
  categoryId: string;
  /** the spec's product reference */
  variantId: string;
  priceCents: number;
}

/** The shop has no account at the service. */
export class NotConnected extends Error {
  override name = "NotConnected";
}

const FRESH_MS = 5 * 60_000;

const answers = new LRUCache<string, Offer[], LiveQuestion>({
  max: 20_000,
  ttl: FRESH_MS,
  allowStaleOnFetchRejection: true,
  noDeleteOnFetchRejection: true,
  fetchMethod: async (_key, _stale, { context }) => {
    const access = await serviceFor(context.shop);
    if (!access) throw new NotConnected(`${context.shop} is not connected`);
    return access.client.offers.list({
      categoryId: context.categoryId,
      productReferenceId: context.variantId,
      productPriceCents: context.priceCents,
    });
  },
});

export type LiveAnswer =
  { ok: true; offers: Offer[] } | { ok: false; reason: "not_connected" | "service_unreachable" };

export async function liveOffers(environment: string, question: LiveQuestion): Promise<LiveAnswer> {
  const { shop, categoryId, variantId, priceCents } = question;
  const key = JSON.stringify([shop, environment, categoryId, variantId, priceCents]);
  try {
    const offers = await answers.fetch(key, { context: question });
    return { ok: true, offers: (offers ?? []).filter((offer) => offer.category_id === categoryId) };
  } catch (error) {
    if (error instanceof NotConnected) return { ok: false, reason: "not_connected" };
    if (error instanceof InsuranceError) return { ok: false, reason: "service_unreachable" };
    throw error;
  }
}

/** Forgets every answer, such as after the catalogue was synced. */
export function forgetLiveOffers(): void {
  answers.clear();
}
