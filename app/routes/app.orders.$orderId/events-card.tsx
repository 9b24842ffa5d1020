import { BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

const tones = { done: "success", failed: "critical", received: "info" } as const;

/** Which webhooks of this order arrived, and whether they were processed. */
export function EventsCard({ order: { events } }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const topicText = useTopicText();
  if (events.length === 0) return null;
  const labels = { done: t("event.done"), failed: t("event.failed"), received: t("event.received") };
  return (
    <section id="events" aria-label={t("page.events")}>
      <TitledList title={t("page.events")} help={t("page.eventsHelp")}>
        {events.map((event) => (
          <Box
            key={event.id}
            paddingInline="400"
            paddingBlock="300"
            borderBlockStartWidth="025"
            borderColor="border-secondary"
          >
            <InlineStack align="space-between" blockAlign="center" gap="200">
              <BlockStack gap="050">
                <InlineStack gap="200" blockAlign="center">
                  <Text as="span" fontWeight="medium">
                    {topicText(event.topic)}
                  </Text>
                  <StatusBadge status={event.state} labels={labels} tones={tones} />
                </InlineStack>
                <Text as="span" tone="subdued">
                  {format.dateTime(event.receivedAt)}
                </Text>
                {event.error !== null && (
                  <Text as="span" tone="critical" breakWord>
                    {event.error}
                  </Text>
                )}
              </BlockStack>
            </InlineStack>
          </Box>
        ))}
      </TitledList>
    </section>
  );
}

/**
 * A webhook topic in words: `orders/paid` is “Order paid”. A topic without a text of the app is shown with the
 * platform's name.
 */
function useTopicText(): (topic: string) => string {
  const { t } = useTranslation(["history", "common"]);
  const words: Partial<Record<string, string>> = t("topic", { returnObjects: true });
  return (topic) => words[topic] ?? t("common:unknown.topic", { raw: topic });
}
