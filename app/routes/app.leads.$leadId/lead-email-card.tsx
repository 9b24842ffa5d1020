import { Button, ButtonGroup, Link, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LeadView } from "#app/leads/leads.server.ts";
import { fillMail, mailTexts } from "#app/merchants/mail-texts.ts";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import type { Locale } from "#app/platform/locale.ts";
import { formatsFor } from "#app/ui/format.ts";
import { LanguageSelect } from "#app/ui/language-select.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useCopyToClipboard } from "#app/ui/use-copy-to-clipboard.ts";

interface Props {
  lead: LeadView;
  settings: MerchantSettings;
  shopName: string;
}

/** The e-mail that brings the link to the customer, ready to be sent from the merchant's own address. */
export function LeadEmailCard({ lead, settings, shopName }: Props) {
  const { t } = useTranslation("leads");
  const { locale: ownLocale, timezone } = useShop();
  const copy = useCopyToClipboard();
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const { subject, body } = fillMail(mailTexts(settings, locale), {
    customer: lead.customerName ?? "",
    product: lead.productTitle,
    link: lead.subscriptionLink,
    expires: formatsFor(locale, timezone).date(lead.expiresOn),
    shop: shopName,
  });
  const query = new URLSearchParams({ subject, body }).toString().replaceAll("+", "%20");
  return (
    <TitledCard title={t("mail.title")}>
      <LanguageSelect label={t("mail.language")} value={locale} onChange={setLocale} />
      <TextField label={t("mail.subject")} value={subject} readOnly autoComplete="off" />
      <TextField label={t("mail.body")} value={body} readOnly multiline={8} autoComplete="off" />
      <ButtonGroup>
        <Button url={`mailto:${encodeURIComponent(lead.customerEmail ?? "")}?${query}`} target="_blank">
          {t("mail.open")}
        </Button>
        <Button onClick={() => void copy(body)}>{t("mail.copy")}</Button>
      </ButtonGroup>
      <Link url="/app/settings">{t("mail.change")}</Link>
    </TitledCard>
  );
}
