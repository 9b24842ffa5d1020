import { Banner, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { AdjustedPriceList } from "#app/offers/price-lists.server.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useActionResult, useAction, useToast } from "#app/ui/use-action.ts";
import type { FixPricesResult } from "../app.touchpoints_.prices.tsx";

/** The markets where a plan costs another price than its offer shows, each with the way to the shown price. */
export function AdjustedPricesBanner({ priceLists }: { priceLists: readonly AdjustedPriceList[] | null }) {
  const { t } = useTranslation("touchpoints");
  if (!priceLists || priceLists.length === 0) return null;
  return (
    <Banner tone="warning" title={t("adjusted.title")}>
      <BlockStack gap="200">
        <Text as="p">{t("adjusted.body")}</Text>
        {priceLists.map((priceList) => (
          <AdjustedMarket key={priceList.id} {...priceList} />
        ))}
      </BlockStack>
    </Banner>
  );
}

function AdjustedMarket({ id, name, percent, plansToFix }: AdjustedPriceList) {
  const { t, i18n } = useTranslation("touchpoints");
  const fetcher = useAction<FixPricesResult>();
  const toast = useToast();
  const showError = useErrorBanner();
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t("adjusted.fixed", { name }));
    else showError(t(`adjusted.problem.${result.reason}`));
  });
  const change = new Intl.NumberFormat(i18n.language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 2,
  }).format(percent / 100);
  return (
    <InlineStack gap="300" align="space-between" blockAlign="center">
      <Text as="p">{t("adjusted.market", { name, change, count: plansToFix })}</Text>
      <Button
        loading={fetcher.state !== "idle"}
        onClick={() =>
          fetcher.submit({ priceList: id }, { method: "post", action: "/app/touchpoints/prices" })
        }
        accessibilityLabel={t("adjusted.fixIn", { name })}
      >
        {t("adjusted.fix")}
      </Button>
    </InlineStack>
  );
}
