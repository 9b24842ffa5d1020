/** What support needs of an order: where its customer reports a claim, and which mails it led to. */
import { Badge, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/orders/admin/order-page.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useCopyToClipboard } from "#app/ui/use-action.ts";
import { Permitted } from "#app/ui/permitted.tsx";
import { Contact } from "./contract-details.tsx";
import { type OrderActionResult, useOrderResultToast } from "./use-order-result-toast.ts";

export function ClaimCard({ claims }: { claims: NonNullable<OrderView["claims"]> }) {
  const { t } = useTranslation("orders");
  const copy = useCopyToClipboard();
  const { page } = claims;
  return (
    <TitledCard title={t("claim.title")}>
      <div style={{ overflowWrap: "anywhere" }}>
        <Contact claims={claims} />
      </div>
      <InlineStack gap="200">
        <Button onClick={() => void copy(page)}>{t("page.copyClaimLink")}</Button>
      </InlineStack>
    </TitledCard>
  );
}

const tones = { waiting: "attention", sent: "success", refused: "critical" } as const;

export function MailsCard({ order, mails }: { order: string; mails: OrderView["mails"] }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const fetcher = useAction<OrderActionResult>();
  useOrderResultToast(order, fetcher.data);
  if (mails.length === 0) return null;
  return (
    <TitledCard title={t("mails.title")}>
      {mails.map(({ id, subject, to, state, createdAt, sentAt }) => (
        <BlockStack key={id} gap="100" inlineAlign="start">
          <InlineStack gap="200" blockAlign="center">
            <Text as="span" fontWeight="medium">
              {subject ?? t("mails.erased")}
            </Text>
            <Badge tone={tones[state]}>{t(`mails.${state}`)}</Badge>
          </InlineStack>
          <Text as="span" tone="subdued" breakWord>
            {[format.dateTime(sentAt ?? createdAt), to].filter((part) => part !== null).join(" · ")}
          </Text>
          {subject !== null && state !== "waiting" && (
            <Permitted>
              <Button
                variant="plain"
                loading={fetcher.state !== "idle"}
                accessibilityLabel={t("mails.againName", { subject })}
                onClick={() => fetcher.submit({ intent: "mail_again", mailId: id }, { method: "post" })}
              >
                {t("mails.again")}
              </Button>
            </Permitted>
          )}
        </BlockStack>
      ))}
    </TitledCard>
  );
}
