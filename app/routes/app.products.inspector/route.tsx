/**
 * The offer inspector, "Why is there no offer here?": each step from the connection to the shopper's screen. The
 * theme's preview links here: `?variant=…&touchpoint=…&currency=…`.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useFetcher, useLoaderData, useNavigation } from "@remix-run/react";
import {
  Autocomplete,
  Banner,
  BlockStack,
  Card,
  FormLayout,
  Icon,
  InlineStack,
  Link,
  Select,
  SkeletonBodyText,
  Text,
} from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, MinusCircleIcon, XCircleIcon } from "@shopify/polaris-icons";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readInspectorInput } from "#app/offers/inspector/inspector.server.ts";
import {
  blockingStep,
  inspectOffer,
  type InspectorInput,
  type InspectorStep,
  type InspectorStepName,
} from "#app/offers/inspector/inspector.ts";
import { type StorefrontTouchpoint, storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { loader as variantsLoader } from "../app.products.variants.tsx";
import { variantName } from "#app/shopify/variant-name.ts";
import { TechnicalDetail } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { useUrlFilters } from "#app/ui/period-filter.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useInspectorStepText } from "#app/ui/use-catalogue-texts.ts";

const inspectorQuery = z.object({
  variant: z.string().regex(/^\d+$/).nullable().catch(null),
  touchpoint: z.enum(storefrontTouchpoints).catch("product_page"),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .catch(null),
});

export async function loader({ request }: LoaderFunctionArgs) {
  const { merchant } = await requireMerchant(request);
  const query = inspectorQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { variant: variantId, touchpoint, currency } = query;
  if (variantId === null) return { query, result: null };
  const input = await readInspectorInput(merchant, { variantId, touchpoint, currency });
  const steps = inspectOffer(input);
  return { query, result: { product: input.product, steps, blocking: blockingStep(steps) } };
}

export default function Inspector() {
  const { query, result } = useLoaderData<typeof loader>();
  const { state, location } = useNavigation();
  const isLoading = state === "loading" && location.pathname === "/app/products/inspector";
  return (
    <ProductsPage>
      <InspectorForm query={query} />
      {isLoading ? (
        <Card>
          <SkeletonBodyText lines={9} />
        </Card>
      ) : (
        result && <InspectorSteps {...result} />
      )}
    </ProductsPage>
  );
}

interface InspectorFormProps {
  query: { variant: string | null; touchpoint: StorefrontTouchpoint };
}

/** The variant and the touchpoint, kept in the URL. */
function InspectorForm({ query }: InspectorFormProps) {
  const { t } = useTranslation("products");
  const url = useUrlFilters(["variant", "touchpoint"]);

  return (
    <TitledCard title={t("inspector.title")} help={t("inspector.body")}>
      <FormLayout>
        <FormLayout.Group>
          <VariantField onChoose={(variant) => url.set("variant", variant)} />
          <Select
            label={t("inspector.where")}
            options={storefrontTouchpoints.map((value) => ({
              value,
              label: t(`inspector.touchpoints.${value}`),
            }))}
            value={query.touchpoint}
            onChange={(touchpoint) => url.set("touchpoint", touchpoint)}
          />
        </FormLayout.Group>
      </FormLayout>
    </TitledCard>
  );
}

/** Searches a product by its title and lists its variants. */
function VariantField({ onChoose }: { onChoose: (variantId: string) => void }) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const { load, data, state } = useFetcher<typeof variantsLoader>();
  const [typed, setTyped] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === "") return;
    const timer = setTimeout(() => load(`/app/products/variants?query=${encodeURIComponent(wanted)}`), 250);
    return () => clearTimeout(timer);
  }, [wanted, load]);
  const isAnswered = state === "idle" && data?.query === wanted;
  const variants = isAnswered ? data.variants : [];
  return (
    <Autocomplete
      options={variants.map(({ variantId, title, priceMinor }) => ({
        value: variantId,
        label: `${title} (${format.money(priceMinor, currency)})`,
      }))}
      selected={[]}
      loading={wanted !== "" && !isAnswered}
      onSelect={([variantId]) => {
        const chosen = variants.find((variant) => variant.variantId === variantId);
        if (!chosen) return;
        setTyped(chosen.title);
        onChoose(chosen.variantId);
      }}
      textField={
        <Autocomplete.TextField
          label={t("inspector.product")}
          placeholder={t("inspector.placeholder")}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      }
    />
  );
}

interface InspectorStepsProps {
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

/** The page that corrects each step. */
const places: Partial<Record<InspectorStepName, string>> = {
  connection: "/app/connection",
  category: "/app/products",
  price: "/app/catalogue",
  reference: "/app/catalogue",
  variant: "/app/catalogue",
  touchpoint: "/app/touchpoints",
  insurer: "/app/connection",
};

/** Whether shoppers see an offer, and each step before it. */
function InspectorSteps({ product, steps, blocking }: InspectorStepsProps) {
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

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
