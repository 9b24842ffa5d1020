/** Variants whose product's title holds `?query=`, for a field that is being typed in. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { findVariantsByTitle } from "#app/catalogue/product-categories/product-list.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { answerOr } from "#app/ui/client-action.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const query = new URL(request.url).searchParams.get("query") ?? "";
  return { query, variants: await findVariantsByTitle(shop, query) };
}

/** Without an answer nothing is found; thrown, the error would take the page's place. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return answerOr(serverLoader<typeof loader>(), () => ({
    query: new URL(request.url).searchParams.get("query") ?? "",
    variants: [],
  }));
}
