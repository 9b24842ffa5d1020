/** Every other address inside the app: the page that says so, with a way back. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMerchant(request);
  throw Response.json(null, { status: 404 });
}

/** Never shown: the loader always throws. A route with a component answers with a page. */
export default function Missing() {
  return null;
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
