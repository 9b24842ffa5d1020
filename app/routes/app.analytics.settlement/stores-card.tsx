import { BlockStack, Button, ChoiceList, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { nameOfStore } from "#app/settlement/point-of-sale.ts";
import type { SettlementView } from "#app/settlement/settlement-page.server.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import type { SettlementResult } from "./settlement-result.ts";
import { Permitted } from "#app/ui/permitted.tsx";

/** Which of the organisation's points of sale are this shop: what the page uses, or the question. */
export function StoresCard({ view: { stores, own, proposedStoreId } }: { view: SettlementView }) {
  const { t } = useTranslation("settlement");
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<SettlementResult>();
  const [asking, setAsking] = useState(own === null);
  const [chosen, setChosen] = useState<string[]>([...(own?.storeIds ?? [])]);
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t("stores.saved"));
    else showError(t("stores.unknown_store"));
  });
  const proposed = stores.find(({ storeId }) => storeId === proposedStoreId);
  if (!asking && own !== null) {
    const names = stores.filter(({ storeId }) => own.storeIds.includes(storeId)).map(nameOfStore);
    return (
      <TitledCard
        title={t("stores.title")}
        action={
          <Permitted>
            <Button onClick={() => setAsking(true)}>{t("stores.change")}</Button>
          </Permitted>
        }
      >
        <Text as="p">{t(`stores.${own.reason}`, { stores: names.join(", ") })}</Text>
      </TitledCard>
    );
  }
  return (
    <TitledCard title={t("stores.title")} help={own === null ? t("stores.ask") : t("stores.closed")}>
      <Permitted>
        <BlockStack gap="300">
          {proposed && <Text as="p">{t("stores.proposed", { store: nameOfStore(proposed) })}</Text>}
          <ChoiceList
            title={t("stores.title")}
            titleHidden
            allowMultiple
            choices={stores.map((store) => ({ value: store.storeId, label: nameOfStore(store) }))}
            selected={chosen}
            onChange={setChosen}
          />
          <InlineStack>
            <Button
              variant="primary"
              disabled={chosen.length === 0}
              loading={fetcher.state !== "idle"}
              onClick={() =>
                fetcher.submit({ intent: "choose_stores", stores: chosen.join(",") }, { method: "post" })
              }
            >
              {t("stores.save")}
            </Button>
          </InlineStack>
        </BlockStack>
      </Permitted>
    </TitledCard>
  );
}
