/** The app's URL. Shopify opens it with the shop's parameters; it redirects to the admin's home. */
import { redirect } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";

export function loader({ request }: LoaderFunctionArgs): Response {
  const { search } = new URL(request.url);
  if (search !== "") return redirect(`/app${search}`);
  return new Response("Parasol is opened from the admin of a Shopify shop.", {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
