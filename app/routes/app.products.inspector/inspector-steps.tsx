import { Banner, BlockStack, Card, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, MinusCircleIcon, XCircleIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { InspectorInput, InspectorStep, InspectorStepName } from "#app/offers/inspector/inspector.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TechnicalDetail } from "#app/ui/details.tsx";
import { useInspectorStepText } from "#app/ui/use-catalogue-texts.ts";
import { variantName } from "#app/shopify/variant-name.ts";

interface Props {
  product: InspectorInput["product"];
  steps: InspectorStep[];
  blocking: InspectorStep | null;
}

const signs = {
  ok: { source: CheckCircleIcon, tone: "success" },
  warns: { source: AlertTriangleIcon, tone: "caution" },
  blocks: { source: XCircleIcon, tone: "critical" },
  skipped: { source: MinusCircleIcon, tone: "subdued" },
} as const;

/** Where each step is put right. */
const places: Partial<Record<InspectorStepName, string>> = {
  connection: "/app/connection",
  category: "/app/products",
  price: "/app/catalogue",
  reference: "/app/catalogue",
  variant: "/app/catalogue",
  touchpoint: "/app/touchpoints",
  service: "/app/connection",
};

/** Whether an offer is shown, and each step that leads there. */
export function InspectorSteps({ product, steps, blocking }: Props) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const textOf = useInspectorStepText();
  return (
    <Card>
      <div aria-live="polite">
        <BlockStack gap="400">
          {product && (
            <Text as="h2" variant="headingMd">
              {`${variantName(product.title, product.variantTitle)}, ${format.money(product.priceMinor, currency)}`}
            </Text>
          )}
          <Banner tone={blocking ? "warning" : "success"}>
            <Text as="p">
              {blocking ? t("inspector.blocked", { reason: textOf(blocking) }) : t("inspector.shown")}
            </Text>
          </Banner>
          <BlockStack as="ol" gap="300">
            {steps.map((step) => {
              const place = places[step.step];
              const { reason } = step.values;
              const isWrong = step.state === "blocks" || step.state === "warns";
              return (
                <li key={step.step}>
                  <InlineStack gap="200" blockAlign="start" wrap={false}>
                    <span>
                      <Icon
                        source={signs[step.state].source}
                        tone={signs[step.state].tone}
                        accessibilityLabel={t(`inspector.state.${step.state}`)}
                      />
                    </span>
                    <BlockStack gap="050">
                      <Text as="h3" variant="headingSm">
                        {t(`inspector.step.${step.step}`)}
                      </Text>
                      <Text as="p" breakWord>
                        {textOf(step)}
                      </Text>
                      {typeof reason === "string" && <TechnicalDetail>{reason}</TechnicalDetail>}
                      {isWrong && place !== undefined && (
                        <Link url={place}>{t(`inspector.fix.${step.step}`)}</Link>
                      )}
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
