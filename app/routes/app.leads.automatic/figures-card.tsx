import { Box } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { LeadFigure } from "#app/leads/order-leads/rows.server.ts";
import { BY_STAFF, leadDelays } from "#app/leads/order-leads/quotes.ts";
import { LearnMore } from "#app/ui/learn-more.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

const counted = ["made", "opened", "sold"] as const;
const ended = ["expired", "withdrawn", "unknown"] as const;

/** Outcomes of automatic quotes, by product and delay. */
export function FiguresCard({ figures }: { figures: LeadFigure[] }) {
  const { t } = useTranslation("automaticLeads");
  const { format, currency } = useShop();
  const number = (name: (typeof counted | typeof ended)[number]) => ({
    title: t(`figures.column.${name}`),
    kind: "number" as const,
  });
  return (
    <TitledList title={t("figures.title")}>
      <ListTable
        columns={[
          { title: t("figures.column.product") },
          { title: t("figures.column.delay"), kind: "short" },
          ...counted.map(number),
          { title: t("figures.column.amount"), kind: "number" },
          ...ended.map(number),
        ]}
        rows={figures.map((figure, index) => {
          const delay = ([BY_STAFF, ...leadDelays] as const).find((hours) => hours === figure.delayHours);
          return {
            key: String(index),
            cells: [
              figure.productTitle,
              delay === undefined ? String(figure.delayHours) : t(`settings.delays.h${delay}`),
              ...counted.map((name) => format.number(figure[name])),
              format.money(figure.soldMinor, currency),
              ...ended.map((name) => format.number(figure[name])),
            ],
          };
        })}
      />
      <Box padding="400">
        <LearnMore text={t("figures.more")} />
      </Box>
    </TitledList>
  );
}
