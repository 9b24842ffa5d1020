import { Badge, Scrollable, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Market } from "#app/offers/markets.ts";
import { useShop } from "#app/ui/shop.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import styles from "#app/ui/table.module.css";

const tones = { shown: "success", some: "info", none: undefined } as const;

/** In which markets of the shop insurance is offered, and why not in the others. */
export function MarketsCard({ markets }: { markets: Promise<Market[] | null> }) {
  const { t } = useTranslation("settings");
  const { currency } = useShop();
  return (
    <TitledCard title={t("markets.title")}>
      <Text as="p">{t("markets.body", { currency })}</Text>
      <Deferred value={markets}>{(found) => <MarketsTable markets={found} />}</Deferred>
    </TitledCard>
  );
}

/** undefined: being read; null: cannot be read */
function MarketsTable({ markets }: { markets: Market[] | null | undefined }) {
  const { t } = useTranslation("settings");
  const { currency } = useShop();
  if (!markets) {
    return (
      <Text as="p" tone="subdued">
        {t(markets === null ? "markets.unknown" : "markets.reading")}
      </Text>
    );
  }
  return (
    <Scrollable horizontal vertical={false} focusable>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("markets.market")}</th>
            <th scope="col">{t("markets.currency")}</th>
            <th scope="col">{t("markets.offers")}</th>
          </tr>
        </thead>
        <tbody>
          {markets.map(({ id, name, currency: own, offers }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{own ?? "–"}</td>
              <td>
                <Badge tone={tones[offers]}>{t(`markets.state.${offers}`, { currency })}</Badge>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
