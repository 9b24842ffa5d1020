/**
 * The data that the app writes for the checkout (app/offers/checkout). It is public: it holds only what a shopper sees.
 */
import { isObject, link, partOf, readMetafield, text } from "../../parts.ts";
import type { Band, Offer } from "../../catalogue.ts";

/** The merchant's own texts of one language. A missing text falls back to the category's, then to this extension's. */
export interface CheckoutTexts {
  headline?: string | undefined;
  legal?: string | undefined;
  cart_button?: string | undefined;
  consent?: string | undefined;
  consent_version?: string | undefined;
}

/** The shop's metafield `$app:checkout`. */
export interface CheckoutSettings {
  /** the merchant offers insurance at the checkout */
  on: boolean;
  /** orders get automatic quotes for uninsured items, where their buyer may be contacted */
  quotes: boolean;
  /** where the buyer insures uninsured purchases, and for how many days; null: nowhere */
  insure: { url: string; days: number } | null;
  /** where the thank-you page reads whether the contract exists; null: nowhere */
  cover: string | null;
  /** the merchant's order of terms, in months */
  terms: number[];
  /** the language of the insurer's texts */
  language: string;
  /** the insurer's name; empty: the merchant has not entered it */
  insurer: string;
  insurer_address: string;
  /** where customers complain */
  complaints: string;
  /** the rule of sale: where orders may be delivered (empty: anywhere), and whether companies may buy */
  countries: string[];
  companies: boolean;
  /** the merchant's registration as an insurance intermediary; empty: none */
  registration_number: string;
  /** days in which the buyer may withdraw, and the page where they do; null: not known */
  withdrawal: { days: number; page: string } | null;
  /** by language: `fr`, `pt-BR` */
  texts: Record<string, CheckoutTexts>;
  /** by category key: the gid of the plan product with the category's offers in its metafield */
  plans: Record<string, string>;
}

/** The metafield `$app:checkout` of a plan product: the offers of its category. */
export interface CheckoutCatalogue {
  currency: string;
  bands: Band[];
  /** by language, then by the formula's name in `bands`: the merchant's own name of the formula */
  names: Record<string, Record<string, string>>;
  /** texts of the category, in the insurer's language */
  texts: { headline: string; legal: string; cart_button: string };
  /** what is covered, by language: the merchant's points, or the insurer's; empty if there are several formulas */
  cover: Record<string, string[]>;
  /** https links of general conditions and information document, for each formula with its own */
  documents: { name: string; cg: string; ipid: string }[];
}

/** Parses the settings leniently: an unreadable part is off or missing. */
export function readSettings(value: unknown): CheckoutSettings {
  const given = readMetafield(value) ?? {};
  const texts = entriesOf(given.texts);
  const plans = entriesOf(given.plans);
  return {
    on: given.on === true,
    quotes: given.quotes === true,
    insure: readInsure(given.insure),
    cover: link(given.cover),
    terms: Array.isArray(given.terms) ? given.terms.filter((term) => typeof term === "number") : [],
    language: text(given.language) ?? "",
    insurer: text(given.insurer) ?? "",
    insurer_address: text(given.insurer_address) ?? "",
    complaints: text(given.complaints) ?? "",
    countries: Array.isArray(given.countries)
      ? given.countries.flatMap((country) => text(country) ?? [])
      : [],
    companies: given.companies === true,
    registration_number: text(given.registration_number) ?? "",
    withdrawal: readWithdrawal(given.withdrawal),
    texts: Object.fromEntries(texts.map(([language, own]) => [language, readTexts(own)])),
    plans: Object.fromEntries(
      plans.flatMap(([key, product]) => (typeof product === "string" ? [[key, product]] : [])),
    ),
  };
}

const entriesOf = (value: unknown): [string, unknown][] => Object.entries(isObject(value) ? value : {});

function readInsure(given: unknown): CheckoutSettings["insure"] {
  const [url, days] = [link(partOf(given, "url")), partOf(given, "days")];
  return url === null || typeof days !== "number" ? null : { url, days };
}

function readWithdrawal(given: unknown): CheckoutSettings["withdrawal"] {
  const [page, days] = [link(partOf(given, "page")), partOf(given, "days")];
  return page === null || typeof days !== "number" ? null : { page, days };
}

function readTexts(given: unknown): CheckoutTexts {
  const [headline, legal, cart_button, consent, consent_version] = [
    "headline",
    "legal",
    "cart_button",
    "consent",
    "consent_version",
  ].map((name) => text(partOf(given, name)) ?? undefined);
  return { headline, legal, cart_button, consent, consent_version };
}

/** The offers of a category. Null, and no offer: a part is unreadable, or a document is missing. */
export function readCatalogue(value: unknown): CheckoutCatalogue | null {
  const given = readMetafield(value);
  if (!Array.isArray(given?.bands)) return null;
  const currency = text(given.currency);
  const documents = Array.isArray(given.documents) ? given.documents.map(readDocuments) : [];
  if (currency === null || documents.length === 0 || !documents.every((each) => each !== null)) return null;
  const bands = given.bands.map(readBand);
  if (!bands.every((band) => band !== null)) return null;
  const word = (name: string) => text(partOf(given.texts, name)) ?? "";
  return {
    currency,
    bands,
    names: Object.fromEntries(
      entriesOf(given.names).map(([language, own]) => [
        language,
        Object.fromEntries(
          entriesOf(own).flatMap(([name, shown]) => (typeof shown === "string" ? [[name, shown]] : [])),
        ),
      ]),
    ),
    documents,
    texts: { headline: word("headline"), legal: word("legal"), cart_button: word("cart_button") },
    cover: Object.fromEntries(
      entriesOf(given.cover).map(([language, points]) => [
        language,
        Array.isArray(points) ? points.filter((point) => typeof point === "string") : [],
      ]),
    ),
  };
}

function readDocuments(value: unknown): CheckoutCatalogue["documents"][number] | null {
  const [cg, ipid] = [secureLink(partOf(value, "cg")), secureLink(partOf(value, "ipid"))];
  return cg === null || ipid === null ? null : { name: text(partOf(value, "name")) ?? "", cg, ipid };
}

const secureLink = (value: unknown): string | null => {
  const address = text(value);
  return address?.startsWith("https://") ? address : null;
};

function readBand(value: unknown): Band | null {
  if (!isObject(value)) return null;
  const { min, max, offers: given } = value;
  if (typeof min !== "number" || typeof max !== "number" || !Array.isArray(given)) return null;
  const offers = given.map(readOffer);
  return offers.every((offer) => offer !== null) ? { min, max, offers } : null;
}

function readOffer(value: unknown): Offer | null {
  if (!isObject(value)) return null;
  const { term, price, billing, variant, reference, formula } = value;
  if (typeof term !== "number" || typeof price !== "number") return null;
  if (billing !== "monthly" && billing !== "annually") return null;
  if (typeof variant !== "string" || typeof reference !== "string") return null;
  if (formula !== undefined && typeof formula !== "string") return null;
  return { term, price, billing, variant, reference, formula };
}
