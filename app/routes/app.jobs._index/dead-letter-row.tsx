import { BlockStack, Box, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { DeadLetter } from "#app/jobs/dead-letters.server.ts";
import { ReceivedEventButton } from "#app/ui/received-event-button.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TechnicalDetail } from "#app/ui/technical-detail.tsx";

interface Props {
  letter: DeadLetter;
  replaying: boolean;
  discarding: boolean;
  onReplay: () => void;
  onDiscard: () => void;
}

export function DeadLetterRow({ letter, replaying, discarding, onReplay, onDiscard }: Props) {
  const { t } = useTranslation("jobs");
  const { format } = useShop();
  const { job, orderId, inboxId, sentAt, deadLetteredAt, attempts, reason } = letter;
  return (
    <Box padding="400" borderBlockStartWidth="025" borderColor="border-secondary">
      <BlockStack gap="200">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200">
            <Text as="h3" variant="headingSm">
              {t(`job.${job}`)}
            </Text>
            {orderId !== null && (
              <Link url={`/app/orders/${orderId}`}>{t("dead.order", { id: orderId })}</Link>
            )}
          </InlineStack>
          <Text as="span" tone="subdued">
            {format.dateTime(deadLetteredAt)}
          </Text>
        </InlineStack>
        <Text as="p" tone="subdued">
          {sentAt === null
            ? t("dead.attempts", { count: attempts })
            : t("dead.attemptsSince", { count: attempts, date: format.dateTime(sentAt) })}
        </Text>
        {reason !== null && <TechnicalDetail>{reason}</TechnicalDetail>}
        <InlineStack gap="200">
          <Button loading={replaying} onClick={onReplay}>
            {t("dead.replay")}
          </Button>
          {inboxId !== null && <ReceivedEventButton inboxId={inboxId} label={t("dead.event")} />}
          <Button tone="critical" loading={discarding} onClick={onDiscard}>
            {t("dead.discard")}
          </Button>
        </InlineStack>
      </BlockStack>
    </Box>
  );
}
