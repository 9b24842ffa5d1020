/** Variants whose product's title holds `?query=`, for a field that is being typed in. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { findVariantsByTitle } from "#app/catalogue/product-categories/product-list.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const query = new URL(request.url).searchParams.get("query") ?? "";
  return { query, variants: await findVariantsByTitle(shop, query) };
}
