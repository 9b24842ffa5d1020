/**
 * GET /apps/parasol/offers?variants=1,2 on the storefront: live offers for products (app/offers/offers-response.ts). The
 * theme's blocks know the buyer themselves; other callers may add `country`, `postcode`, `company` and `currency`, and each
 * `language`, in which formulas are named.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { storefrontLanguage } from "#app/offers/storefront-settings.ts";
import { findOffersForVariants } from "#app/offers/offers.server.ts";
import { buyer } from "#app/offers/offers-response.ts";
import { inShopSlot } from "#app/shopify/proxy-limits.server.ts";
import { readProxyRequest } from "#app/shopify/proxy.server.ts";

/** A product page requests one variant, a full cart a few dozen. */
const variants = z
  .string()
  .transform((text) => [...new Set(text.split(",").map((id) => id.trim()))])
  .pipe(
    z
      .array(z.string().regex(/^\d{1,20}$/))
      .min(1)
      .max(50),
  );

/** A theme may write any language into its page. If it is not valid, formulas keep the insurer's names. */
const caller = buyer.extend({ language: storefrontLanguage.optional().catch(undefined) });

export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const received = await readProxyRequest(request, context);
  if (received instanceof Response) return received;
  const { shop, query } = received;
  const parsed = variants.safeParse(query.get("variants") ?? "");
  if (!parsed.success) {
    return Response.json({ error: "variants: up to 50 ids, separated by commas" }, { status: 400 });
  }
  const named = caller.safeParse(Object.fromEntries(query));
  if (!named.success)
    return Response.json({ error: "country, postcode, company or currency" }, { status: 400 });
  const answer = await inShopSlot(shop, parsed.data.length, () =>
    findOffersForVariants(shop, parsed.data, named.data),
  );
  if (!answer) return Response.json({ error: "This shop does not have the app" }, { status: 404 });
  return Response.json(answer, { headers: { "cache-control": "public, max-age=60" } });
}
