/** The part of ShopSandbox that the storefront reads. */
import type { ShopSandbox } from "../sandbox.ts";

export type StorefrontSandbox = Pick<
  ShopSandbox,
  "state" | "shopDomain" | "apiKey" | "apiSecret" | "appUrl" | "extensionDir" | "app" | "elsewhere"
>;
