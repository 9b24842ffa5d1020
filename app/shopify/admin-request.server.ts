/**
 * The library's authentication of a request of the admin; a request that the library fails at is refused and not
 * reported as an error of the app.
 */
import { ShopifyError } from "@shopify/shopify-api";
import { env } from "#app/platform/env.server.ts";
import { shopify } from "./app.server.ts";
import { withStaffTokenAlone } from "./staff-token.ts";

/**
 * @throws Response: 400 for an address that no page of the app links to; else the library's (401, or a redirect to the
 * page that fetches a session token): do not catch it
 */
export async function authenticateAdminRequest(received: Request) {
  const { searchParams } = new URL(received.url);
  if (searchParams.getAll("shopify-reload").some((address) => !isOwn(address)))
    throw new Response(null, { status: 400 });
  const request = withStaffTokenAlone(received);
  try {
    return await shopify.authenticate.admin(request);
  } catch (thrown) {
    if (isOfAddress(thrown, new URL(request.url))) throw new Response(null, { status: 400 });
    throw thrown;
  }
}

/** App Bridge goes there with a session token, on whatever page it is loaded: anybody can send staff such a link. */
function isOwn(address: string): boolean {
  return URL.parse(address, env.SHOPIFY_APP_URL)?.origin === new URL(env.SHOPIFY_APP_URL).origin;
}

/** The library decodes `host` without a check, and leaves the frame only for its own addresses and the platform's. */
function isOfAddress(thrown: unknown, { pathname }: URL): boolean {
  const isUndecodable = thrown instanceof DOMException && thrown.name === "InvalidCharacterError";
  return isUndecodable || (pathname === "/auth/exit-iframe" && thrown instanceof ShopifyError);
}
