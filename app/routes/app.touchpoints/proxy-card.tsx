/** The path under which the shop forwards to the app: the merchant may have renamed it. */
import { Badge, BlockStack, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ProxyState } from "#app/offers/proxy-check.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

const tones = { reached: "success", elsewhere: "critical", unknown: "attention" } as const;

export function ProxyCard({ draft, onChange, checked }: DraftProps & { checked: Promise<ProxyState> }) {
  const { t } = useTranslation("touchpoints");
  const fine = storefrontSettings.shape.proxy.safeParse(draft.proxy).success;
  return (
    <TitledCard title={t("proxy.title")}>
      <BlockStack gap="200" inlineAlign="start">
        <Deferred value={checked}>
          {(state) =>
            state ? (
              <Badge tone={tones[state]}>{t(`proxy.${state}`)}</Badge>
            ) : (
              <Badge>{t("proxy.checking")}</Badge>
            )
          }
        </Deferred>
      </BlockStack>
      <TextField
        label={t("proxy.title")}
        labelHidden
        helpText={t("proxy.help")}
        error={fine ? undefined : t("proxy.problem")}
        value={draft.proxy}
        onChange={(proxy) => onChange({ ...draft, proxy })}
        autoComplete="off"
      />
    </TitledCard>
  );
}
