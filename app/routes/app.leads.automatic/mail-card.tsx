import { BlockStack, Button, FormLayout, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { mailKinds, mailLiquid } from "#app/leads/order-leads/mail-liquid.ts";
import type { MailKind } from "#app/leads/order-leads/mail-liquid.ts";
import type { Locale } from "#app/platform/locale.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { LanguageSelect } from "#app/ui/language-select.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useCopyToClipboard } from "#app/ui/use-copy-to-clipboard.ts";

interface Props {
  previews: Record<Locale, Record<MailKind, string>>;
  namespace: Promise<string | null>;
}

/** As an e-mail looks in a mail program. The sample's links lead nowhere. */
const mailStyle =
  "body{font:14px/1.5 system-ui,sans-serif;color:#333}a{color:#005bd3;text-decoration:underline}";

/** What the merchant copies into the shop's own e-mails, and how it looks there. */
export function MailCard({ previews, namespace }: Props) {
  const { t } = useTranslation("automaticLeads");
  const { locale: ownLocale } = useShop();
  const copy = useCopyToClipboard();
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const [kind, setKind] = useState<MailKind>("shipping_confirmation");
  return (
    <TitledCard title={t("mail.title")} help={t("mail.help")}>
      <FormLayout>
        <FormLayout.Group>
          <Select
            label={t("mail.kind")}
            value={kind}
            options={mailKinds.map((value) => ({ value, label: t(`mail.kinds.${value}`) }))}
            onChange={(chosen) => setKind(mailKinds.find((each) => each === chosen) ?? kind)}
          />
          <LanguageSelect label={t("mail.language")} value={locale} onChange={setLocale} />
        </FormLayout.Group>
        <Deferred value={namespace}>
          {(found) => {
            const liquid = found ? mailLiquid(kind, locale, found) : "";
            return (
              <BlockStack gap="200">
                <TextField
                  label={t("mail.liquid")}
                  value={liquid}
                  placeholder={t(found === null ? "mail.unavailable" : "mail.reading")}
                  readOnly
                  multiline={6}
                  maxHeight={180}
                  monospaced
                  selectTextOnFocus
                  autoComplete="off"
                />
                <InlineStack>
                  <Button disabled={liquid === ""} onClick={() => void copy(liquid)}>
                    {t("mail.copy")}
                  </Button>
                </InlineStack>
              </BlockStack>
            );
          }}
        </Deferred>
        <Text as="h3" variant="headingSm">
          {t("mail.preview")}
        </Text>
        <iframe
          title={t("mail.preview")}
          // It may run no script. Of an origin of its own, it could not be looked at from the page either.
          sandbox="allow-same-origin"
          srcDoc={`<!doctype html><html lang="${locale}"><style>${mailStyle}</style><body>${previews[locale][kind]}</body></html>`}
          style={{ width: "100%", height: 300, border: "1px solid #dedede", borderRadius: 8 }}
        />
      </FormLayout>
    </TitledCard>
  );
}
