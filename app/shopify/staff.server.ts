/** Who a member of the shop's staff is, as the platform tells the app without a scope of its own. */
import { abstractFetch } from "@shopify/shopify-api/runtime";
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";

const TIMEOUT_MS = 2_000;

const answer = z.object({
  associated_user: z.object({
    id: z.number(),
    first_name: z.string().max(200),
    last_name: z.string().max(200),
    email: z.string().max(320),
  }),
});

/**
 * The name of the person whose session token this is, or their e-mail address: the platform says it with an online
 * access token (shopify.dev, "Token exchange"), which is not kept. Null where it does not answer in time.
 */
export async function fetchStaffName(shop: string, staffId: string, token: string): Promise<string | null> {
  try {
    const response = await abstractFetch(`https://${shop}/admin/oauth/access_token`, {
      method: "POST",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        client_id: env.SHOPIFY_API_KEY,
        client_secret: env.SHOPIFY_API_SECRET,
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: token,
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: "urn:shopify:params:oauth:token-type:online-access-token",
      }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const { associated_user: user } = answer.parse(await response.json());
    if (String(user.id) !== staffId) return null;
    return [user.first_name, user.last_name].filter(Boolean).join(" ") || user.email;
  } catch (error) {
    const isNoAnswer = error instanceof TypeError || error instanceof DOMException;
    if (isNoAnswer || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
