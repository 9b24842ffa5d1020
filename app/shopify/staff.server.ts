/** Reads a staff member's identity from Shopify, which needs no scope of its own. */
import { abstractFetch } from "@shopify/shopify-api/runtime";
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";

const answer = z.object({
  /** the app's scopes that this person also has */
  associated_user_scope: z.string().max(5_000),
  associated_user: z.object({
    id: z.number(),
    first_name: z.string().max(200),
    last_name: z.string().max(200),
    email: z.string().max(320),
    account_owner: z.boolean(),
  }),
});

export interface FetchedStaff {
  /** or their e-mail address */
  name: string;
  scopes: string[];
  isOwner: boolean;
}

/**
 * The person of a session token and their permissions. Shopify sends them with an online access token (shopify.dev,
 * "Token exchange"), which is not stored. Null if Shopify does not answer in time.
 */
export async function fetchStaff(
  shop: string,
  staffId: string,
  token: string,
  timeoutMs: number,
): Promise<FetchedStaff | null> {
  try {
    const response = await abstractFetch(`https://${shop}/admin/oauth/access_token`, {
      method: "POST",
      signal: AbortSignal.timeout(timeoutMs),
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
    const { associated_user: user, associated_user_scope } = answer.parse(await response.json());
    if (String(user.id) !== staffId) return null;
    return {
      name: [user.first_name, user.last_name].filter(Boolean).join(" ") || user.email,
      scopes: associated_user_scope.split(",").map((scope) => scope.trim()),
      isOwner: user.account_owner,
    };
  } catch (error) {
    const isNoAnswer = error instanceof TypeError || error instanceof DOMException;
    if (isNoAnswer || error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
