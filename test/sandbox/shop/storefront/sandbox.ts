/** What the storefront needs of a shop: the part of ShopSandbox that it reads. */
import type { ShopSandbox } from "../sandbox.ts";

export type StorefrontSandbox = Pick<
  ShopSandbox,
  "state" | "shopDomain" | "apiKey" | "apiSecret" | "appUrl" | "extensionDir" | "app"
>;
