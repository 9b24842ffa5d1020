/**
 * GET /covers/:shop?checkout=token, for the thank-you page (extensions/cover), which Shopify gives no metafield of the
 * order: the cover as the order's page shows it. The checkout's token, which Shopify gives to its buyer alone, is the
 * key, and the cover holds nothing personal.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { findMerchant } from "#app/merchants/merchant.server.ts";
import { counterOf, countRequest, tooManyRequests } from "#app/platform/request-limit.server.ts";
import { readable } from "#app/shopify/customer-token.server.ts";
import { readOrNull } from "#app/shopify/graphql.server.ts";
import { findCoverOfCheckout } from "#app/shopify/order-query.server.ts";

const checkoutToken = z.string().regex(/^\w{8,64}$/);

/** Limits per client and per shop, because each request costs a query to Shopify. A page sends six at most. */
const ofClient = new RateLimiterMemory({ points: 30, duration: 600 });
const ofShop = new RateLimiterMemory({ points: 600, duration: 60 });

export async function loader({ request, params }: LoaderFunctionArgs): Promise<Response> {
  const merchant = await findMerchant(params["shop"] ?? "");
  const token = checkoutToken.safeParse(new URL(request.url).searchParams.get("checkout"));
  if (merchant?.uninstalledAt !== null || !token.success) return answer(null, 404);
  const { shop } = merchant;
  const retryAfter =
    (await countRequest(ofClient, `${shop} ${counterOf(request)}`)) ?? (await countRequest(ofShop, shop));
  if (retryAfter !== null) return readable(tooManyRequests(retryAfter));
  const cover = await readOrNull(shop, "the cover of a checkout", (signal) =>
    findCoverOfCheckout(shop, token.data, signal),
  );
  return answer(cover);
}

const answer = (cover: string | null, status = 200): Response =>
  readable(Response.json({ cover }, { status, headers: { "cache-control": "no-store" } }));
