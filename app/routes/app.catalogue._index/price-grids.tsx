import { BlockStack, Icon, InlineStack, Text } from "@shopify/polaris";
import { AlertTriangleIcon, ClockIcon } from "@shopify/polaris-icons";
import { Fragment, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PriceGrid, toPriceGrids } from "#app/catalogue/references/price-grid.ts";
import type { ListedReference } from "#app/catalogue/references/reference-list.ts";
import {
  ReferencePayment,
  ReferenceProblem,
  ReferenceStateBadge,
  ReferenceVariant,
} from "#app/ui/reference-cells.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { usePriceBandText } from "#app/ui/use-catalogue-texts.ts";
import styles from "./price-grids.module.css";

/** The prices of a category, one grid for each formula. A price opens what is known of its reference. */
export function PriceGrids({ references }: { references: ListedReference[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return toPriceGrids(references).map((grid) => (
    <Grid key={grid.formula} grid={grid} open={open} onOpen={setOpen} />
  ));
}

interface GridProps {
  grid: PriceGrid;
  /** the id of the reference whose details are shown; null: none */
  open: string | null;
  onOpen: (referenceId: string | null) => void;
}

function Grid({ grid: { formula, terms, bands }, open, onOpen }: GridProps) {
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  const details = useId();
  return (
    <BlockStack gap="200">
      {formula !== null && (
        <Text as="h3" variant="headingSm">
          {formula}
        </Text>
      )}
      <div className={styles.box}>
        <table className={styles.grid}>
          <caption>
            <Text as="span" visuallyHidden>
              {formula === null ? t("grid.caption") : `${formula}: ${t("grid.caption")}`}
            </Text>
          </caption>
          <thead>
            <tr>
              <th scope="col">{t("column.band")}</th>
              {terms.map((count) => (
                <th key={count} scope="col">
                  {t("term.months", { count })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bands.map(({ minMinor, maxMinor, currency, cells }) => {
              const opened = cells.flat().find(({ referenceId }) => referenceId === open);
              return (
                <Fragment key={`${minMinor} ${maxMinor} ${currency}`}>
                  <tr>
                    <th scope="row">{bandText(minMinor, maxMinor, currency)}</th>
                    {cells.map((references, index) => (
                      <td key={terms[index]}>
                        {references.length === 0 && (
                          <Text as="span" tone="subdued">
                            –
                          </Text>
                        )}
                        {references.map((reference) => (
                          <Price
                            key={reference.referenceId}
                            reference={reference}
                            isOpen={reference === opened}
                            controls={details}
                            onClick={() => onOpen(reference === opened ? null : reference.referenceId)}
                          />
                        ))}
                      </td>
                    ))}
                  </tr>
                  {opened && (
                    <tr>
                      <td colSpan={terms.length + 1} className={styles.details}>
                        <div id={details}>
                          <Details reference={opened} />
                        </div>
                      </td>
                    </tr>
                  )}
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </BlockStack>
  );
}

interface PriceProps {
  reference: ListedReference;
  isOpen: boolean;
  /** the id of the details */
  controls: string;
  onClick: () => void;
}

function Price({ reference, isOpen, controls, onClick }: PriceProps) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const { priceMinor, currency, billing, state, variant } = reference;
  const price = format.money(priceMinor, currency);
  const isOther = variant !== null && variant.priceMinor !== priceMinor;
  return (
    <button
      type="button"
      className={state === "on_sale" ? styles.price : styles.unsold}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={onClick}
    >
      {(state === "withheld" || (state === "on_sale" && isOther)) && (
        <Icon source={AlertTriangleIcon} tone="caution" />
      )}
      {state === "not_synced" && <Icon source={ClockIcon} tone="subdued" />}
      {billing === "monthly" ? t("grid.monthly", { price }) : price}
      {state !== "on_sale" && (
        <Text as="span" visuallyHidden>
          {t(`state.${state}`)}
        </Text>
      )}
    </button>
  );
}

/** The reference behind a price: whether the shop sells it and why not, and its variant. */
function Details({ reference }: { reference: ListedReference }) {
  return (
    <InlineStack gap={{ xs: "200", sm: "600" }}>
      <BlockStack gap="050">
        <Text as="span" fontWeight="medium" breakWord>
          {reference.referenceId}
        </Text>
        <Text as="span" tone="subdued" breakWord>
          {reference.title}
        </Text>
      </BlockStack>
      <ReferencePayment reference={reference} />
      <BlockStack gap="100" inlineAlign="start">
        <ReferenceStateBadge state={reference.state} />
        <ReferenceProblem reference={reference} />
      </BlockStack>
      <ReferenceVariant reference={reference} />
    </InlineStack>
  );
}
