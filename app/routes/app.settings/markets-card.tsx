import { Badge, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Market } from "#app/offers/markets.ts";
import { useShop } from "#app/ui/shop.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { TitledCard, TitledList } from "#app/ui/titled-card.tsx";

const tones = { shown: "success", some: "info", none: undefined } as const;

/** In which markets of the shop insurance is offered, and why not in the others. */
export function MarketsCard({ markets }: { markets: Promise<Market[] | null> }) {
  return <Deferred value={markets}>{(found) => <Markets found={found} />}</Deferred>;
}

/** @param found undefined: being read; null: cannot be read */
function Markets({ found }: { found: Market[] | null | undefined }) {
  const { t } = useTranslation("settings");
  const { currency } = useShop();
  const head = { title: t("markets.title"), help: t("markets.body", { currency }) };
  if (!found) {
    return (
      <TitledCard {...head}>
        <Text as="p">{t(found === null ? "markets.unknown" : "markets.reading")}</Text>
      </TitledCard>
    );
  }
  return (
    <TitledList {...head}>
      <ListTable
        columns={[
          { title: t("markets.market") },
          { title: t("markets.currency"), kind: "short" },
          { title: t("markets.offers"), kind: "short" },
        ]}
        rows={found.map(({ id, name, currency: own, offers }) => ({
          key: id,
          cells: [
            name,
            own,
            <Badge tone={tones[offers]}>{t(`markets.state.${offers}`, { currency })}</Badge>,
          ],
        }))}
      />
    </TitledList>
  );
}
