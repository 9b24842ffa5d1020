/** /auth/*: the pages with which the Shopify library gets a session token and leaves the frame. */
import { redirect } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { authenticateAdminRequest } from "#app/shopify/admin-request.server.ts";

export async function loader({ request }: LoaderFunctionArgs): Promise<Response | null> {
  // The library redirects here where a request names no shop.
  if (new URL(request.url).pathname === "/auth/login") return redirect("/");
  await authenticateAdminRequest(request);
  return null;
}
