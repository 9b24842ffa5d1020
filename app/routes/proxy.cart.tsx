/**
 * POST /apps/parasol/cart: the plans and products of a cart that do not match, with the corrections
 * (docs/offers-proxy.openapi.yaml).
 */
import type { ActionFunctionArgs } from "@remix-run/node";
import { bodyLimits, withLimitedBody } from "#app/platform/body.server.ts";
import { cartLines, sentCart } from "#app/offers/cart.ts";
import { checkCart } from "#app/offers/cart.server.ts";
import { inShopSlot } from "#app/shopify/proxy-limits.server.ts";
import { readProxyRequest } from "#app/shopify/proxy.server.ts";

export async function action({ request, context }: ActionFunctionArgs): Promise<Response> {
  const received = await readProxyRequest(request, context);
  if (received instanceof Response) return received;
  const { shop } = received;
  const limited = await withLimitedBody(request, bodyLimits.proxy);
  const text = await limited.text();
  const sent = sentCart.safeParse(parseBody(text));
  if (!sent.success) return malformed();
  // Limits the number of lines before parsing them, because parsing costs time.
  const cost = Math.max(sent.data.lines.length, Math.ceil(text.length / LINE_LENGTH));
  return inShopSlot(shop, cost, async () => {
    const lines = cartLines.safeParse(sent.data.lines);
    if (!lines.success) return malformed();
    const answer = await checkCart(shop, lines.data, sent.data.buyer);
    if (!answer) return Response.json({ error: "This shop does not have the app" }, { status: 404 });
    return Response.json(answer, { headers: { "cache-control": "no-store" } });
  });
}

/** The size of a line with its properties as the storefront sends it. A longer line counts as several. */
const LINE_LENGTH = 512;

const malformed = () =>
  Response.json(
    { error: "lines: up to 500 lines of a cart; buyer: country, postcode, company, currency" },
    { status: 400 },
  );

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
