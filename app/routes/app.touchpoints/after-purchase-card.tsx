import { Button, Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** Where customers see their cover and get quotes after paying: blocks of Shopify's editor and e-mails. */
export function AfterPurchaseCard({ editor }: { editor: string }) {
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
        <List>
          <List.Item>{t("after.cover.thankYou")}</List.Item>
          <List.Item>{t("after.cover.orderStatus")}</List.Item>
          <List.Item>{t("after.cover.account")}</List.Item>
        </List>
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
