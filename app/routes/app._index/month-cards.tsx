import { BlockStack, Box, Card, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { LightbulbIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { AttachmentMonth, AttachmentSummary } from "#app/analytics/attachment.server.ts";
import { attachmentRate } from "#app/analytics/attachment.ts";
import { Chart } from "#app/ui/chart.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useSuggestionText } from "#app/ui/use-suggestion-text.ts";
import styles from "./home.module.css";

/** How insurance sold in the last thirty days: three numbers, what they suggest, and the premiums by day. */
export function MonthCards({ sales: { today, month, days, suggestion } }: { sales: AttachmentMonth }) {
  const { t } = useTranslation(["home", "analytics"]);
  const { format, currency } = useShop();
  const say = useSuggestionText();
  const start = days[0]?.day ?? "";
  const rateOf = (sales: AttachmentSummary) => {
    const rate = attachmentRate(sales);
    return rate === null ? "–" : format.percent(rate);
  };
  const figures = [
    {
      name: "premium" as const,
      url: `/app/analytics?start=${start}`,
      write: ({ premiumMinor }: AttachmentSummary) => format.money(premiumMinor, currency),
    },
    {
      name: "orders" as const,
      url: `/app/orders?start=${start}`,
      write: ({ insuredOrders }: AttachmentSummary) => format.number(insuredOrders),
    },
    { name: "rate" as const, url: `/app/analytics?start=${start}`, write: rateOf },
  ];
  const title = (
    <Text as="h2" variant="headingMd">
      {t("month")}
    </Text>
  );
  if (month.eligible === 0) {
    return (
      <Card>
        <BlockStack gap="200">
          {title}
          <Text as="p" tone="subdued">
            {t("noSale")}
          </Text>
        </BlockStack>
      </Card>
    );
  }
  return (
    <>
      <Card>
        <BlockStack gap="400">
          {title}
          <dl className={styles.figures}>
            {figures.map(({ name, url, write }) => (
              <div key={name}>
                <dt>
                  <Link url={url} removeUnderline>
                    {t(`figure.${name}`)}
                  </Link>
                </dt>
                <dd>
                  <BlockStack gap="050">
                    <Text as="span" variant="headingLg" numeric>
                      {write(month)}
                    </Text>
                    <Text as="span" variant="bodySm" tone="subdued">
                      {t("figure.today", { value: write(today) })}
                    </Text>
                  </BlockStack>
                </dd>
              </div>
            ))}
          </dl>
          <Text as="p" variant="bodySm" tone="subdued">
            {t("figure.help", {
              paid: format.number(month.paid),
              eligible: format.number(month.eligible),
            })}
          </Text>
          {suggestion && (
            <Box background="bg-surface-secondary" borderRadius="200" padding="300">
              <InlineStack gap="200" wrap={false} blockAlign="start">
                <span>
                  <Icon source={LightbulbIcon} tone="subdued" />
                </span>
                <Text as="p">{say(suggestion)}</Text>
              </InlineStack>
            </Box>
          )}
        </BlockStack>
      </Card>
      {month.premiumMinor > 0 && (
        <Chart
          kind="lines"
          isLow
          title={t("premiums")}
          labelTitle={t("analytics:attachment.label.day")}
          rows={days.map(({ day, premiumMinor }) => ({
            id: day,
            label: format.date(day),
            values: { premium: premiumMinor },
          }))}
          series={[
            {
              key: "premium",
              label: t("figure.premium"),
              format: (minor) => format.money(minor, currency),
            },
          ]}
        />
      )}
    </>
  );
}
