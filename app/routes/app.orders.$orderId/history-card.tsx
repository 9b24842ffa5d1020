import { BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryCause } from "#app/plans/ledger/unit-states.ts";
import type { HistoryEntry, UnitView } from "#app/plans/orders/order-page.server.ts";
import { useNoteText } from "#app/ui/use-plan-texts.ts";
import { PlanStateBadge } from "#app/ui/status-badge.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

interface Props {
  history: HistoryEntry[];
  units: UnitView[];
}

/** How many entries are shown at first: the latest. */
const SHOWN = 12;

/** Steps that every plan takes by itself: those of one minute are one entry, with the state that they led to. */
const ordinary: readonly HistoryCause[] = ["paid_for", "send", "created"];

/** Entries that are shown as one, latest first. */
type Step = [HistoryEntry, ...HistoryEntry[]];

const minuteOf = ({ at }: HistoryEntry) => Math.floor(at.getTime() / 60_000);
const unitOf = ({ lineId, unitNumber }: HistoryEntry) => `${lineId}:${unitNumber}`;
const isOrdinary = ({ cause, attempt }: HistoryEntry) => ordinary.includes(cause) && attempt <= 1;

/** Folds what happened by itself within a minute: each plan's last step, and plans that ended alike together. */
function foldSteps(latestFirst: readonly HistoryEntry[]): Step[] {
  const steps: Step[] = [];
  const folded = new Map<string, { entry: HistoryEntry; step: Step }>();
  for (const entry of latestFirst) {
    if (!isOrdinary(entry)) {
      steps.push([entry]);
      folded.clear();
      continue;
    }
    const minute = minuteOf(entry);
    if (folded.has(`${minute} ${unitOf(entry)}`)) continue;
    const alike = [...folded.values()].find(
      (each) => minuteOf(each.entry) === minute && each.entry.cause === entry.cause,
    );
    const step: Step = alike?.step ?? [entry];
    if (alike) step.push(entry);
    else steps.push(step);
    folded.set(`${minute} ${unitOf(entry)}`, { entry, step });
  }
  return steps;
}

/** What happened to each plan, latest first: when, why, at which attempt, and what the service answered. */
export function HistoryCard({ history, units }: Props) {
  const { t } = useTranslation("orders");
  const [all, setAll] = useState(false);
  if (history.length === 0) return null;
  const steps = foldSteps(history.toReversed());
  const positionOf = (entry: HistoryEntry) =>
    units.findIndex(({ lineId, unitNumber }) => lineId === entry.lineId && unitNumber === entry.unitNumber) +
    1;
  return (
    <TitledList title={t("page.history")}>
      {(all ? steps : steps.slice(0, SHOWN)).map((step) => (
        <Entry
          key={step[0].id}
          step={step}
          positions={units.length > 1 ? step.map(positionOf).sort((a, b) => a - b) : []}
        />
      ))}
      {!all && steps.length > SHOWN && (
        <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
          <Button variant="plain" onClick={() => setAll(true)}>
            {t("history.all", { count: steps.length })}
          </Button>
        </Box>
      )}
    </TitledList>
  );
}

interface EntryProps {
  step: Step;
  /** which plans of the order it is about; none where there is one only */
  positions: number[];
}

function Entry({ step, positions }: EntryProps) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  const sayNote = useNoteText();
  const [{ at, after, cause, attempt }] = step;
  const said = step.map(({ note }) => sayNote(note)).filter((note) => note !== null && note !== "");
  const [number = 0, ...others] = positions;
  return (
    <Box paddingInline="400" paddingBlock="200" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="050">
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" tone="subdued" numeric>
            {format.dateTime(at)}
          </Text>
          {positions.length > 0 && (
            <Text as="span">
              {others.length === 0
                ? t("orders:history.plan", { number })
                : t("orders:history.contracts", { numbers: positions.join(", ") })}
            </Text>
          )}
          <PlanStateBadge state={after} />
        </InlineStack>
        <Text as="span">
          {t(`plans:cause.${cause}`)}
          {attempt > 1 && ` · ${t("orders:history.attempt", { number: attempt })}`}
        </Text>
        {said.length > 0 && (
          <Text as="span" tone="subdued" breakWord>
            {said.join(", ")}
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}
