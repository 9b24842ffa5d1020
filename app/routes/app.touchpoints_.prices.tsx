/** /app/touchpoints/prices: writes the plans' prices into a market's price list as fixed ones. */
import { z } from "zod";
import { pageAction } from "#app/merchants/guard.server.ts";
import { fixPlanPrices } from "#app/offers/price-lists.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { log } from "#app/platform/log.server.ts";
import { AccessDenied, AdminRefused, ShopError } from "#app/shopify/errors.ts";
import { type ActionResult, refused, success } from "#app/ui/action-result.ts";

const form = z.object({ priceList: z.string().regex(/^\d{1,20}$/) });
export type FixPricesProblem = "no_permission" | "refused" | "shop_unavailable";
export type FixPricesResult = ActionResult<string, FixPricesProblem>;

export const action = pageAction(async ({ request }, { shop, merchant, actor }): Promise<FixPricesResult> => {
  const { priceList } = await parseForm(request, form);
  try {
    await fixPlanPrices(merchant, priceList, actor);
    return success(priceList);
  } catch (error) {
    if (!(error instanceof ShopError)) throw error;
    log.warn({ err: error, shop }, `Failed to write fixed prices of plans into price list ${priceList}`);
    return refused(problemOf(error));
  }
});

function problemOf(error: ShopError): FixPricesProblem {
  if (error instanceof AccessDenied) return "no_permission";
  return error instanceof AdminRefused ? "refused" : "shop_unavailable";
}

export { clientAction } from "#app/ui/client-action.ts";
