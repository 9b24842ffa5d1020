/** The URL of the app's page in the iframe, with the parameters that the real admin adds and signs. */
import { createHmac } from "node:crypto";
import type { ShopSandbox } from "../sandbox.ts";
import { SESSION_ID, staffSessionToken } from "./staff.ts";

/** `demo` of `demo.myshopify.com` */
export function storeHandle(shopDomain: string): string {
  return shopDomain.replace(/\.myshopify\.com$/, "");
}

/** The admin's identifier for App Bridge and the app's server: base64 of `admin.shopify.com/store/<handle>`. */
export function hostParameter(shopDomain: string): string {
  return Buffer.from(`admin.shopify.com/store/${storeHandle(shopDomain)}`)
    .toString("base64")
    .replace(/=+$/, "");
}

/** `path` is the app's own, with its query: `/orders?page=2`. Null until the app's URL is known. */
export async function frameUrl(shop: ShopSandbox, path: string): Promise<string | null> {
  if (shop.appUrl === null) return null;
  const url = new URL(path, `${shop.appUrl}/`);
  const parameters: Record<string, string> = {
    embedded: "1",
    host: hostParameter(shop.shopDomain),
    id_token: await staffSessionToken(shop),
    locale: shop.state.locale,
    session: createHmac("sha256", shop.apiSecret).update(SESSION_ID).digest("hex"),
    shop: shop.shopDomain,
    timestamp: `${Math.floor(Date.now() / 1000)}`,
  };
  const signed = Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .sort((a, b) => a.localeCompare(b))
    .join("&");
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set("hmac", createHmac("sha256", shop.apiSecret).update(signed).digest("hex"));
  return url.toString();
}
