/** Pure: what the pages share on which customers choose insurance for an order by a link: frame, term, price, documents. */
import type { Billing } from "#app/insurance/fields.ts";
import { customerDocument, escapeHtml, languageLinks } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";
import { dayText, priceText, termText } from "#app/platform/customer-text.ts";

export interface ShownOffer {
  /** the set of guarantees; null where there is one alone */
  formula: string | null;
  months: number;
  priceMinor: number;
  billing: Billing;
}

/** `{months}` and `{price}`; of a monthly offer `{total}` too. */
const words: Record<
  Language,
  Record<"once" | "monthly" | "conditions" | "ipid" | "order" | "shop", string>
> = {
  en: {
    once: "{months}: {price}, paid once",
    monthly: "{months}: {price} per month, {total} in total",
    conditions: "General conditions",
    ipid: "Information document (IPID)",
    order: "Order",
    shop: "Back to",
  },
  fr: {
    once: "{months}\u00A0: {price}, payé en une fois",
    monthly: "{months}\u00A0: {price} par mois, {total} au total",
    conditions: "Conditions générales",
    ipid: "Document d’information (IPID)",
    order: "Commande",
    shop: "Retour à",
  },
  de: {
    once: "{months}: {price}, einmalig",
    monthly: "{months}: {price} pro Monat, insgesamt {total}",
    conditions: "Versicherungsbedingungen",
    ipid: "Informationsblatt (IPID)",
    order: "Bestellung",
    shop: "Zurück zu",
  },
  es: {
    once: "{months}: {price}, un solo pago",
    monthly: "{months}: {price} al mes, {total} en total",
    conditions: "Condiciones generales",
    ipid: "Documento de información (IPID)",
    order: "Pedido",
    shop: "Volver a",
  },
  it: {
    once: "{months}: {price}, pagamento unico",
    monthly: "{months}: {price} al mese, {total} in tutto",
    conditions: "Condizioni generali",
    ipid: "Documento informativo (IPID)",
    order: "Ordine",
    shop: "Torna a",
  },
  nl: {
    once: "{months}: {price}, eenmalig",
    monthly: "{months}: {price} per maand, {total} in totaal",
    conditions: "Algemene voorwaarden",
    ipid: "Verzekeringskaart (IPID)",
    order: "Bestelling",
    shop: "Terug naar",
  },
  pt: {
    once: "{months}: {price}, pago uma vez",
    monthly: "{months}: {price} por mês, {total} no total",
    conditions: "Condições gerais",
    ipid: "Documento de informação (IPID)",
    order: "Encomenda",
    shop: "Voltar a",
  },
};

/** "24 months: €58.90, paid once" */
export function offerLine(
  { formula, months, priceMinor, billing }: ShownOffer,
  currency: string,
  language: Language,
): string {
  const line = (billing === "monthly" ? words[language].monthly : words[language].once)
    .replace("{months}", termText(months, language))
    .replace("{price}", priceText(priceMinor, currency, language))
    .replace("{total}", priceText(priceMinor * months, currency, language));
  return formula === null ? line : `${formula}, ${line}`;
}

/** HTML of the links to the legal documents. */
export const documentLinks = (
  { conditions, ipid }: { conditions: string; ipid: string },
  language: Language,
): string =>
  `<a href="${escapeHtml(conditions)}">${words[language].conditions}</a><br><a href="${escapeHtml(ipid)}">${words[language].ipid}</a>`;

export interface ShownOrder {
  shop: string;
  shopName: string;
  orderName: string;
  isTest: boolean;
  /** YYYY-MM-DD, the last day */
  until: string;
}

/**
 * The page of an order: whose it is, until when something can be chosen, and the ways back.
 * @param texts `until` with `{date}`; `alert` is said above `main`, which is HTML
 */
export function orderPage(
  { shop, shopName, orderName, isTest, until }: ShownOrder,
  texts: { title: string; until: string; test: string; alert: string | null },
  main: string,
  language: Language,
): string {
  const { order, shop: back } = words[language];
  const name = escapeHtml(shopName);
  const date = dayText(until, language);
  const test = isTest ? `<p role="note"><strong>${texts.test}</strong></p>` : "";
  const about = `<p>${name}, ${order} ${escapeHtml(orderName)}<br><small>${texts.until.replace("{date}", date)}</small></p>`;
  const alert = texts.alert === null ? "" : `<p role="alert">${texts.alert}</p>`;
  return customerDocument(
    language,
    `${texts.title} – ${shopName}`,
    `${test}${about}${alert}${main}<footer><p><a href="https://${escapeHtml(shop)}/">${back} ${name}</a></p><p>${languageLinks(language)}</p></footer>`,
  );
}

/** Why there is nothing to choose. @param more HTML below it */
export const reasonPage = (
  [title, body]: readonly [title: string, body: string],
  language: Language,
  more = "",
): string =>
  customerDocument(
    language,
    title,
    `<p>${body}</p>${more}<footer><p>${languageLinks(language)}</p></footer>`,
  );
