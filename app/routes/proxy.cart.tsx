/** POST /apps/parasol/cart: what a cart needs so that plans and products fit (docs/offers-proxy.openapi.yaml). */
import type { ActionFunctionArgs } from "@remix-run/node";
import { bodyLimits, withLimitedBody } from "#app/platform/body.server.ts";
import { cartLines } from "#app/offers/cart.ts";
import { checkCart } from "#app/offers/cart.server.ts";
import { inShopSlot } from "#app/shopify/proxy-limits.server.ts";
import { readProxyRequest } from "#app/shopify/proxy.server.ts";

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const received = await readProxyRequest(request, context);
  if (received instanceof Response) return received;
  const { shop } = received;
  const limited = await withLimitedBody(request, bodyLimits.proxy);
  const body: unknown = await limited.json().catch(() => null);
  const given = cartLines.safeParse(body);
  if (!given.success) return Response.json({ error: "lines: up to 500 lines of a cart" }, { status: 400 });
  const { lines } = given.data;
  const answer = await inShopSlot(shop, lines.length, () => checkCart(shop, lines));
  if (!answer) return Response.json({ error: "This shop does not have the app" }, { status: 404 });
  return Response.json(answer, { headers: { "cache-control": "no-store" } });
}
