import { useNavigate } from "@remix-run/react";
import { Banner, Checkbox, FormLayout, Select, Text, TextField } from "@shopify/polaris";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  bookkeepingAccounts,
  fulfilmentTimes,
  mailFields,
  mailTexts,
  type MailTexts,
  merchantSettings,
  type MerchantSettings,
  retentionChoices,
  withdrawalChoices,
} from "#app/merchants/settings.ts";
import type { CountryOption } from "#app/quotes/countries.server.ts";
import type { PermissionMode } from "#app/merchants/optional-scopes.server.ts";
import { minWithdrawalDays } from "#app/merchants/law.ts";
import { connectionManagers } from "#app/merchants/permissions.ts";
import { type Locale, locales } from "#app/platform/locale.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { FieldHelp } from "#app/ui/details.tsx";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { LanguageSelect } from "#app/ui/language-select.tsx";
import { PermissionBanner } from "#app/ui/permission-banner.tsx";
import { settingsAddress, type SettingsPart } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { BookkeepingCard, ReportsCard, SaleCard, useSaleCountryName } from "./settings-cards.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

export type SettingsActionResult = ActionResult<
  null,
  "shop_unavailable" | "changed_elsewhere" | "owner_only",
  keyof MerchantSettings,
  "malformed"
>;

interface Props {
  /** the part that the page shows */
  part: SettingsPart;
  saved: MerchantSettings;
  /** the member of staff is the shop's owner */
  isOwner: boolean;
  version: string;
  permissions: Record<"fulfilment" | "orderCover" | "orderTags" | "draftOrders", PermissionMode>;
  /** the installation sends mail */
  mailIsOn: boolean;
  countries: CountryOption[];
  /** the shop's own; empty: not known */
  country: string;
  /** what is not saved with the form, below its part */
  below: Partial<Record<SettingsPart, ReactNode>>;
}

/** The part of each setting: a save with an invalid field shows its part. */
const partOf: Record<keyof MerchantSettings, SettingsPart> = {
  sale: "sale",
  fulfilsPlans: "sale",
  showsCover: "sale",
  tagsOrders: "sale",
  sellsOnDrafts: "sale",
  connectionManagers: "sale",
  mail: "mails",
  replyTo: "mails",
  mailsContracts: "mails",
  mailsClaims: "mails",
  claimContact: "mails",
  withdrawalDays: "returns",
  reports: "data",
  bookkeeping: "data",
  retentionMonths: "data",
};

/** The settings, one part at a time. All parts are saved together. */
export function SettingsForm(props: Props) {
  const { part, saved, isOwner, version, permissions, mailIsOn, below, ...places } = props;
  const { t } = useTranslation(["settings", "common"]);
  const { locale: ownLocale } = useShop();
  const toast = useToast();
  const fetcher = useAction<SettingsActionResult>();
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(saved, version);
  const settingsText = useSettingsText(places.countries);
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const mail = draft.mail[locale];
  const own = mailTexts({ ...draft, mail: { ...draft.mail, [locale]: { subject: "", body: "" } } }, locale);
  const [isInvalid, setIsInvalid] = useState(false);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  // A shorter retention deletes data; 0 keeps everything.
  const deletesMore =
    draft.retentionMonths > 0 &&
    (saved.retentionMonths === 0 || draft.retentionMonths < saved.retentionMonths);

  const choice = retentionChoices.find((months) => Number(months) === draft.retentionMonths);
  const wanted = {
    fulfilment: draft.fulfilsPlans !== "never",
    orderCover: draft.showsCover,
    orderTags: draft.tagsOrders,
    draftOrders: draft.sellsOnDrafts,
  };

  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("common:said.saved"));
  });

  function save() {
    const given = merchantSettings.safeParse(draft);
    setIsInvalid(!given.success);
    if (!given.success) {
      const invalid = merchantSettings.keyof().safeParse(given.error.issues[0]?.path[0]);
      if (invalid.success) navigate(settingsAddress(partOf[invalid.data]));
      return;
    }
    setDraft(given.data);
    fetcher.submit(
      { intent: "save", settings: given.data },
      { method: "post", encType: "application/json", action: startSave(given.data) },
    );
  }
  const change = (part: Partial<MailTexts>) =>
    setDraft({ ...draft, mail: { ...draft.mail, [locale]: { ...mail, ...part } } });

  return (
    <>
      <FormSaveBar
        id="settings"
        open={isChanged}
        saving={fetcher.state !== "idle"}
        onSave={() => (deletesMore ? setAsking(true) : save())}
        onDiscard={() => {
          discard();
          setIsInvalid(false);
        }}
      />
      <ChangedElsewhere conflict={conflict} describe={settingsText} />
      {(isInvalid || fetcher.data?.state === "invalid") && <Banner tone="critical">{t("invalid")}</Banner>}
      <ConfirmModal
        open={asking}
        title={t("retention.confirm.title", { age: choice ? t(`retention.choice.${choice}`) : "" })}
        body={t("retention.warning")}
        confirm={t("retention.confirm.action")}
        destructive
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
      {part === "sale" && (
        <PermissionBanner
          missing={(["fulfilment", "orderCover", "orderTags", "draftOrders"] as const).filter(
            (feature) => wanted[feature] && permissions[feature] === "no_permission",
          )}
        />
      )}
      <Permitted>
        {part === "sale" && (
          <>
            <SaleCard sale={draft.sale} onChange={(sale) => setDraft({ ...draft, sale })} {...places} />
            <TitledCard title={t("orders.title")} id="orders">
              <Select
                label={t("orders.fulfilsPlans")}
                helpText={
                  <FieldHelp text={t("orders.fulfilsPlansHelp")} more={t("orders.fulfilsPlansMore")} />
                }
                value={draft.fulfilsPlans}
                options={fulfilmentTimes.map((value) => ({
                  value,
                  label: t(`orders.fulfilsPlansChoice.${value}`),
                }))}
                onChange={(value) =>
                  setDraft({
                    ...draft,
                    fulfilsPlans: fulfilmentTimes.find((each) => each === value) ?? "with_goods",
                  })
                }
              />
              <Checkbox
                label={t("orders.showsCover")}
                helpText={<FieldHelp text={t("orders.showsCoverHelp")} more={t("orders.showsCoverMore")} />}
                checked={draft.showsCover}
                onChange={(showsCover) => setDraft({ ...draft, showsCover })}
              />
              <Checkbox
                label={t("orders.tagsOrders")}
                helpText={<FieldHelp text={t("orders.tagsOrdersHelp")} more={t("orders.tagsOrdersMore")} />}
                checked={draft.tagsOrders}
                onChange={(tagsOrders) => setDraft({ ...draft, tagsOrders })}
              />
              <Checkbox
                label={t("orders.sellsOnDrafts")}
                helpText={
                  <FieldHelp text={t("orders.sellsOnDraftsHelp")} more={t("orders.sellsOnDraftsMore")} />
                }
                checked={draft.sellsOnDrafts}
                onChange={(sellsOnDrafts) => setDraft({ ...draft, sellsOnDrafts })}
              />
              <Select
                label={t("orders.connectionManagers")}
                helpText={t("orders.connectionManagersHelp")}
                disabled={!isOwner}
                value={draft.connectionManagers}
                options={connectionManagers.map((value) => ({
                  value,
                  label: t(`orders.connectionManagersChoice.${value}`),
                }))}
                onChange={(value) =>
                  setDraft({
                    ...draft,
                    connectionManagers: connectionManagers.find((each) => each === value) ?? "owner",
                  })
                }
              />
            </TitledCard>
          </>
        )}
        {part === "mails" && (
          <>
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
                <TextField
                  label={t("mail.replyTo")}
                  type="email"
                  helpText={t(mailIsOn ? "mail.replyToHelp" : "mail.off")}
                  error={
                    isInvalid &&
                    !merchantSettings.shape.replyTo.safeParse(draft.replyTo).success &&
                    t("mail.replyToInvalid")
                  }
                  value={draft.replyTo}
                  maxLength={254}
                  onChange={(replyTo) => setDraft({ ...draft, replyTo: replyTo.trim() })}
                  autoComplete="email"
                />
                <Checkbox
                  label={t("mail.mailsContracts")}
                  helpText={t("mail.mailsContractsHelp")}
                  disabled={!mailIsOn}
                  checked={draft.mailsContracts}
                  onChange={(mailsContracts) => setDraft({ ...draft, mailsContracts })}
                />
                <Checkbox
                  label={t("mail.mailsClaims")}
                  helpText={t("mail.mailsClaimsHelp")}
                  disabled={!mailIsOn}
                  checked={draft.mailsClaims}
                  onChange={(mailsClaims) => setDraft({ ...draft, mailsClaims })}
                />
                <TextField
                  id="claimContact"
                  label={t("mail.claimContact")}
                  helpText={t("mail.claimContactHelp")}
                  value={draft.claimContact}
                  maxLength={300}
                  onChange={(claimContact) => setDraft({ ...draft, claimContact })}
                  autoComplete="off"
                />
              </FormLayout>
            </TitledCard>
          </>
        )}
        {part === "returns" && (
          <>
            <TitledCard title={t("withdrawal.title")}>
              <Select
                label={t("orders.withdrawal")}
                helpText={<FieldHelp text={t("orders.withdrawalHelp")} more={t("orders.withdrawalMore")} />}
                value={String(draft.withdrawalDays)}
                options={withdrawalChoices
                  .filter((value) => Number(value) >= minWithdrawalDays(places.country))
                  .map((value) => ({ value, label: t(`orders.withdrawalChoice.${value}`) }))}
                onChange={(value) => setDraft({ ...draft, withdrawalDays: Number(value) })}
              />
            </TitledCard>
          </>
        )}
        {part === "data" && (
          <>
            <ReportsCard
              reports={draft.reports}
              mailIsOn={mailIsOn}
              isInvalid={isInvalid}
              onChange={(reports) => setDraft({ ...draft, reports })}
            />
            <BookkeepingCard
              accounts={draft.bookkeeping}
              onChange={(bookkeeping) => setDraft({ ...draft, bookkeeping })}
            />
            <TitledCard title={t("retention.title")}>
              <Select
                label={t("retention.label")}
                helpText={<FieldHelp text={t("retention.help")} more={t("retention.more")} />}
                value={String(draft.retentionMonths)}
                options={retentionChoices.map((value) => ({ value, label: t(`retention.choice.${value}`) }))}
                onChange={(value) => setDraft({ ...draft, retentionMonths: Number(value) })}
              />
              {deletesMore && <Banner tone="warning">{t("retention.warning")}</Banner>}
            </TitledCard>
          </>
        )}
        {below[part]}
      </Permitted>
    </>
  );
}

/** A setting in words: the name of its field, and its value. */
type Described = [name: string, value: string];

/** The settings by the names of their fields, for a conflict between two windows. */
function useSettingsText(countries: CountryOption[]) {
  const { t } = useTranslation(["settings", "common"]);
  const nameOf = useSaleCountryName(countries);
  return (settings: MerchantSettings): Described[] => {
    const choice = retentionChoices.find((months) => months === String(settings.retentionMonths));
    const days = withdrawalChoices.find((each) => each === String(settings.withdrawalDays));
    const yesOrNo = (on: boolean) => t(on ? "common:elsewhere.on" : "common:elsewhere.off");
    const sale: Record<keyof MerchantSettings["sale"], Described> = {
      countries: [t("sale.countries"), settings.sale.countries.map(nameOf).join(", ")],
      companies: [t("sale.companies"), yesOrNo(settings.sale.companies)],
      monthly: [t("sale.monthly"), yesOrNo(settings.sale.monthly)],
      registrationNumber: [t("sale.registrationNumber"), settings.sale.registrationNumber],
      maxQuoteAgeDays: [t("sale.maxQuoteAgeDays"), String(settings.sale.maxQuoteAgeDays ?? "")],
    };
    const described: Record<keyof MerchantSettings, Described[]> = {
      mail: locales.flatMap((locale): Described[] => [
        [`${t("mail.subject")} (${locale})`, settings.mail[locale].subject],
        [`${t("mail.body")} (${locale})`, settings.mail[locale].body],
      ]),
      replyTo: [[t("mail.replyTo"), settings.replyTo]],
      mailsContracts: [[t("mail.mailsContracts"), yesOrNo(settings.mailsContracts)]],
      mailsClaims: [[t("mail.mailsClaims"), yesOrNo(settings.mailsClaims)]],
      claimContact: [[t("mail.claimContact"), settings.claimContact]],
      sale: Object.values(sale),
      reports: [
        [t("reports.to"), settings.reports.to],
        [t("reports.monthly"), yesOrNo(settings.reports.monthlyReport)],
        [t("reports.urgent"), yesOrNo(settings.reports.urgentReport)],
      ],
      bookkeeping: bookkeepingAccounts.map((name) => [t(`bookkeeping.${name}`), settings.bookkeeping[name]]),
      fulfilsPlans: [[t("orders.fulfilsPlans"), t(`orders.fulfilsPlansChoice.${settings.fulfilsPlans}`)]],
      showsCover: [[t("orders.showsCover"), yesOrNo(settings.showsCover)]],
      tagsOrders: [[t("orders.tagsOrders"), yesOrNo(settings.tagsOrders)]],
      sellsOnDrafts: [[t("orders.sellsOnDrafts"), yesOrNo(settings.sellsOnDrafts)]],
      connectionManagers: [
        [t("orders.connectionManagers"), t(`orders.connectionManagersChoice.${settings.connectionManagers}`)],
      ],
      withdrawalDays: [
        [
          t("orders.withdrawal"),
          days === undefined ? String(settings.withdrawalDays) : t(`orders.withdrawalChoice.${days}`),
        ],
      ],
      retentionMonths: [
        [
          t("retention.label"),
          choice === undefined ? String(settings.retentionMonths) : t(`retention.choice.${choice}`),
        ],
      ],
    };
    return Object.values(described).flat();
  };
}

/** The insurer refuses contracts without a phone number: the step at the checkout, and the button that confirms it. */
export function PhoneNumberBanner() {
  const { t } = useTranslation("settings");
  const fetcher = useAction<SettingsActionResult>();
  return (
    <Permitted>
      <Banner
        tone="warning"
        title={t("phone.title")}
        action={{ content: t("phone.open"), url: "shopify://admin/settings/checkout", target: "_top" }}
        secondaryAction={{
          content: t("phone.done"),
          onAction: () =>
            fetcher.submit({ intent: "phone_asked" }, { method: "post", encType: "application/json" }),
        }}
      >
        <Text as="p">{t("phone.body")}</Text>
      </Banner>
    </Permitted>
  );
}
