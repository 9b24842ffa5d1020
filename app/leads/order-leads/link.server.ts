/**
 * The address of our own that leads to a quote. It is signed, and leads only to the page that the service gave for this
 * quote: nobody can have it lead elsewhere.
 */
import { env } from "#app/platform/env.server.ts";
import { signPart } from "#app/platform/signed-link.server.ts";

/** @param linkId of an OrderLead */
export function linkOf(shop: string, linkId: string): string {
  return `${env.SHOPIFY_APP_URL}/quotes/${shop}/${signPart("quote links", shop, linkId)}`;
}
