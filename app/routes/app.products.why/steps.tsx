import { Banner, BlockStack, Card, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, MinusCircleIcon, XCircleIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { WhyFacts, WhyStep, WhyStepName } from "#app/offers/inspector/inspector.ts";
import { useShop } from "#app/ui/shop.tsx";
import { useWhyWords } from "./use-why-words.ts";

interface Props {
  product: WhyFacts["product"];
  steps: WhyStep[];
  blocking: WhyStep | null;
}

const signs = {
  ok: { source: CheckCircleIcon, tone: "success" },
  warns: { source: AlertTriangleIcon, tone: "caution" },
  blocks: { source: XCircleIcon, tone: "critical" },
  skipped: { source: MinusCircleIcon, tone: "subdued" },
} as const;

/** Where each step is put right. */
const places: Partial<Record<WhyStepName, string>> = {
  connection: "/app/connection",
  category: "/app/products",
  price: "/app/catalogue",
  reference: "/app/catalogue",
  variant: "/app/catalogue",
  touchpoint: "/app/touchpoints",
  service: "/app/connection",
};

/** The answer: shown or not, and each step that leads there. */
export function Steps({ product, steps, blocking }: Props) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const say = useWhyWords();
  return (
    <Card>
      <div aria-live="polite">
        <BlockStack gap="400">
          {product && (
            <Text as="h2" variant="headingMd">
              {`${product.title} – ${product.variantTitle}, ${format.money(product.priceMinor, currency)}`}
            </Text>
          )}
          <Banner tone={blocking ? "warning" : "success"}>
            <Text as="p">{blocking ? t("why.blocked", { reason: say(blocking) }) : t("why.shown")}</Text>
          </Banner>
          <BlockStack as="ol" gap="300">
            {steps.map((step) => {
              const place = places[step.step];
              const isWrong = step.state === "blocks" || step.state === "warns";
              return (
                <li key={step.step}>
                  <InlineStack gap="200" blockAlign="start" wrap={false}>
                    <span>
                      <Icon
                        source={signs[step.state].source}
                        tone={signs[step.state].tone}
                        accessibilityLabel={t(`why.state.${step.state}`)}
                      />
                    </span>
                    <BlockStack gap="050">
                      <Text as="h3" variant="headingSm">
                        {t(`why.step.${step.step}`)}
                      </Text>
                      <Text as="p" breakWord>
                        {say(step)}
                      </Text>
                      {isWrong && place !== undefined && <Link url={place}>{t(`why.fix.${step.step}`)}</Link>}
                    </BlockStack>
                  </InlineStack>
                </li>
              );
            })}
          </BlockStack>
        </BlockStack>
      </div>
    </Card>
  );
}
