/** What is known of one insured item, as a list: what it insures and covers, its documents, its claims, the consent. */
import { BlockStack, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ContractClaim } from "#app/claims/claims.ts";
import type { KnownClaims } from "#app/claims/claims.server.ts";
import type { ItemView, OrderView } from "#app/orders/admin/order-page.server.ts";
import { readConsent } from "#app/orders/consent.ts";
import { contactParts } from "#app/platform/contact-links.ts";
import type { Arrival } from "#app/ui/deferred.tsx";
import { Folded, KeyValueList } from "#app/ui/details.tsx";
import { useDownload } from "#app/ui/exportable-list.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";
import { usePlanPaymentText, useTouchpointText } from "#app/ui/use-plan-texts.ts";

export type ClaimsArrival = Arrival<Map<string, KnownClaims>>;

interface Props {
  /** its name */
  order: string;
  item: ItemView;
  fulfilment: OrderView["fulfilment"];
  /** where its customer reports a claim; null: no contract of the order is in force */
  claims: OrderView["claims"];
  knownClaims: ClaimsArrival;
}

export function ContractDetails({ order, item, fulfilment, claims, knownClaims }: Props) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const touchpointName = useTouchpointText();
  const sayPayment = usePlanPaymentText();
  const { contractId, movedTo, cover, documents, offerPriceMinor, premiumMinor, currency } = item;
  const borneMinor = offerPriceMinor - premiumMinor;
  const payment = [
    sayPayment(item),
    ...(item.touchpoint === null
      ? []
      : [t("plan.touchpoint", { touchpoint: touchpointName(item.touchpoint) })]),
    ...(borneMinor > 0
      ? [
          t("plan.borne", {
            price: format.money(offerPriceMinor, currency),
            difference: format.money(borneMinor, currency),
          }),
        ]
      : []),
  ].join(" · ");
  const period =
    item.activatesOn !== null && item.expiresOn !== null
      ? t("plan.period", { from: format.date(item.activatesOn), to: format.date(item.expiresOn) })
      : null;
  const rows: [name: string, value: ReactNode][] = [
    [t("plan.label.insures"), insuredProduct()],
    [t("plan.label.paid"), movedTo === null ? payment : t("plan.moved", { product: movedTo })],
    [t("plan.label.period"), period],
    [t("plan.label.cover"), cover.points.length === 0 ? null : <Cover cover={cover} />],
    [t("plan.label.documents"), documents.length === 0 ? null : <Documents item={item} />],
    [t("plan.label.contact"), contractId === null || claims === null ? null : <Contact claims={claims} />],
    [t("plan.label.claims"), contractId === null ? null : <Claims id={contractId} arrival={knownClaims} />],
    [t("plan.label.consent"), consentOf(item)],
    [t("plan.label.fulfilment"), fulfilmentText()],
  ];
  return <KeyValueList items={rows.filter(([, value]) => value !== null)} />;

  function insuredProduct(): string | null {
    const { insuredTitle, insuredPriceMinor, insuredCurrency } = item;
    if (insuredTitle === null || insuredPriceMinor === null || insuredCurrency === null) return null;
    return `${insuredTitle}, ${format.money(insuredPriceMinor, insuredCurrency)}`;
  }

  function consentOf({ consent, consentText, consentWords, consentErasedAt }: ItemView): ReactNode {
    if (consentErasedAt !== null) return t("plan.consentErased", { at: format.date(consentErasedAt) });
    const noted = consent === null ? null : readConsent(consent);
    const words = consentWords ?? (consentText === null ? null : withoutColon(consentText));
    if (noted === null && words === null) return null;
    const given =
      noted === null ? t("plan.consentNoted") : t("plan.consentGiven", { at: format.dateTime(noted.at) });
    if (words === null) return `${given} (${t("plan.consentVersion", { version: noted?.version })})`;
    return <Consent order={order} contractId={contractId} given={given} words={words} />;
  }

  function fulfilmentText(): string | null {
    const { state, fulfilledAt } = item;
    if (state !== "active") return fulfilledAt === null ? null : t("plan.staysFulfilled");
    if (fulfilledAt === null) return t(`plan.fulfilment.${fulfilment}`);
    return t("plan.fulfilled", { at: format.dateTime(fulfilledAt) });
  }
}

function Cover({ cover: { points, isAsSold } }: Pick<ItemView, "cover">) {
  const { t } = useTranslation("orders");
  return (
    <>
      {points.map((point) => (
        <div key={point}>{point}</div>
      ))}
      {!isAsSold && (
        <Text as="span" tone="subdued">
          {t("plan.coverNow")}
        </Text>
      )}
    </>
  );
}

/** Each as the insurer's address answered at the sale; the address itself if it did not answer then. */
function Documents({ item: { documents, lineId, itemNumber } }: { item: ItemView }) {
  const { t } = useTranslation("orders");
  const { orderId = "" } = useParams();
  const { downloading, download } = useDownload();
  return (
    <InlineStack gap="300">
      {documents.map(({ name, address, isKept }) =>
        isKept ? (
          <Button
            key={name}
            variant="plain"
            disabled={downloading}
            accessibilityLabel={t("plan.asSold", { document: t(`plan.document.${name}`) })}
            onClick={() =>
              void download(
                `/app/orders/${orderId}/documents/${lineId}-${itemNumber}/${name}`,
                `${name}-${orderId}.pdf`,
              )
            }
          >
            {t(`plan.document.${name}`)}
          </Button>
        ) : (
          <Link key={name} url={address} target="_blank">
            {t(`plan.document.${name}`)}
          </Link>
        ),
      )}
    </InlineStack>
  );
}

/** Who insures, and where claims are reported. */
export function Contact({ claims: { insurer, contact } }: { claims: NonNullable<OrderView["claims"]> }) {
  const { t } = useTranslation("orders");
  return (
    <>
      {insurer !== "" && <div>{insurer}</div>}
      {contact === "" ? (
        <Link url={settingsAddress("mails", "claimContact")}>{t("claim.enterContact")}</Link>
      ) : (
        contactParts(contact).map((part, index) =>
          typeof part === "string" ? (
            part
          ) : (
            <Link key={index} url={part.to} target="_blank">
              {part.label}
            </Link>
          ),
        )
      )}
    </>
  );
}

/** The claims that the insurer has for the contract, and the way to all of them. */
function Claims({ id, arrival }: { id: string; arrival: ClaimsArrival }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const known = arrival.state === "failed" ? undefined : arrival.value?.get(id);
  const words = () => {
    if (arrival.state === "pending" && known === undefined) return t("claim.reading");
    if (known === undefined) return t("claim.unreadable");
    return known.claims.length === 0 ? t("claim.none") : null;
  };
  return (
    <BlockStack gap="050" inlineAlign="start">
      <span role="status">{words()}</span>
      {known?.claims.map((claim) => (
        <ClaimLine key={claim.id} claim={claim} />
      ))}
      {known?.isCurrent === false && arrival.state === "arrived" && (
        <Text as="span" tone="subdued">
          {t("claim.asOf", { at: format.dateTime(known.readAt) })}
        </Text>
      )}
      <Link
        url={`/app/claims?plan=${encodeURIComponent(id)}`}
        accessibilityLabel={t("plan.claims.name", { id })}
      >
        {t("plan.claims.label")}
      </Link>
    </BlockStack>
  );
}

function ClaimLine({ claim: { id, type, approval, status, filedOn, closedOn } }: { claim: ContractClaim }) {
  const { t } = useTranslation(["orders", "claims", "common"]);
  const { format } = useShop();
  const types: Partial<Record<string, string>> = t("claims:type", { returnObjects: true });
  const approvals: Partial<Record<string, string>> = t("claims:approval", { returnObjects: true });
  const states: Partial<Record<string, string>> = t("claims:status", { returnObjects: true });
  const parts = [
    id,
    types[type] ?? t("common:unknown.claim", { raw: type }),
    t("orders:claim.filed", { date: format.date(filedOn) }),
    approvals[approval] ?? t("common:unknown.state", { raw: approval }),
    closedOn === null
      ? (states[status] ?? t("common:unknown.state", { raw: status }))
      : t("claims:closedOn", { date: format.date(closedOn) }),
  ];
  return <span>{parts.join(" · ")}</span>;
}

/** On the storefront the documents' links follow the text. Here it would end with a colon. */
const withoutColon = (text: string) => text.replace(/\s*:\s*$/u, "");

interface ConsentProps {
  order: string;
  contractId: string | null;
  /** when and how it was given */
  given: string;
  /** what the customer agreed to */
  words: string;
}

/** The shopper's consent as the order line recorded it, and a text for an answer to the customer. */
function Consent({ order, contractId, given, words }: ConsentProps) {
  const { t } = useTranslation("orders");
  const copy = useCopyToClipboard();
  const quoted = t("plan.consentWords", { words });
  const answer = [
    t("plan.consentAnswer", { order }),
    ...(contractId === null ? [] : [t("plan.consentContract", { contractId })]),
    given,
    quoted,
  ].join("\n");
  return (
    <BlockStack gap="100" inlineAlign="start">
      <Folded summary={given}>
        <Text as="p" breakWord>
          {quoted}
        </Text>
      </Folded>
      <Button variant="plain" onClick={() => void copy(answer)}>
        {t("plan.consentCopy")}
      </Button>
    </BlockStack>
  );
}
