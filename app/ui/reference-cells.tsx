import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedReference, ReferenceState } from "#app/catalogue/references/reference-list.ts";
import { useShop } from "./shop.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { useProblemText } from "./use-catalogue-texts.ts";
import { usePaymentText } from "./use-plan-texts.ts";

const tones = { on_sale: "success", not_synced: "info", withheld: "warning" } as const;

export function ReferenceStateBadge({ state }: { state: ReferenceState }) {
  const { t } = useTranslation("catalogue");
  const labels = {
    on_sale: t("state.on_sale"),
    not_synced: t("state.not_synced"),
    withheld: t("state.withheld"),
    vanished: t("state.vanished"),
  };
  return <StatusBadge status={state} labels={labels} tones={tones} />;
}

/** The price, and its wording for shoppers. */
export function ReferencePayment({ reference }: { reference: ListedReference }) {
  const [price, rest] = usePaymentText()(reference);
  return (
    <BlockStack>
      <Text as="span">{price}</Text>
      <Text as="span" tone="subdued">
        {rest}
      </Text>
    </BlockStack>
  );
}

/** Why the shop does not sell the reference. */
export function ReferenceProblem({
  reference: { state, problem, problemDetail },
}: {
  reference: ListedReference;
}) {
  const say = useProblemText();
  if (state !== "withheld" || problem === null) return null;
  return (
    <Text as="span" tone="subdued" breakWord>
      {say(problem, problemDetail)}
    </Text>
  );
}

/** The variant that sells the reference, with its price if that differs. */
export function ReferenceVariant({
  reference: { referenceId, variant, priceMinor, currency },
}: {
  reference: ListedReference;
}) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  if (variant === null) return <Text as="span">–</Text>;
  return (
    <BlockStack>
      <Link
        url={`shopify://admin/products/${variant.productId}/variants/${variant.variantId}`}
        target="_top"
        accessibilityLabel={t("variantOf", { reference: referenceId })}
      >
        {t("variant")}
      </Link>
      {variant.priceMinor !== priceMinor && (
        <Text as="span" tone="caution">
          {t("otherPrice", { price: format.money(variant.priceMinor, currency) })}
        </Text>
      )}
    </BlockStack>
  );
}
