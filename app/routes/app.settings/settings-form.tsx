import { useFetcher } from "@remix-run/react";
import { Banner, BlockStack, Card, FormLayout, Select, Text, TextField } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { mailFields, mailTexts, merchantSettings } from "#app/merchants/settings.ts";
import type { MailTexts, MerchantSettings } from "#app/merchants/settings.ts";
import { readLocale } from "#app/platform/locale.ts";
import type { Locale } from "#app/platform/locale.ts";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useToast } from "#app/ui/toast.ts";
import type { action } from "./route.tsx";

const months = ["0", "6", "12", "24", "36", "60"] as const;

/** What is saved together: e-mail texts and how long personal data is kept. */
export function SettingsForm({ saved }: { saved: MerchantSettings }) {
  const { t } = useTranslation(["settings", "common"]);
  const { locale: ownLocale } = useShop();
  const toast = useToast();
  const fetcher = useFetcher<typeof action>();
  const [draft, setDraft] = useState(saved);
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const changed = JSON.stringify(draft) !== JSON.stringify(saved);
  const mail = draft.mail[locale];
  const own = mailTexts({ ...draft, mail: { ...draft.mail, [locale]: { subject: "", body: "" } } }, locale);
  const done = fetcher.data?.done;

  useEffect(() => {
    if (done === "saved" && fetcher.state === "idle") toast(t("common:said.saved"));
  }, [done, fetcher.state, toast, t]);

  function save() {
    const settings = merchantSettings.parse(draft);
    setDraft(settings);
    fetcher.submit({ intent: "save", settings }, { method: "post", encType: "application/json" });
  }
  const change = (part: Partial<MailTexts>) =>
    setDraft({ ...draft, mail: { ...draft.mail, [locale]: { ...mail, ...part } } });

  return (
    <>
      <FormSaveBar
        id="settings"
        open={changed}
        saving={fetcher.state !== "idle"}
        onSave={save}
        onDiscard={() => setDraft(saved)}
      />
      {done === "invalid" && <Banner tone="critical">{t("invalid")}</Banner>}
      <Card>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t("mail.title")}
          </Text>
          <Text as="p" tone="subdued">
            {t("mail.help", { fields: mailFields.map((field) => `{${field}}`).join(" ") })}
          </Text>
          <FormLayout>
            <Select
              label={t("mail.language")}
              value={locale}
              options={[
                { value: "fr", label: "Français" },
                { value: "en", label: "English" },
              ]}
              onChange={(value) => setLocale(readLocale(value) ?? locale)}
            />
            <TextField
              label={t("mail.subject")}
              value={mail.subject}
              placeholder={own.subject}
              maxLength={200}
              onChange={(subject) => change({ subject })}
              autoComplete="off"
            />
            <TextField
              label={t("mail.body")}
              value={mail.body}
              placeholder={own.body}
              multiline={8}
              maxLength={5_000}
              onChange={(body) => change({ body })}
              autoComplete="off"
            />
          </FormLayout>
        </BlockStack>
      </Card>
      <Card>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t("retention.title")}
          </Text>
          <Select
            label={t("retention.label")}
            helpText={t("retention.help")}
            value={String(draft.retentionMonths)}
            options={months.map((value) => ({ value, label: t(`retention.choice.${value}`) }))}
            onChange={(value) => setDraft({ ...draft, retentionMonths: Number(value) })}
          />
          {draft.retentionMonths !== saved.retentionMonths && draft.retentionMonths > 0 && (
            <Banner tone="warning">{t("retention.warning")}</Banner>
          )}
        </BlockStack>
      </Card>
    </>
  );
}
