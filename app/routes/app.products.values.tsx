/** The vendors or tags that the shop's products have (`?field=`), for a rule that is being made. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { z } from "zod";
import { listProductValues } from "#app/catalogue/product-categories/product-store.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { badRequest } from "#app/platform/form.server.ts";
import { answerOr } from "#app/ui/client-action.ts";

const fields = z.enum(["vendor", "tag"]);

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const parsed = fields.safeParse(new URL(request.url).searchParams.get("field"));
  if (!parsed.success) throw badRequest();
  return { field: parsed.data, values: await listProductValues(shop, parsed.data) };
}

/** Without an answer the field has no suggestions; thrown, the error would take the page's place. */
export function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return answerOr<{ field: string | null; values: string[] }>(serverLoader<typeof loader>(), () => ({
    field: new URL(request.url).searchParams.get("field"),
    values: [],
  }));
}
