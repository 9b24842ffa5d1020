/**
 * The door of every admin page: who is asking, proven by the session token. A route takes the shop from here and from
 * nowhere else.
 */
import type { AdminApiContext } from "@shopify/shopify-app-remix/server";
import { readLocale } from "#app/platform/locale.ts";
import type { Locale } from "#app/platform/locale.ts";
import type { Merchant } from "#app/platform/prisma/client.ts";
import { shopify } from "#app/shopify/app.server.ts";
import { declaredScopes } from "#app/shopify/configuration.server.ts";
import { saveLocale, ensureMerchant } from "./merchant.server.ts";

export interface MerchantContext {
  /** `demo.myshopify.com`, as the session token proves it */
  shop: string;
  merchant: Merchant;
  /** the Admin API, with the shop's access token */
  admin: AdminApiContext;
  locale: Locale;
}

/**
 * The first line of every loader and action of the admin. The library's answers to a request without a valid session
 * token (401, or a redirect to the page that fetches one) are thrown as Responses: let them through.
 * @throws Response 403 where the merchant has not granted what the app needs, 404 for an address that names nothing;
 * `PageError` says so
 */
export async function requireMerchant(request: Request): Promise<MerchantContext> {
  const { missing, ...guarded } = await authenticateAdmin(request);
  if (missing.length > 0) throw Response.json({ missing }, { status: 403 });
  // The database's texts hold every character but this one, so nothing has it in its id or name.
  if (request.url.includes("%00")) throw Response.json(null, { status: 404 });
  return guarded;
}

/**
 * The same for the shell around the pages, which has to be there to say that something is not granted: `missing` names
 * the scopes. It shows nothing but the shop's own name, language and formats.
 */
export async function authenticateAdmin(request: Request): Promise<MerchantContext & { missing: string[] }> {
  const { admin, session } = await authenticateWithRetry(request);
  const missing = declaredScopes().filter((scope) => !isGranted(scope, session.scope ?? ""));
  const merchant = await ensureMerchant(session.shop);
  const asked = readLocale(new URL(request.url).searchParams.get("locale"));
  if (asked !== null && asked !== merchant.locale) await saveLocale(session.shop, asked);
  return {
    missing,
    shop: session.shop,
    merchant,
    admin,
    locale: asked ?? readLocale(merchant.locale) ?? "en",
  };
}

/** The library asks for an access token once, and a lost answer would be an error page: so it is asked twice. */
async function authenticateWithRetry(request: Request) {
  try {
    return await shopify.authenticate.admin(request);
  } catch (thrown) {
    if (!(thrown instanceof Response) || thrown.status !== 500) throw thrown;
    return shopify.authenticate.admin(request);
  }
}

/** The platform leaves out `read_x` where `write_x` is granted. */
function isGranted(scope: string, granted: string): boolean {
  const all = granted.split(",");
  return all.includes(scope) || (scope.startsWith("read_") && all.includes(scope.replace("read_", "write_")));
}
