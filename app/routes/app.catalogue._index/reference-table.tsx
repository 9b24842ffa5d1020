import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedReference } from "#app/catalogue/references/reference-list.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { usePaymentText } from "#app/ui/use-plan-texts.ts";
import { usePriceBandText, useProblemText } from "#app/ui/use-catalogue-texts.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { WithdrawImportedButton } from "#app/ui/withdraw-imported-button.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

const tones = { on_sale: "success", not_synced: "info", withheld: "warning" } as const;

interface Props {
  /** the account whose references these are */
  environment: Environment;
  references: ListedReference[];
}

export function ReferenceTable({ environment, references }: Props) {
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  const labels = {
    on_sale: t("state.on_sale"),
    not_synced: t("state.not_synced"),
    withheld: t("state.withheld"),
    vanished: t("state.vanished"),
  };
  return (
    <ListTable
      columns={[
        { title: t("column.reference") },
        { title: t("column.category") },
        { title: t("column.term"), kind: "short" },
        { title: t("column.band"), kind: "short" },
        { title: t("column.price"), kind: "number" },
        { title: t("column.state") },
        { title: t("column.variant") },
      ]}
      rows={references.map((reference) => ({
        key: reference.referenceId,
        cells: [
          <BlockStack>
            <Text as="span" fontWeight="medium">
              {reference.referenceId}
            </Text>
            <Remarks environment={environment} reference={reference} />
          </BlockStack>,
          reference.categoryId,
          t("term.months", { count: reference.termMonths }),
          bandText(reference.bandMinMinor, reference.bandMaxMinor, reference.currency),
          <Payment reference={reference} />,
          <BlockStack gap="100" inlineAlign="start">
            <StatusBadge status={reference.state} labels={labels} tones={tones} />
            <Problem reference={reference} />
          </BlockStack>,
          <Variant reference={reference} />,
        ],
      }))}
    />
  );
}

/** The price, and what is said of it to shoppers. */
function Payment({ reference }: { reference: ListedReference }) {
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

function Remarks({ environment, reference }: { environment: Environment; reference: ListedReference }) {
  const { forProducts, isImported, referenceId } = reference;
  const { t } = useTranslation("catalogue");
  const remarks = [
    ...(forProducts > 0 ? [t("forProducts", { count: forProducts })] : []),
    ...(isImported ? [t("fromFile")] : []),
  ];
  if (remarks.length === 0) return null;
  return (
    <BlockStack inlineAlign="start">
      <Text as="span" tone="subdued">
        {remarks.join(" · ")}
      </Text>
      {isImported && <WithdrawImportedButton environment={environment} reference={referenceId} count={1} />}
    </BlockStack>
  );
}

/** Why it is held back. */
function Problem({ reference: { state, problem, problemDetail } }: { reference: ListedReference }) {
  const say = useProblemText();
  if (state !== "withheld" || problem === null) return null;
  return (
    <Text as="span" tone="subdued" breakWord>
      {say(problem, problemDetail)}
    </Text>
  );
}

/** The variant that sells it, with its price where that is another one. */
function Variant({
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
