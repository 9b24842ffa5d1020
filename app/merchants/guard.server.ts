/**
 * Authenticates every admin page by its session token, and checks the staff member's permissions (permissions.ts).
 * Routes get the shop only from here.
 */
import type { ActionFunctionArgs } from "@remix-run/node";
import type { AdminApiContext } from "@shopify/shopify-app-remix/server";
import { type Actor, staff } from "#app/audit/actor.ts";
import { readStaff, type StaffMember } from "#app/audit/staff.server.ts";
import { type Locale, readLocale } from "#app/platform/locale.ts";
import { authenticateAdminRequest } from "#app/shopify/admin-request.server.ts";
import { adminScopes } from "#app/shopify/configuration.server.ts";
import { ensureMerchant, saveLocale } from "./lifecycle.server.ts";
import type { Merchant } from "./merchant.ts";
import {
  type ActRefusals,
  isGranted,
  isRead,
  neededPermission,
  permissions,
  refusalOf,
  type Permission,
  type Refusal,
} from "./permissions.ts";
import { readMerchantSettings } from "./settings.server.ts";

export interface MerchantContext {
  /** `demo.myshopify.com`, from the session token */
  shop: string;
  merchant: Merchant;
  /** who sent the request, for the audit log */
  actor: Actor;
  /** the same person, with their permissions from Shopify */
  member: StaffMember;
  /** the scopes that the shop has granted to the app */
  granted: string[];
  /** the Admin API, with the shop's access token */
  admin: AdminApiContext;
  locale: Locale;
}

/**
 * The first line of every admin loader. Without a valid session token the library throws a Response (401, or a
 * redirect to the page that fetches one): do not catch it.
 * @throws Response 403 if scopes or the staff member's permissions are missing, 404 for a URL with an invalid
 * character; `PageError` shows both
 */
export async function requireMerchant(request: Request): Promise<MerchantContext> {
  const { refusal, ...context } = await admit(request);
  if (refusal !== null) throw Response.json({ refusal }, { status: 403 });
  return context;
}

/**
 * Wraps every admin action. A refused permission is returned as the action's data: if it were thrown, Remix would
 * replace the page by its error page, and the form's input would be lost. `useAction` shows it above the page.
 * @throws Response like `requireMerchant`, except for this refusal
 */
export function pageAction<Value>(
  act: (args: ActionFunctionArgs, context: MerchantContext) => Promise<Value>,
) {
  return async (args: ActionFunctionArgs): Promise<Value | Response> => {
    const { refusal, ...context } = await admit(args.request);
    return refusal === null ? act(args, context) : Response.json({ refusal }, { status: 403 });
  };
}

async function admit(request: Request): Promise<MerchantContext & { refusal: Refusal | null }> {
  const { missing, ...context } = await authenticateAdmin(request);
  if (missing.length > 0) throw Response.json({ missing }, { status: 403 });
  // PostgreSQL text cannot contain this character, so no id or name does.
  if (request.url.includes("%00")) throw Response.json(null, { status: 404 });
  const { method, url } = request;
  const refusal = await findRefusal(context, {
    permission: neededPermission(new URL(url).pathname, method),
    isRead: isRead(method),
  });
  return { ...context, refusal };
}

/** Whether the staff member may see content that needs the permission, for a page that shows only a part of it. */
export async function canSee(context: MerchantContext, permission: Permission): Promise<boolean> {
  return (await findRefusal(context, { permission, isRead: true })) === null;
}

/** What the staff member may not do, so that pages disable it. */
export async function readActRefusals(context: MerchantContext): Promise<ActRefusals> {
  const refusals: ActRefusals = {};
  for (const permission of permissions) {
    const refusal = await findRefusal(context, { permission, isRead: false });
    if (refusal !== null) refusals[permission] = refusal;
  }
  return refusals;
}

async function findRefusal(
  { shop, member, granted }: MerchantContext,
  needed: { permission: Permission | null; isRead: boolean },
) {
  const isOfSetting = needed.permission === "connection" && !member.isOwner;
  const managers = isOfSetting ? (await readMerchantSettings(shop)).connectionManagers : "owner";
  return refusalOf(member, needed, granted, managers);
}

/**
 * Like `requireMerchant`, for the frame around the pages, which has to render to show the missing scopes. It shows
 * only the shop's name, language and formats.
 */
export async function authenticateAdmin(request: Request): Promise<MerchantContext & { missing: string[] }> {
  const { admin, session, sessionToken } = await authenticateWithRetry(request);
  const granted = (session.scope ?? "").split(",");
  const missing = adminScopes().filter((scope) => !isGranted(scope, granted));
  const merchant = await ensureMerchant(session.shop);
  const member = await readStaff({
    shop: session.shop,
    staffId: sessionToken.sub,
    appScopes: granted,
    request,
  });
  const requested = readLocale(new URL(request.url).searchParams.get("locale"));
  if (requested !== null && requested !== merchant.locale) await saveLocale(session.shop, requested);
  return {
    missing,
    shop: session.shop,
    merchant,
    actor: staff(sessionToken.sub),
    member,
    granted,
    admin,
    locale: requested ?? merchant.locale,
  };
}

/** The library requests the access token once, and a lost response would show an error page, so this retries once. */
async function authenticateWithRetry(request: Request) {
  try {
    return await authenticateAdminRequest(request);
  } catch (thrown) {
    if (!(thrown instanceof Response) || thrown.status !== 500) throw thrown;
    return authenticateAdminRequest(request);
  }
}
