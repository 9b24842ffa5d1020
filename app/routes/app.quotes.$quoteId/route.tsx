/** One quote: the link for the customer, and its offers. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import {
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  InlineStack,
  Layout,
  Link,
  Page,
  Text,
  TextField,
  ButtonGroup,
} from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { recordAccess } from "#app/audit/record.server.ts";
import { dropUnconfirmedQuote } from "#app/quotes/create-quote.server.ts";
import { findQuote } from "#app/quotes/quotes.server.ts";
import { withOwnLinks } from "#app/quotes/of-orders/quote-link.server.ts";
import { findOrderQuote } from "#app/quotes/of-orders/quote-outcomes.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { anyObject, notFound, parseForm } from "#app/platform/form.server.ts";
import { readMerchantSettings } from "#app/merchants/settings.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { StackedKeyValueList } from "#app/ui/details.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { QuoteStateBadge } from "#app/ui/status-badge.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { usePaymentText } from "#app/ui/use-plan-texts.ts";
import { TitledCard, TitledList } from "#app/ui/titled-card.tsx";
import { type ActionResult, refused } from "#app/ui/action-result.ts";
import { useAction, useCopyToClipboard, useRevalidateWhile } from "#app/ui/use-action.ts";
import type { QuoteView } from "#app/quotes/quotes.server.ts";
import { fillMail, mailTexts, type MerchantSettings, noExpiry } from "#app/merchants/settings.ts";
import type { Locale } from "#app/platform/locale.ts";
import { formatsFor } from "#app/ui/format.ts";
import { LanguageSelect } from "#app/ui/language-select.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

/** The merchant with the account of the quote: `?account=test` if that is not the current one. */
function withAccount(request: Request, merchant: Merchant): Merchant {
  const named = new URL(request.url).searchParams.get("account");
  return { ...merchant, environment: environment.catch(merchant.environment).parse(named) };
}

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop, actor, ...found } = await requireMerchant(request);
  const merchant = withAccount(request, found.merchant);
  const { quoteId = "" } = params;
  const stored = await findQuote(merchant, quoteId, toLocalDay(merchant.timezone, new Date()));
  const [quote] = stored ? await withOwnLinks(merchant, [stored]) : [];
  if (!quote) throw notFound();
  // The quote's URL after the insurer has confirmed it. After a reload of the browser, Shopify's parameters name the
  // shop.
  if (quote.quoteId !== quoteId) {
    const { search } = new URL(request.url);
    const created = search === "" ? "?created" : `${search}&created`;
    throw seeOther(`/app/quotes/${encodeURIComponent(quote.quoteId)}${created}`);
  }
  if (quote.customerEmail !== null) await recordAccess({ shop, actor }, "quote_viewed", quote.quoteId);
  const orderQuote = await findOrderQuote(merchant, quote.quoteId);
  return { quote, orderQuote, settings: await readMerchantSettings(merchant.shop), shopName: merchant.name };
}

/** Deletes a quote that the insurer has not confirmed. */
export const action = pageAction(async ({ request, params }, { merchant: inUse, actor }) => {
  await parseForm(request, anyObject);
  const merchant = withAccount(request, inUse);
  const { quoteId = "" } = params;
  if (await dropUnconfirmedQuote(merchant, quoteId, actor)) throw seeOther("/app/quotes");
  if (!(await findQuote(merchant, quoteId, toLocalDay(merchant.timezone, new Date())))) throw notFound();
  return refused("confirmed");
});

export default function QuotePage() {
  const { quote } = useLoaderData<typeof loader>();
  return quote.state === "sending" || quote.state === "unknown" ? (
    <UnconfirmedQuote quote={quote} state={quote.state} />
  ) : (
    <ConfirmedQuote />
  );
}

/** The insurer has not answered, or its answer was unclear. */
function UnconfirmedQuote({ quote, state }: { quote: QuoteView; state: "sending" | "unknown" }) {
  const { t } = useTranslation("quotes");
  const { submit, data: result, state: submission } = useAction<ActionResult<never, "confirmed">>();
  const [asking, setAsking] = useState(false);
  useRevalidateWhile(state === "sending");
  return (
    <Page
      title={t("one.unconfirmed.title")}
      titleMetadata={<QuoteStateBadge state={state} />}
      backAction={{ content: t("title"), url: "/app/quotes" }}
    >
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            {result?.state === "refused" && (
              <Banner tone="critical">{t(`one.unconfirmed.${result.reason}`)}</Banner>
            )}
            <Banner tone={state === "sending" ? "info" : "warning"}>
              <BlockStack gap="200">
                <Text as="p">{t(`one.unconfirmed.${state}`)}</Text>
                {state === "unknown" && (
                  <ButtonGroup>
                    {quote.customerName !== null && (
                      <Button url={`/app/quotes/new?again=${quote.quoteId}`}>
                        {t("one.unconfirmed.again")}
                      </Button>
                    )}
                    <Permitted>
                      <Button loading={submission !== "idle"} onClick={() => setAsking(true)}>
                        {t("one.unconfirmed.drop")}
                      </Button>
                    </Permitted>
                  </ButtonGroup>
                )}
              </BlockStack>
            </Banner>
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <QuoteFacts quote={quote} />
        </Layout.Section>
      </Layout>
      <ConfirmModal
        open={asking}
        title={t("one.unconfirmed.dropTitle")}
        body={t("one.unconfirmed.dropBody")}
        confirm={t("one.unconfirmed.drop")}
        destructive
        onConfirm={() => submit({}, { method: "post" })}
        onClose={() => setAsking(false)}
      />
    </Page>
  );
}

function ConfirmedQuote() {
  const { quote, orderQuote, settings, shopName } = useLoaderData<typeof loader>();
  const { t } = useTranslation("quotes");
  const { format, timezone } = useShop();
  const sayPayment = usePaymentText();
  const [search] = useSearchParams();
  const over = quote.state === "revoked" || quote.state === "sold" ? quote.state : null;
  // The insurer's titles often end with the term.
  const offerName = ({ title, termMonths: months }: (typeof quote.offers)[number]) =>
    new RegExp(`\\b${months}\\b`).test(title) ? title : t("one.offer", { months, title });
  const sayExpiry = ({ state, expiresOn }: typeof quote) => {
    const today = toLocalDay(timezone, new Date());
    // The insurer may call a quote expired before its last day.
    if (state === "expired" && (expiresOn === null || expiresOn >= today)) return t("one.over");
    if (expiresOn === null) return t("one.lasting");
    return t(state === "expired" ? "one.expired" : "one.expires", { date: format.date(expiresOn) });
  };
  const dateTime = (at: Date | null) => at && format.dateTime(at);
  const orderQuoteFacts: Fact[] = orderQuote
    ? [
        [t("one.order"), <Link url={`/app/orders/${orderQuote.orderId}`}>{orderQuote.orderId}</Link>],
        [t("one.opened"), dateTime(orderQuote.openedAt)],
        [t("one.revoked"), dateTime(orderQuote.revokedAt)],
        [t("one.sold"), dateTime(orderQuote.soldAt)],
        [t("one.contract"), orderQuote.contractId],
      ]
    : [[t("one.contract"), quote.contractId]];
  return (
    <Page
      title={t("one.title", { id: quote.quoteId })}
      subtitle={over !== null ? t(`one.${over}Title`) : sayExpiry(quote)}
      titleMetadata={<QuoteStateBadge state={quote.state} />}
      backAction={{ content: t("title"), url: "/app/quotes" }}
    >
      <Layout>
        {search.has("created") && (
          <Layout.Section>
            <Banner tone="success">{t("one.created")}</Banner>
          </Layout.Section>
        )}
        <Layout.Section>
          <BlockStack gap="400">
            {quote.otherProduct !== null && (
              <Banner tone="warning">{t("one.otherProduct", { product: quote.otherProduct })}</Banner>
            )}
            {quote.subscriptionLink !== "" && over === null && (
              <CopyableLink label={t("one.link")} help={t("one.linkHelp")} address={quote.subscriptionLink} />
            )}
            {quote.signatureLink !== null && quote.chargedBy === "merchant" && (
              <CopyableLink
                label={t("one.signature")}
                help={t("one.signatureHelp")}
                address={quote.signatureLink}
              />
            )}
            {quote.state === "active" && quote.subscriptionLink !== "" && (
              <QuoteEmailCard quote={quote} settings={settings} shopName={shopName} />
            )}
            <TitledList title={t("one.offers")}>
              {quote.offers.length === 0 && (
                <Box paddingInline="400" paddingBlockEnd="400">
                  <Text as="p" tone="subdued">
                    {t("one.noOffers")}
                  </Text>
                </Box>
              )}
              {quote.offers.map((offer, index) => (
                <Box
                  key={index}
                  paddingInline="400"
                  paddingBlock="300"
                  borderBlockStartWidth="025"
                  borderColor="border-secondary"
                >
                  <InlineStack align="space-between" gap="200">
                    <Text as="p">{offerName(offer)}</Text>
                    <Text as="p" numeric>
                      {sayPayment({
                        priceMinor: offer.priceMinor,
                        currency: offer.currencyCode,
                        billing: offer.billing,
                      }).join(" ")}
                    </Text>
                  </InlineStack>
                </Box>
              ))}
            </TitledList>
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <QuoteFacts quote={quote} more={orderQuoteFacts} />
        </Layout.Section>
      </Layout>
    </Page>
  );
}

type Fact = [name: string, value: ReactNode];

function QuoteFacts({ quote, more = [] }: { quote: QuoteView; more?: Fact[] }) {
  const { t } = useTranslation("quotes");
  const { format } = useShop();
  // Another word than the specification's two is shown as it came.
  const chargedByWords: Partial<Record<string, string>> = {
    merchant: t("form.chargedBy.merchant"),
    "the service": t("form.chargedBy.insurer"),
  };
  return (
    <TitledCard title={t("one.facts")}>
      <StackedKeyValueList
        items={[
          [t("one.customer"), quote.customerName ?? t("deleted")],
          [t("form.label.email"), quote.customerEmail ?? "–"],
          [t("one.product"), quote.productTitle],
          [t("column.price"), format.money(quote.priceMinor, quote.currency)],
          [t("one.category"), quote.categoryId],
          [t("one.purchased"), format.date(quote.purchasedOn)],
          [t("one.seller"), quote.sellerName ?? "–"],
          [t("one.chargedBy"), chargedByWords[quote.chargedBy] ?? quote.chargedBy],
          [t("column.created"), format.dateTime(quote.createdAt)],
          ...more.filter(([, value]) => value !== null),
        ]}
      />
    </TitledCard>
  );
}

function CopyableLink({ label, help, address }: { label: string; help: string; address: string }) {
  const { t } = useTranslation();
  const copy = useCopyToClipboard();
  return (
    <Card>
      <TextField
        label={label}
        helpText={help}
        value={address}
        readOnly
        selectTextOnFocus
        autoComplete="off"
        connectedRight={<Button onClick={() => void copy(address)}>{t("action.copy")}</Button>}
      />
    </Card>
  );
}

interface QuoteEmailCardProps {
  quote: QuoteView;
  settings: MerchantSettings;
  shopName: string;
}

/** A prepared e-mail with the link, which the merchant sends from their own address. */
function QuoteEmailCard({ quote, settings, shopName }: QuoteEmailCardProps) {
  const { t } = useTranslation("quotes");
  const { locale: ownLocale, timezone } = useShop();
  const copy = useCopyToClipboard();
  const [locale, setLocale] = useState<Locale>(ownLocale);
  const { subject, body } = fillMail(mailTexts(settings, locale), {
    customer: quote.customerName ?? "",
    product: quote.productTitle,
    link: quote.subscriptionLink,
    expires: quote.expiresOn === null ? noExpiry[locale] : formatsFor(locale, timezone).date(quote.expiresOn),
    shop: shopName,
  });
  const query = new URLSearchParams({ subject, body }).toString().replaceAll("+", "%20");
  return (
    <TitledCard title={t("mail.title")}>
      <LanguageSelect label={t("mail.language")} value={locale} onChange={setLocale} />
      <TextField label={t("mail.subject")} value={subject} readOnly autoComplete="off" />
      <TextField label={t("mail.body")} value={body} readOnly multiline={8} autoComplete="off" />
      <ButtonGroup>
        <Button url={`mailto:${encodeURIComponent(quote.customerEmail ?? "")}?${query}`} target="_blank">
          {t("mail.open")}
        </Button>
        <Button onClick={() => void copy(body)}>{t("mail.copy")}</Button>
      </ButtonGroup>
      <Link url={settingsAddress("mails")}>{t("mail.change")}</Link>
    </TitledCard>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
