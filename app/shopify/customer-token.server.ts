/**
 * Authenticates requests of the customer account extensions: Shopify's session token names the customer and the shop.
 * No session is loaded, because a customer's view must not depend on one.
 */
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { tooManyRequests } from "#app/platform/request-limit.server.ts";
import { shopify } from "./app.server.ts";
import { numericId } from "./gid.ts";
import { shopDomainPattern } from "./shop-domain.ts";
import { countCustomerRequest } from "./proxy-limits.server.ts";

/**
 * The claims of a signed-in customer's token. The library checks the signature and the existing times, but not the
 * audience. Staff tokens have the same secret: their `sub` is a number and their issuer is the admin.
 */
const customerClaims = z
  .object({
    // Both forms, with and without a scheme, are documented.
    dest: z.string().regex(new RegExp(`^(?:https://)?${shopDomainPattern}/?$`)),
    aud: z.literal(env.SHOPIFY_API_KEY),
    sub: z.string().regex(/^gid:\/\/shopify\/Customer\/\d{1,20}$/),
    exp: z.number(),
    iss: z
      .string()
      .refine((issuer) => !/\/admin\/?$/.test(issuer))
      .optional(),
  })
  // The issuer's format is not documented; if it names a shop, it must be the same shop.
  .refine(({ iss = "", dest }) => issuingShop(iss) === null || issuingShop(iss) === issuingShop(dest))
  .transform(({ dest, sub }) => ({
    shop: dest.replace(/^https:\/\//, "").replace(/\/$/, ""),
    customerId: numericId(sub),
  }));

const issuerPattern = new RegExp(`^(?:https://)?(${shopDomainPattern})(?:/|$)`);

/** The shop in an address; null: none. */
function issuingShop(address: string): string | null {
  return issuerPattern.exec(address)?.[1] ?? null;
}

export type CustomerRequest =
  | {
      type: "authenticated";
      shop: string;
      /** Shopify's id of the customer */
      customerId: string;
      /** builds a response that the extension may read */
      answer: (body: unknown, status?: number) => Response;
    }
  | { type: "refused"; response: Response };

/**
 * Verifies the token and counts the request (proxy-limits.server.ts).
 * @throws Response to a browser's preflight request (OPTIONS)
 */
export async function authenticateCustomer(request: Request): Promise<CustomerRequest> {
  if (request.method === "OPTIONS") {
    await shopify.authenticate.public.customerAccount(request);
  }
  try {
    const { sessionToken } = await shopify.authenticate.public.customerAccount(request);
    const claims = customerClaims.safeParse(sessionToken);
    if (!claims.success) return refusal(401);
    const { shop, customerId } = claims.data;
    const retryAfter = await countCustomerRequest(shop, customerId);
    if (retryAfter !== null) return { type: "refused", response: readable(tooManyRequests(retryAfter)) };
    return { type: "authenticated", shop, customerId, answer };
  } catch (thrown) {
    if (thrown instanceof Response) return refusal(thrown.status);
    throw thrown;
  }
}

function refusal(status: number): CustomerRequest {
  return { type: "refused", response: answer({ error: "Only a signed-in customer is answered" }, status) };
}

function answer(body: unknown, status = 200): Response {
  return readable(Response.json(body, { status, headers: { "cache-control": "no-store" } }));
}

/** Extensions run on an origin of Shopify. No cookie is sent, so any origin may read a response to a valid token. */
export function readable(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  return response;
}
