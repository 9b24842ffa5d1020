/**
 * `POST /admin/oauth/access_token`: token exchange (session token for access token) and refresh, in the shapes that
 * @shopify/shopify-api 15 sends and reads.
 */
import { type Context, Hono } from "hono";
import { z } from "zod";
import type { ServedByNode } from "#test/sandbox/faults.ts";
import { staffMember } from "../admin/staff.ts";
import type { ShopSandbox } from "../sandbox.ts";
import { readSessionToken } from "./session-token.ts";
import { offlineTokenSeconds, onlineTokenSeconds, refreshTokenSeconds } from "./tokens.ts";
import type { OfflineToken } from "./tokens.ts";

const client = { client_id: z.string(), client_secret: z.string() };
const request = z.discriminatedUnion("grant_type", [
  z.object({
    ...client,
    grant_type: z.literal("urn:ietf:params:oauth:grant-type:token-exchange"),
    subject_token: z.string(),
    subject_token_type: z.literal("urn:ietf:params:oauth:token-type:id_token"),
    requested_token_type: z.enum([
      "urn:shopify:params:oauth:token-type:offline-access-token",
      "urn:shopify:params:oauth:token-type:online-access-token",
    ]),
    expiring: z.enum(["0", "1"]).default("0"),
  }),
  z.object({ ...client, grant_type: z.literal("refresh_token"), refresh_token: z.string() }),
]);

export function tokenEndpoint(shopOf: (request: Request) => ShopSandbox | null): Hono<ServedByNode> {
  const app = new Hono<ServedByNode>();
  app.post("/admin/oauth/access_token", async (c) => {
    const shop = shopOf(c.req.raw);
    if (shop === null) return c.json({ error: "not_found", error_description: "there is no such shop" }, 404);
    return shop.faults.answer(["token"], () => giveToken(c, shop), c.env.outgoing);
  });
  return app;
}

async function giveToken(c: Context, shop: ShopSandbox): Promise<Response> {
  const form =
    c.req.header("content-type")?.includes("application/json") === true
      ? await c.req.json<unknown>()
      : await c.req.parseBody();
  const parsed = request.safeParse(form);
  const refuse = (error: string, error_description: string) => c.json({ error, error_description }, 400);
  if (!parsed.success) return refuse("invalid_request", z.prettifyError(parsed.error));
  const body = parsed.data;
  if (body.client_id !== shop.apiKey || body.client_secret !== shop.apiSecret)
    return refuse("application_cannot_be_found", "the client id or secret is wrong");
  if (shop.state.installation === null)
    return refuse("app_not_installed", "the app is not installed on this shop");
  // Whether Shopify lists scopes of the Customer Account API here is not documented: the stand-in does not.
  const scopes = shop.state.installation.scopes.filter((scope) => !scope.startsWith("customer_"));

  if (body.grant_type === "refresh_token") {
    const pair = shop.tokens.rotate(body.refresh_token, scopes);
    if (pair === null) return refuse("invalid_grant", "the refresh token is unknown, expired or retired");
    return c.json(offlineBody(pair));
  }
  const user = await readSessionToken(body.subject_token, shop);
  if (user === null) return refuse("invalid_subject_token", "the session token is not valid");
  if (body.requested_token_type === "urn:shopify:params:oauth:token-type:online-access-token") {
    const member = staffMember(user.userId);
    const own = scopes.filter((scope) => member.scopes === null || member.scopes.includes(scope));
    const token = shop.tokens.online(own);
    return c.json({
      access_token: token.token,
      scope: scopes.join(","),
      expires_in: onlineTokenSeconds,
      associated_user_scope: own.join(","),
      associated_user: {
        id: Number(user.userId),
        first_name: member.firstName,
        last_name: member.lastName,
        email: shop.state.email,
        account_owner: member.isOwner,
        locale: shop.state.locale,
        collaborator: false,
        email_verified: true,
      },
    });
  }
  // Public apps created since April 2026 get expiring offline tokens only.
  if (body.expiring === "0") return refuse("invalid_request", "offline tokens must be expiring");
  return c.json(offlineBody(shop.tokens.offline(scopes)));
}

function offlineBody(pair: OfflineToken) {
  return {
    access_token: pair.token,
    scope: pair.scopes.join(","),
    expires_in: offlineTokenSeconds,
    refresh_token: pair.refreshToken,
    refresh_token_expires_in: refreshTokenSeconds,
  };
}
