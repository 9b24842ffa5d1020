import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Layout } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Placement } from "#app/offers/placement.ts";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import { storefrontSettings, storefrontTouchpoints } from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings, StorefrontTouchpoint } from "#app/offers/storefront-settings.ts";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useToast } from "#app/ui/toast.ts";
import { useAnswer } from "#app/ui/use-answer.ts";
import type { Answer } from "./answer.ts";
import { Consent } from "./consent.tsx";
import { defaultTexts } from "./default-texts.ts";
import type { ExtensionTextsByLanguage } from "./default-texts.ts";
import { OtherTouchpoints } from "./other-touchpoints.tsx";
import { Terms } from "./terms.tsx";
import { Texts } from "./texts.tsx";
import { TouchpointCard } from "./touchpoint-card.tsx";

interface Props {
  saved: StorefrontSettings;
  sample: PreviewSample | null;
  extensionTexts: ExtensionTextsByLanguage;
  links: Map<StorefrontTouchpoint, string>;
  placement: Promise<Placement | null>;
}

/** Everything a merchant decides about the storefront, saved together. */
export function Settings({ saved, sample, extensionTexts, links, placement }: Props) {
  const { t } = useTranslation("touchpoints");
  const { locale } = useShop();
  const toast = useToast();
  const fetcher = useFetcher<Answer>();
  const [draft, setDraft] = useState(saved);
  const [language, setLanguage] = useState<string>(locale);
  const [refused, setRefused] = useState(false);
  const defaults = defaultTexts(sample, language === "fr" ? extensionTexts.fr : extensionTexts.default);
  const changed = JSON.stringify(draft) !== JSON.stringify(saved);
  const state = fetcher.data?.state;

  useAnswer(fetcher.data, (answer) => {
    if (answer.state === "saved") toast(t("saved"));
  });

  function save() {
    const given = storefrontSettings.safeParse(draft);
    setRefused(!given.success);
    if (!given.success) return;
    setDraft(given.data);
    fetcher.submit(JSON.stringify(given.data), { method: "post", encType: "application/json" });
  }

  return (
    <Layout>
      <FormSaveBar
        id="touchpoints"
        open={changed}
        saving={fetcher.state !== "idle"}
        onSave={save}
        onDiscard={() => {
          setDraft(saved);
          setRefused(false);
        }}
      />
      {(refused || state === "invalid") && (
        <Layout.Section variant="fullWidth">
          <Banner tone="critical">{t("invalid")}</Banner>
        </Layout.Section>
      )}
      {state === "not_shown" && !changed && (
        <Layout.Section variant="fullWidth">
          <Banner tone="warning">{t("notShown")}</Banner>
        </Layout.Section>
      )}
      <Layout.Section>
        <BlockStack gap="400">
          {storefrontTouchpoints.map((name) => (
            <TouchpointCard
              key={name}
              name={name}
              draft={draft}
              onChange={setDraft}
              language={language}
              sample={sample}
              defaults={defaults}
              editor={links.get(name) ?? ""}
              placement={placement}
            />
          ))}
        </BlockStack>
      </Layout.Section>
      <Layout.Section variant="oneThird">
        <BlockStack gap="400">
          <Texts
            draft={draft}
            onChange={setDraft}
            defaults={defaults}
            language={language}
            onLanguage={setLanguage}
          />
          <Terms draft={draft} onChange={setDraft} sample={sample} />
          <Consent draft={draft} onChange={setDraft} />
          <OtherTouchpoints />
        </BlockStack>
      </Layout.Section>
    </Layout>
  );
}
