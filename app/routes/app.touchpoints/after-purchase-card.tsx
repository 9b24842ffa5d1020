import { Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Placement } from "#app/offers/placement.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { PlacementBadge } from "./placement-badge.tsx";

interface Props {
  /** address of the checkout and accounts editor */
  editor: string;
  placement: Placement | null | undefined;
}

/** Where customers see their cover and get quotes after paying: blocks of Shopify's editor and e-mails. */
export function AfterPurchaseCard({ editor, placement }: Props) {
  const { t } = useTranslation("touchpoints");
  return (
    <>
      <TitledCard
        title={t("after.cover.title")}
        help={t("after.cover.help")}
        action={
          <Button url={editor} target="_blank">
            {t("checkout.edit")}
          </Button>
        }
      >
        {(["thank_you", "order_page", "account"] as const).map((surface) => (
          <InlineStack key={surface} gap="200" blockAlign="center">
            <Text as="p">{t(`after.cover.${surface}`)}</Text>
            <PlacementBadge placement={placement} surface={surface} />
          </InlineStack>
        ))}
      </TitledCard>
      <TitledCard title={t("after.quotes.title")}>
        <Text as="p">{t("after.quotes.help")}</Text>
        <div>
          <Link url="/app/leads/automatic">{t("after.quotes.automatic")}</Link>
        </div>
        <div>
          <Link url="/app/leads/new">{t("after.quotes.one")}</Link>
        </div>
      </TitledCard>
    </>
  );
}
