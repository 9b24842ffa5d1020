/** Touchpoints: where and how the shop offers insurance. What is saved is in the storefront at once. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { readMerchantSettings, versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { readCartSection } from "#app/offers/cart.server.ts";
import { readCheckoutRule } from "#app/offers/checkout-rule.server.ts";
import { checkoutEditorLink, editorLink } from "#app/offers/editor-links.ts";
import { readAdjustedPriceLists } from "#app/offers/price-lists.server.ts";
import { checkProxyPath } from "#app/offers/proxy-check.server.ts";
import { readPreviewSample } from "#app/offers/preview/sample.server.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { updateStorefrontSettings } from "#app/offers/update-settings.server.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { env } from "#app/platform/env.server.ts";
import { listFormulaTexts, readTextGaps } from "#app/offers/text-gaps.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { TabbedPage } from "#app/ui/tabbed-page.tsx";
import { TextGapsBanner } from "#app/ui/text-gaps-banner.tsx";
import { AdjustedPricesBanner } from "./shop-cards.tsx";
import { addressOf, placeIn, places } from "./touchpoint-settings.ts";
import { TouchpointsForm } from "./touchpoints-form.tsx";
import type { TouchpointsActionResult } from "./touchpoints-form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const [settings, sample, categories, { withdrawalDays }] = await Promise.all([
    readStorefrontSettings(shop),
    readPreviewSample(shop, merchant.environment),
    listFormulaTexts(shop, merchant.environment),
    readMerchantSettings(shop),
  ]);
  const links = new Map(
    storefrontTouchpoints.map((name) => [name, editorLink(shop, env.SHOPIFY_API_KEY, name)]),
  );
  return {
    settings,
    version: versionOf(settings),
    sample,
    categories,
    withdrawalDays,
    gaps: readTextGaps(shop, merchant.environment, settings),
    extensionTexts,
    links,
    editors: {
      checkout: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "checkout"),
      afterPurchase: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "order-status"),
    },
    hasPlusFeatures: merchant.hasPlusFeatures,
    cartSection: readCartSection(shop),
    proxy: checkProxyPath(shop, settings.proxy),
    rule: readCheckoutRule(shop),
    priceLists: readAdjustedPriceLists(merchant),
  };
}

export const action = pageAction(async ({ request }, { shop, actor }): Promise<TouchpointsActionResult> => {
  const entered = storefrontSettings.safeParse(await parseJson(request, anyObject));
  if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
  const state = await updateStorefrontSettings(shop, entered.data, actor, versionIn(request));
  return state === "changed_elsewhere" ? refused(state) : success(state);
});

export default function Touchpoints() {
  const { settings, gaps, priceLists, ...loaded } = useLoaderData<typeof loader>();
  const { t } = useTranslation("touchpoints");
  const [search] = useSearchParams();
  const place = placeIn(search);
  const language = readLanguage(search.get("language"));
  return (
    <TabbedPage
      title={t("title")}
      subtitle={t("subtitle")}
      fullWidth
      tabs={places.map((each) => ({
        address: addressOf(each),
        label: t(`place.${each}`),
        isCurrent: each === place,
      }))}
    >
      <Deferred value={gaps}>{(found) => <TextGapsBanner gaps={found} />}</Deferred>
      <Deferred value={priceLists}>
        {(adjusted) => <AdjustedPricesBanner priceLists={adjusted ?? null} />}
      </Deferred>
      <TouchpointsForm place={place} saved={settings} language={language} {...loaded} />
    </TabbedPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
