/** Touchpoints: where and how the shop offers insurance. A saved change shows in the storefront at once. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { Banner, BlockStack } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { listUnsoldPlaces } from "#app/catalogue/runs/runs.server.ts";
import { missingInsurerTexts } from "#app/merchants/law.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { readMerchantSettings, readSaleRule, versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { readCartSection } from "#app/offers/cart.server.ts";
import { readCheckoutRule } from "#app/offers/checkout-rule.server.ts";
import type { CheckoutRuleState } from "#app/offers/checkout-rule.ts";
import { updateStorefrontSettings } from "#app/offers/checkout/publish-checkout.server.ts";
import { checkoutEditorLink, editorLink } from "#app/offers/editor-links.ts";
import { riskNames } from "#app/locales/customers/index.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { readPreviewSample } from "#app/offers/preview/sample.server.ts";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import { readAdjustedPriceLists } from "#app/offers/price-lists.server.ts";
import { type StorefrontTouchpoint, storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import {
  storefrontLanguage,
  storefrontSettings,
  type StorefrontSettings,
} from "#app/offers/storefront-settings.ts";
import { listFormulaTexts, readTextGaps } from "#app/offers/text-gaps.server.ts";
import type { FormulaTexts } from "#app/offers/text-gaps.ts";
import { env } from "#app/platform/env.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { type ActionResult, invalid, refused, success } from "#app/ui/action-result.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TabbedPage } from "#app/ui/tabbed-page.tsx";
import { TextGapsBanner } from "#app/ui/text-gaps-banner.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { usePlacement } from "#app/ui/use-placement.ts";
import { useTouchpointText } from "#app/ui/use-plan-texts.ts";
import { CoversCard, DeadlineBanner, TermOrderCard, TextsCard } from "./offer-cards.tsx";
import { AfterPurchaseCard, CheckoutCard, StaffCard, TouchpointCard } from "./placement-cards.tsx";
import { PlaceLayout, Preview } from "./preview.tsx";
import { AdjustedPricesBanner, RuleCard, UnsoldBanner } from "./shop-cards.tsx";
import {
  addressOf,
  defaultTexts,
  type ExtensionTextsByLanguage,
  type Place,
  placeIn,
  places,
  invalidPart,
  useSettingsText,
} from "./touchpoint-settings.ts";
import { Permitted } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const [settings, sample, categories, { withdrawalDays }, unsold] = await Promise.all([
    readStorefrontSettings(shop),
    readPreviewSample(shop, merchant.environment),
    listFormulaTexts(shop, merchant.environment),
    readMerchantSettings(shop),
    listUnsoldPlaces(shop),
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
    riskNames,
    links,
    editors: {
      checkout: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "checkout"),
      afterPurchase: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "order-status"),
    },
    hasPlusFeatures: merchant.hasPlusFeatures,
    cartSection: readCartSection(shop),
    rule: readCheckoutRule(shop),
    unsold,
    priceLists: readAdjustedPriceLists(merchant),
  };
}

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<TouchpointsActionResult> => {
    const entered = storefrontSettings.safeParse(await parseJson(request, anyObject));
    if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
    const isLive = [merchant.environment, merchant.nextEnvironment].includes("production");
    const facts = {
      ...entered.data,
      country: merchant.country,
      countries: (await readSaleRule(shop)).countries,
    };
    if (isLive && missingInsurerTexts(facts).length > 0) return refused("insurer_needed");
    const state = await updateStorefrontSettings(shop, entered.data, actor, versionIn(request));
    return state === "changed_elsewhere" ? refused(state) : success(state);
  },
);

export default function Touchpoints() {
  const { settings, gaps, priceLists, unsold, ...loaded } = useLoaderData<typeof loader>();
  const { t } = useTranslation("touchpoints");
  const [search] = useSearchParams();
  const place = placeIn(search);
  const language = storefrontLanguage.nullable().catch(null).parse(search.get("language"));
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
      {/* The texts' own page names in its fields what is missing. */}
      {place !== "texts" && <Deferred value={gaps}>{(found) => <TextGapsBanner gaps={found} />}</Deferred>}
      <Deferred value={priceLists}>
        {(adjusted) => <AdjustedPricesBanner priceLists={adjusted ?? null} />}
      </Deferred>
      <UnsoldBanner places={unsold} />
      <TouchpointsForm place={place} saved={settings} language={language} {...loaded} />
    </TabbedPage>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";

/** `not_shown`: saved, but Shopify does not answer; a job writes it to the shop later. */
export type TouchpointsActionResult = ActionResult<
  "saved" | "not_shown",
  "changed_elsewhere" | "insurer_needed",
  keyof StorefrontSettings,
  "malformed"
>;

interface Props {
  place: Place;
  saved: StorefrontSettings;
  version: string;
  sample: PreviewSample | null;
  categories: FormulaTexts[];
  withdrawalDays: number;
  /** the language to begin with; null: the admin's language */
  language: string | null;
  extensionTexts: ExtensionTextsByLanguage;
  riskNames: typeof riskNames;
  links: Map<StorefrontTouchpoint, string>;
  /** addresses of the checkout and accounts editor */
  editors: { checkout: string; afterPurchase: string };
  /** the shop can show apps' blocks in its checkout */
  hasPlusFeatures: boolean;
  cartSection: Promise<string | null>;
  rule: Promise<CheckoutRuleState | null>;
}

/** All settings of the storefront, saved together. */
export function TouchpointsForm(props: Props) {
  const { place, saved, version, sample, categories, withdrawalDays, extensionTexts } = props;
  const { links, editors, cartSection, rule } = props;
  const { t } = useTranslation(["touchpoints", "common"]);
  const { locale } = useShop();
  const { placement } = usePlacement();
  const toast = useToast();
  const fetcher = useAction<TouchpointsActionResult>();
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(saved, version);
  const settingsText = useSettingsText(categories);
  const [language, setLanguage] = useState<string>(props.language ?? locale);
  // The link of a warning on another tab changes the language in the URL.
  const [linked, setLinked] = useState(props.language);
  if (props.language !== linked) {
    setLinked(props.language);
    if (props.language !== null) setLanguage(props.language);
  }
  const [invalidIn, setInvalidIn] = useState<ReturnType<typeof invalidPart> | null>(null);
  const [asking, setAsking] = useState(false);
  const touchpointText = useTouchpointText();
  const switchedOff = [...storefrontTouchpoints, "checkout" as const].filter(
    (name) => saved.touchpoints[name].on && !draft.touchpoints[name].on,
  );
  const defaults = defaultTexts(
    sample,
    extensionTexts[readLanguage(language) ?? "en"],
    language === draft.language,
  );
  const result = fetcher.data;

  useActionResult(result, (next) => {
    if (next.state === "success" && next.value === "saved") toast(t("saved"));
  });

  function save() {
    const given = storefrontSettings.safeParse(draft);
    setInvalidIn(given.success ? null : invalidPart(given.error));
    if (!given.success) return;
    setDraft(given.data);
    fetcher.submit(JSON.stringify(given.data), {
      method: "post",
      encType: "application/json",
      action: startSave(given.data),
    });
  }

  const touchpointCard = (name: StorefrontTouchpoint) => (
    <TouchpointCard
      name={name}
      draft={draft}
      onChange={setDraft}
      editor={links.get(name) ?? ""}
      placement={placement}
      cartSection={cartSection}
    />
  );
  const preview = (name: StorefrontTouchpoint) =>
    draft.touchpoints[name].on && <Preview name={name} draft={draft} language={language} sample={sample} />;

  return (
    <BlockStack gap="400">
      <FormSaveBar
        id="touchpoints"
        open={isChanged}
        saving={fetcher.state !== "idle"}
        onSave={() => (switchedOff.length > 0 ? setAsking(true) : save())}
        onDiscard={() => {
          discard();
          setInvalidIn(null);
        }}
      />
      <ConfirmModal
        open={asking}
        title={t("off.title", { touchpoints: switchedOff.map(touchpointText).join(", ") })}
        body={t("off.body")}
        confirm={t("off.action")}
        destructive
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
      {conflict && <ChangedElsewhere conflict={conflict} describe={settingsText} />}
      {(invalidIn !== null || result?.state === "invalid") && (
        <Banner tone="critical">{t(`invalid.${invalidIn ?? "texts"}`)}</Banner>
      )}
      {result?.state === "refused" && result.reason === "insurer_needed" && (
        <Banner tone="critical">{t("insurerNeeded")}</Banner>
      )}
      {result?.state === "success" && result.value === "not_shown" && !isChanged && (
        <Banner tone="warning">{t("notShown")}</Banner>
      )}
      <DeadlineBanner draft={draft} categories={categories} days={withdrawalDays} />
      {place === "product_page" && (
        <PlaceLayout head={touchpointCard("product_page")} preview={preview("product_page")}>
          <TermOrderCard draft={draft} onChange={setDraft} sample={sample} />
        </PlaceLayout>
      )}
      {place === "cart" && (
        <PlaceLayout
          head={
            <>
              {touchpointCard("cart")}
              {touchpointCard("mini_cart")}
            </>
          }
          preview={
            <BlockStack gap="400">
              {preview("cart")}
              {preview("mini_cart")}
            </BlockStack>
          }
        />
      )}
      {place === "texts" && (
        <PlaceLayout
          head={
            <TextsCard
              draft={draft}
              onChange={setDraft}
              defaults={defaults}
              categories={categories}
              language={language}
              onLanguage={setLanguage}
            />
          }
          preview={preview("product_page")}
        >
          <section id="covers">
            <CoversCard
              categories={categories}
              first={sample?.category.id}
              language={language}
              risks={props.riskNames}
              draft={draft}
              onChange={setDraft}
            />
          </section>
        </PlaceLayout>
      )}
      {place === "checkout" && (
        <>
          {props.hasPlusFeatures && (
            <Permitted>
              <CheckoutCard
                draft={draft}
                onChange={setDraft}
                editor={editors.checkout}
                placement={placement}
              />
            </Permitted>
          )}
          <RuleCard rule={rule} />
        </>
      )}
      {place === "after_purchase" && (
        <AfterPurchaseCard editor={editors.afterPurchase} placement={placement} />
      )}
      {place === "staff" && <StaffCard />}
    </BlockStack>
  );
}
