import { Banner, BlockStack, Button, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { dataRequest } from "#app/shopify/order-access.ts";
import { useCopyToClipboard } from "#app/ui/use-copy-to-clipboard.ts";

/** What to request of the platform, while it does not let the app read orders or their customers. */
export function OrderAccessBanner({ access }: { access: "none" | "anonymous" }) {
  const { t } = useTranslation(["home", "common"]);
  const copy = useCopyToClipboard();
  return (
    <Banner title={t(`access.${access}.title`)} tone={access === "none" ? "critical" : "warning"}>
      <BlockStack gap="300">
        <Text as="p">{t(`access.${access}.body`)}</Text>
        <Text as="p">{t("access.todo")}</Text>
        <TextField
          label={t("access.text")}
          helpText={t("access.textHelp")}
          value={dataRequest}
          multiline={6}
          maxHeight={200}
          readOnly
          autoComplete="off"
        />
        <div>
          <Button onClick={() => void copy(dataRequest)}>{t("common:action.copy")}</Button>
        </div>
        <Text as="p">{t("access.then")}</Text>
      </BlockStack>
    </Banner>
  );
}
