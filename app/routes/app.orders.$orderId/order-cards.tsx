/** The cards of an order's page, except its customer and its contracts. */
import { Badge, BlockStack, Box, Button, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FailedWebhook } from "#app/inbox/stored-webhooks.server.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";
import type { Cause, StoryEntry } from "#app/orders/book/story.ts";
import type { OrderView, ItemView } from "#app/orders/admin/order-page.server.ts";
import { premiumShares } from "#app/orders/statement.ts";
import { groupEqualTasks } from "#app/orders/tasks/tasks.ts";
import { StackedKeyValueList } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { PlanStateBadge } from "#app/ui/status-badge.tsx";
import { TaskCard } from "#app/ui/task-card.tsx";
import { FoldedList, TitledCard, TitledList } from "#app/ui/titled-card.tsx";
import { useNoteText } from "#app/ui/use-plan-texts.ts";

/** The order's products, with the data that the insurer receives of each. */
export function LinesCard({ lines }: { lines: OrderView["lines"] }) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  /** Only a contract in force insures. */
  const sayState = (state: ItemState) =>
    state === "active" ? t("line.inForce") : t("line.contract", { state: t(`plans:state.${state}`) });
  return (
    <TitledList title={t("page.lines")}>
      {lines.map((line) => (
        <Box
          key={line.lineId}
          paddingInline="400"
          paddingBlock="300"
          borderBlockStartWidth="025"
          borderColor="border-secondary"
        >
          <BlockStack gap="200">
            <InlineStack align="space-between" gap="200">
              <BlockStack>
                <Text as="span" fontWeight="medium">
                  {line.title}
                </Text>
                <Text as="span" tone="subdued">
                  {line.categoryId}
                </Text>
              </BlockStack>
              <Text as="span" numeric>
                {t("line.price", {
                  price: format.money(line.priceMinor, line.currency),
                  quantity:
                    line.currentQuantity === line.quantity
                      ? format.number(line.quantity)
                      : t("line.left", {
                          left: format.number(line.currentQuantity),
                          all: format.number(line.quantity),
                        }),
                })}
              </Text>
            </InlineStack>
            <InlineStack gap="100">
              <Badge tone={line.insuranceOffered ? "info" : undefined}>
                {t(line.insuranceOffered ? "line.offered" : "line.notOffered")}
              </Badge>
              {line.insuranceOffered && line.plans.length === 0 && (
                <Badge>{t(line.insuranceSelected ? "line.selected" : "line.notSelected")}</Badge>
              )}
              {line.plans.map(({ state, count }) => (
                <PlanStateBadge
                  key={state}
                  state={state}
                  text={(count > 1 ? `${format.number(count)} × ` : "") + sayState(state)}
                />
              ))}
            </InlineStack>
          </BlockStack>
        </Box>
      ))}
    </TitledList>
  );
}

/** The order's data that the insurer receives. */
export function OrderDetailsCard({ order }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const orderText = useOrderText();
  const { paidAt, cancelledAt } = order;
  return (
    <TitledCard title={t("page.facts")}>
      <StackedKeyValueList
        items={[
          [t("fact.id"), order.orderId],
          [t("fact.paid"), paidAt === null ? "–" : format.dateTime(paidAt)],
          ...(cancelledAt === null
            ? []
            : [[t("fact.cancelled"), format.dateTime(cancelledAt)] satisfies [string, string]]),
          [t("fact.payment"), orderText.payment(order.paymentMethod)],
          [t("fact.channel"), orderText.channel(order.salesChannel)],
          [t("fact.environment"), t(`environment.${order.environment}`)],
          [t("fact.record"), t(`record.${order.salesRecordStatus}`)],
        ]}
      />
    </TitledCard>
  );
}

/**
 * Payment method and sales channel of an order as text. Both lists are open-ended: a value without a text of the app is
 * shown as recorded, and marked as "other".
 */
function useOrderText(): {
  payment: (method: string) => string;
  channel: (channel: string) => string;
} {
  const { t } = useTranslation(["orders", "common"]);
  const methods: Partial<Record<string, string>> = t("payment", { returnObjects: true });
  const channels: Partial<Record<string, string>> = t("channel", { returnObjects: true });
  return {
    payment: (method) => methods[method] ?? t("common:unknown.payment", { raw: method }),
    channel: (channel) => channels[channel] ?? t("common:unknown.channel", { raw: channel }),
  };
}

/** What became of the premiums that the customer paid. */
export function StatementCard({ order: { statements } }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  if (statements.length === 0) return null;
  return (
    <TitledCard title={t("statement.title")}>
      {statements.map(({ currency, paidMinor, shares }) => (
        <StackedKeyValueList
          key={currency}
          items={[
            [t("statement.paid"), format.money(paidMinor, currency)],
            ...premiumShares
              .filter((share) => shares[share] > 0)
              .map((share): [string, string] => [
                t(`statement.share.${share}`),
                format.money(shares[share], currency),
              ]),
          ]}
        />
      ))}
    </TitledCard>
  );
}

/** Why plans of the order have no contract in force, what is waited for, and what a person has to do. */
export function WhyCard({ order: { explanations } }: { order: OrderView }) {
  const { t } = useTranslation(["orders", "tasks"]);
  const { format } = useShop();
  if (explanations.length === 0) return null;
  return (
    <TitledCard title={t("why.title")}>
      <BlockStack gap="300">
        {explanations.map(({ why, plan, product, contractId, until, task }, index) => (
          <BlockStack key={index}>
            {plan !== null && (
              <Text as="span" fontWeight="medium">
                {product === null ? plan : `${plan} · ${product}`}
              </Text>
            )}
            <Text as="p">
              {t(`why.${why}`, {
                contract: contractId ?? "",
                until: until === null ? "" : format.dateTime(until),
              })}
            </Text>
            {task !== null && (
              <Text as="p" tone="subdued">
                {t("why.task", { task: t(`tasks:kind.${task}.title`) })}
              </Text>
            )}
          </BlockStack>
        ))}
      </BlockStack>
    </TitledCard>
  );
}

/** A webhook topic as text: `orders/paid` is “Order paid”. A topic without a text of the app keeps Shopify's name. */
function useTopicText(): (topic: string) => string {
  const { t } = useTranslation(["history", "common"]);
  const words: Partial<Record<string, string>> = t("topic", { returnObjects: true });
  return (topic) => words[topic] ?? t("common:unknown.topic", { raw: topic });
}

/** The open tasks of this order. */
export function TasksCard({ order: { tasks } }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  if (tasks.length === 0) return null;
  return (
    <TitledList title={t("page.tasks")}>
      {groupEqualTasks(tasks).map((equal) => (
        <TaskCard key={equal[0].id} tasks={equal} onOrderPage />
      ))}
    </TitledList>
  );
}

interface Props {
  history: StoryEntry[];
  failedWebhooks: OrderView["failedWebhooks"];
  items: ItemView[];
}

/** Limit of entries shown at first, latest first. */
const SHOWN = 12;

/** Steps that every plan passes automatically. Steps of one minute are one entry, with the last step. */
const ordinary: readonly Cause[] = ["paid_for", "send", "created", "contract_active"];

/** Entries that are shown as one. */
interface Step extends Pick<StoryEntry, "key" | "at" | "cause" | "amount" | "attempt" | "items"> {
  notes: string[];
}

const toStep = ({ note, ...entry }: StoryEntry): Step => ({ ...entry, notes: note === null ? [] : [note] });
const minuteOf = ({ at }: { at: Date }) => Math.floor(at.getTime() / 60_000);
const isOrdinary = ({ cause, attempt }: StoryEntry) => ordinary.includes(cause) && (attempt ?? 1) <= 1;

/** Folds the automatic steps within a minute: each plan's last step, and plans with the same last step together. */
function foldSteps(latestFirst: readonly StoryEntry[]): Step[] {
  const steps: Step[] = [];
  let alike: Step[] = [];
  const shown = new Set<string>();
  for (const entry of latestFirst) {
    if (!isOrdinary(entry)) {
      steps.push(toStep(entry));
      alike = [];
      shown.clear();
      continue;
    }
    const minute = minuteOf(entry);
    const items = entry.items.filter(({ lineId, number }) => !shown.has(`${minute} ${lineId} ${number}`));
    if (items.length === 0) continue;
    for (const { lineId, number } of items) shown.add(`${minute} ${lineId} ${number}`);
    const step = toStep({ ...entry, items });
    const at = alike.findIndex((each) => minuteOf(each) === minute && each.cause === entry.cause);
    const before = alike[at];
    if (before === undefined) {
      alike.push(step);
      steps.push(step);
      continue;
    }
    const joined: Step = {
      ...before,
      // What one of several cost is not what they cost.
      amount: null,
      items: [...before.items, ...items],
      notes: [...before.notes, ...step.notes],
    };
    alike[at] = joined;
    steps[steps.indexOf(before)] = joined;
  }
  return steps;
}

/** The order's book in words, latest first. It also lists webhooks that could not be processed so far. */
export function HistoryCard({ history, failedWebhooks, items }: Props) {
  const { t } = useTranslation("orders");
  const [all, setAll] = useState(false);
  const entries = [
    ...foldSteps(history.toReversed()).map((step) => ({ at: step.at, step, webhook: null })),
    ...failedWebhooks.map((webhook) => ({ at: webhook.receivedAt, step: null, webhook })),
  ].sort((a, b) => b.at.getTime() - a.at.getTime());
  if (entries.length === 0) return null;
  const positionsOf = (step: Step) =>
    step.items
      .map(
        (key) => items.findIndex((item) => item.lineId === key.lineId && item.itemNumber === key.number) + 1,
      )
      .filter((position) => position > 0)
      .sort((a, b) => a - b);
  return (
    <FoldedList title={t("page.historyOf", { count: entries.length })}>
      {(all ? entries : entries.slice(0, SHOWN)).map(({ step, webhook }) =>
        step === null ? (
          <FailedWebhookEntry key={webhook.id} webhook={webhook} />
        ) : (
          <Entry key={step.key} step={step} positions={items.length > 1 ? positionsOf(step) : []} />
        ),
      )}
      {!all && entries.length > SHOWN && (
        <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
          <Button variant="plain" onClick={() => setAll(true)}>
            {t("history.all", { count: entries.length })}
          </Button>
        </Box>
      )}
    </FoldedList>
  );
}

interface EntryProps {
  step: Step;
  /** the plans of the order that the entry is about; empty if the order has one plan */
  positions: number[];
}

function Entry({ step, positions }: EntryProps) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  const sayNote = useNoteText();
  const { at, cause, attempt, amount, notes } = step;
  // Several contracts may have the same note.
  const said = [...new Set(notes.map((note) => sayNote(note)))].filter(
    (note) => note !== null && note !== "",
  );
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
        </InlineStack>
        <Text as="span">
          {t(`plans:cause.${cause}`)}
          {amount !== null && ` · ${format.money(amount.minor, amount.currency)}`}
          {attempt !== null && attempt > 1 && ` · ${t("orders:history.attempt", { number: attempt })}`}
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

function FailedWebhookEntry({ webhook: { topic, receivedAt, error } }: { webhook: FailedWebhook }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const topicText = useTopicText();
  return (
    <Box paddingInline="400" paddingBlock="200" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="050">
        <InlineStack gap="200" blockAlign="center">
          <Text as="span" tone="subdued" numeric>
            {format.dateTime(receivedAt)}
          </Text>
          <Badge tone="critical">{t("history.retrying")}</Badge>
        </InlineStack>
        <Text as="span">{t("history.webhook", { topic: topicText(topic) })}</Text>
        {error !== null && (
          <Text as="span" tone="subdued" breakWord>
            {error}
          </Text>
        )}
      </BlockStack>
    </Box>
  );
}
