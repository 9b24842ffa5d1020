import { BlockStack, Box, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { AttachmentSummary } from "#app/plans/attachment/rows.server.ts";
import { attachmentRate } from "#app/plans/attachment/overview.ts";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import { useShop } from "#app/ui/shop.tsx";

/** How insurance sold in a period. */
export function SalesSummary({ title, sales }: { title: string; sales: AttachmentSummary }) {
  const { t } = useTranslation("home");
  const { format, currency } = useShop();
  const rate = attachmentRate(sales);
  return (
    <BlockStack gap="200">
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
      </Box>
      <MetricCards
        metrics={[
          {
            label: t("figure.rate"),
            value: rate === null ? "–" : format.percent(rate),
            help:
              rate === null
                ? t("figure.noRate")
                : t("figure.rateHelp", {
                    paid: format.number(sales.paid),
                    eligible: format.number(sales.eligible),
                  }),
          },
          {
            label: t("figure.orders"),
            value: format.number(sales.insuredOrders),
            help: t("figure.ordersHelp"),
          },
          {
            label: t("figure.premium"),
            value: format.money(sales.premiumMinor, currency),
            help: t("figure.premiumHelp"),
          },
        ]}
      />
    </BlockStack>
  );
}
