import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

interface Props {
  /** the catalogue was synced, or is being synced */
  synced: boolean;
  /** address of the theme editor that places the offer */
  editor: string;
}

/** After the first rules: what is left to do before shoppers see an offer, without a way back to Home. */
export function NextSetupStep({ synced, editor }: Props) {
  const { t } = useTranslation("products");
  const fetcher = useFetcher();
  const step = synced ? "place" : "sync";
  return (
    <Banner tone="success" title={t("next.title")}>
      <BlockStack gap="200">
        <Text as="p">{t(`next.${step}.body`)}</Text>
        <InlineStack>
          {step === "sync" ? (
            <Button
              variant="primary"
              loading={fetcher.state !== "idle"}
              onClick={() =>
                fetcher.submit({ intent: "sync" }, { method: "post", action: "/app/catalogue?index" })
              }
            >
              {t("next.sync.action")}
            </Button>
          ) : (
            <Button variant="primary" url={editor} target="_blank">
              {t("next.place.action")}
            </Button>
          )}
        </InlineStack>
      </BlockStack>
    </Banner>
  );
}
