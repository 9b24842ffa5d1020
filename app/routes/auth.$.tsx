/** /auth/*: the pages with which the Shopify library gets a session token and leaves the frame. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { shopify } from "#app/shopify/app.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<null> {
  await shopify.authenticate.admin(request);
  return null;
}
