import { useFetcher } from "@remix-run/react";
import { Banner, FormLayout, Select, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mailFields, mailTexts, merchantSettings } from "#app/merchants/settings.ts";
import type { MailTexts, MerchantSettings } from "#app/merchants/settings.ts";
import type { Locale } from "#app/platform/locale.ts";
import { Confirm } from "#app/ui/confirm.tsx";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { LanguageSelect } from "#app/ui/language-select.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useToast } from "#app/ui/toast.ts";
import { useAnswer } from "#app/ui/use-answer.ts";
import type { Answer } from "./answer.ts";

const months = ["0", "6", "12", "24", "36", "60"] as const;

/** What is saved together: e-mail texts and how long personal data is kept. */
export function SettingsForm({ saved }: { saved: MerchantSettings }) {
  const { t } = useTranslation(["settings", "common"]);
  const { locale: ownLocale } = useShop();
  const toast = useToast();
  const fetcher = useFetcher<Answer>();
  const [draft, setDraft] = useState(saved);
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const changed = JSON.stringify(draft) !== JSON.stringify(saved);
  const mail = draft.mail[locale];
  const own = mailTexts({ ...draft, mail: { ...draft.mail, [locale]: { subject: "", body: "" } } }, locale);
  const [refused, setRefused] = useState(false);
  const [asking, setAsking] = useState(false);
  // Months of which more is deleted than before; 0 keeps everything.
  const deletesMore =
    draft.retentionMonths > 0 &&
    (saved.retentionMonths === 0 || draft.retentionMonths < saved.retentionMonths);

  useAnswer(fetcher.data, (answer) => {
    if (answer.done === "saved") toast(t("common:said.saved"));
  });

  function save() {
    const given = merchantSettings.safeParse(draft);
    setRefused(!given.success);
    if (!given.success) return;
    setDraft(given.data);
    fetcher.submit({ intent: "save", settings: given.data }, { method: "post", encType: "application/json" });
  }
  const change = (part: Partial<MailTexts>) =>
    setDraft({ ...draft, mail: { ...draft.mail, [locale]: { ...mail, ...part } } });

  return (
    <>
      <FormSaveBar
        id="settings"
        open={changed}
        saving={fetcher.state !== "idle"}
        onSave={() => (deletesMore ? setAsking(true) : save())}
        onDiscard={() => {
          setDraft(saved);
          setRefused(false);
        }}
      />
      {(refused || fetcher.data?.done === "invalid") && <Banner tone="critical">{t("invalid")}</Banner>}
      <Confirm
        open={asking}
        title={t("retention.confirm.title")}
        body={t("retention.warning")}
        confirm={t("retention.confirm.action")}
        destructive
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
      <TitledCard
        title={t("mail.title")}
        help={t("mail.help", { fields: mailFields.map((field) => `{${field}}`).join(" ") })}
      >
        <FormLayout>
          <LanguageSelect label={t("mail.language")} value={locale} onChange={setLocale} />
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
      </TitledCard>
      <TitledCard title={t("retention.title")}>
        <Select
          label={t("retention.label")}
          helpText={t("retention.help")}
          value={String(draft.retentionMonths)}
          options={months.map((value) => ({ value, label: t(`retention.choice.${value}`) }))}
          onChange={(value) => setDraft({ ...draft, retentionMonths: Number(value) })}
        />
        {deletesMore && <Banner tone="warning">{t("retention.warning")}</Banner>}
      </TitledCard>
    </>
  );
}
