/** The "not found" page of the admin, with a way back. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMerchant(request);
  throw Response.json(null, { status: 404 });
}

/** The loader always throws, so this never renders. Remix answers with a page only if the route has a component. */
export default function Missing() {
  return null;
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
