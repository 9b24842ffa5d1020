/**
 * The address of our own that leads to a quote. It is signed, and leads only to the page that the service gave for this
 * quote: nobody can have it lead elsewhere.
 */
import { env } from "#app/platform/env.server.ts";
import { readSignedPart, signPart } from "#app/platform/signed-part.server.ts";

/** @param linkId of an OrderLead */
export function linkOf(shop: string, linkId: string): string {
  return `${env.SHOPIFY_APP_URL}/quotes/${shop}/${signPart("quote links", shop, linkId)}`;
}

/** The `linkId` of an address's last part; null where it is none of ours. */
export function readLink(shop: string, part: string): string | null {
  return readSignedPart("quote links", shop, part);
}
