/** The mail that tells a customer which contracts they have, in the language of their order. */
import { textsOf } from "#app/locales/customers/index.server.ts";
import { offerLine } from "#app/offers/offer-words.ts";
import { contactParts } from "#app/platform/contact-links.ts";
import { dayText, priceText, termText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import { type MailContent, type MailPart, writeMail } from "#app/platform/mail-document.ts";

export interface MailedContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  termMonths: number | null;
  /** what was paid for it: the first month alone where it is monthly */
  premiumMinor: number;
  /** what each month costs; null: it was paid once */
  monthlyPriceMinor: number | null;
  currency: string;
  /** YYYY-MM-DD */
  expiresOn: string | null;
  /** the last day to withdraw, YYYY-MM-DD */
  lastDay: string | null;
  /** what is covered, in the words of the shop or the insurer */
  covers: readonly string[];
  /** addresses of the legal documents at the moment of sale; empty: there was none */
  conditions: string;
  ipid: string;
}

export interface MailedOrder {
  shopName: string;
  orderName: string;
  /** the contracts are of the test account: they insure nothing */
  isTest: boolean;
  /** where the customer withdraws */
  withdrawal: string;
  /** where the customer insures what is not insured; null: nothing is left */
  insure: string | null;
  /** the page with what the customer needs to report a claim */
  claims: string;
  /** where the insurer takes claims; empty: not known */
  claimContact: string;
  /** the insurer's name and address; empty: not known */
  insurer: string;
  /** where customers complain; empty: not known */
  complaints: string;
  /** conditions and IPID come with the mail */
  hasAttachments: boolean;
}

export function contractMail(
  order: MailedOrder,
  contracts: readonly MailedContract[],
  language: Language,
): MailContent {
  const { shopName, orderName, isTest, withdrawal, insure, claims, claimContact, insurer, complaints } =
    order;
  const t = textsOf(language, "contractMail");
  const common = textsOf(language, "common");
  const from = common("order", { shop: shopName, order: orderName });
  return writeMail({
    language,
    shopName,
    subject: `${t("subject")} – ${from}`,
    title: t("subject"),
    parts: [
      ...(isTest ? [common("testContracts")] : []),
      t("intro"),
      from,
      ...contracts.map((contract) => contractPart(contract, language)),
      ...(order.hasAttachments ? [t("attached")] : []),
      {
        before: t("withdrawal"),
        label: textsOf(language, "withdrawal")("statutory.withdraw"),
        to: withdrawal,
      },
      { before: t("claim"), label: t("report"), to: claims },
      ...(claimContact === "" ? [] : [{ inline: contactParts(t("contact", { contact: claimContact })) }]),
      ...(insurer === "" ? [] : [t("insurer", { insurer })]),
      ...(complaints === "" ? [] : [{ inline: contactParts(t("complaints", { contact: complaints })) }]),
      ...(insure === null ? [] : [{ before: t("uninsured"), label: t("insure"), to: insure }]),
    ],
  });
}

/** Number, price, term and dates of a contract, what it covers and its documents. */
function contractPart(contract: MailedContract, language: Language): MailPart {
  const t = textsOf(language, "contractMail");
  const common = textsOf(language, "common");
  const { planTitle, insuredTitle, termMonths, monthlyPriceMinor, currency, expiresOn, lastDay, covers } =
    contract;
  const termLine = (months: number) =>
    monthlyPriceMinor === null
      ? t("term", { term: termText(months, language) })
      : offerLine(
          { formula: null, months, priceMinor: monthlyPriceMinor, billing: "monthly" },
          currency,
          language,
        );
  const facts = [
    common("contract", { number: contract.contractId }),
    ...(termMonths === null ? [] : [termLine(termMonths)]),
    t("paid", { amount: priceText(contract.premiumMinor, currency, language) }),
    ...(expiresOn === null ? [] : [common("until", { date: dayText(expiresOn, language) })]),
    ...(lastDay === null ? [] : [t("lastDay", { date: dayText(lastDay, language) })]),
  ];
  const documents = [
    { label: common("conditions"), to: contract.conditions },
    { label: common("ipid"), to: contract.ipid },
  ].filter(({ to }) => to !== "");
  return {
    heading:
      insuredTitle === null ? planTitle : common("insured", { plan: planTitle, product: insuredTitle }),
    parts: [
      { lines: facts },
      ...(covers.length === 0 ? [] : [{ title: common("covers"), list: covers }]),
      ...(documents.length === 0 ? [] : [{ lines: documents }]),
    ],
  };
}
