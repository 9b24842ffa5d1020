import { BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryEntry, UnitView } from "#app/plans/orders/order-page.server.ts";
import { useNoteText } from "#app/ui/use-note-text.ts";
import { PlanStateBadge } from "#app/ui/plan-state-badge.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

interface Props {
  history: HistoryEntry[];
  units: UnitView[];
}

/** How many entries are shown at first: the latest. */
const SHOWN = 12;

/** What happened to each plan, latest first: when, why, at which attempt, and what the service answered. */
export function HistoryCard({ history, units }: Props) {
  const { t } = useTranslation("orders");
  const [all, setAll] = useState(false);
  if (history.length === 0) return null;
  const latestFirst = history.toReversed();
  return (
    <TitledList title={t("page.history")}>
      {(all ? latestFirst : latestFirst.slice(0, SHOWN)).map((entry) => (
        <Entry
          key={entry.id}
          entry={entry}
          position={
            units.length > 1
              ? units.findIndex(
                  ({ lineId, unitNumber }) => lineId === entry.lineId && unitNumber === entry.unitNumber,
                ) + 1
              : null
          }
        />
      ))}
      {!all && history.length > SHOWN && (
        <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
          <Button variant="plain" onClick={() => setAll(true)}>
            {t("history.all", { count: history.length })}
          </Button>
        </Box>
      )}
    </TitledList>
  );
}

interface EntryProps {
  entry: HistoryEntry;
  /** which plan of the order it is about; null where there is one only */
  position: number | null;
}

function Entry({ entry: { at, after, cause, attempt, note }, position }: EntryProps) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  const said = useNoteText()(note);
  return (
    <Box paddingInline="400" paddingBlock="200" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="050">
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" tone="subdued" numeric>
            {format.dateTime(at)}
          </Text>
          {position !== null && <Text as="span">{t("orders:history.plan", { number: position })}</Text>}
          <PlanStateBadge state={after} />
        </InlineStack>
        <Text as="span">
          {t(`plans:cause.${cause}`)}
          {attempt > 1 && ` · ${t("orders:history.attempt", { number: attempt })}`}
        </Text>
        {said !== null && said !== "" && (
          <Text as="span" tone="subdued" breakWord>
            {said}
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}
