import { Box, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Market } from "#app/offers/markets.ts";
import { useShop } from "#app/ui/shop.tsx";

/** Below the list, whose products are offered insurance elsewhere: the markets where no product is. */
export function OtherMarkets({ markets }: { markets: readonly Market[] }) {
  const { t } = useTranslation("products");
  const { currency } = useShop();
  const names = markets.filter(({ offers }) => offers === "none").map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Box padding="400">
      <Text as="p" tone="subdued">
        {t("list.otherMarkets", { currency, markets: names.join(", ") })}{" "}
        <Link url="/app/settings#markets">{t("list.toMarkets")}</Link>
      </Text>
    </Box>
  );
}
