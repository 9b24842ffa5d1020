/** The stand-in's catalogue: French electronics, one category per universe and guarantees, 3 terms × 10 price bands. */
import type { Category, Reference } from "./schema.ts";
import type { Catalogue } from "./records.ts";

interface Universe {
  /** Start of its references. */
  code: string;
  /** The category's name, which is its id. */
  name: string;
  thing: string;
  covers: string[];
  billing: "annually" | "monthly";
  /** Yearly premium in percent of the band's upper price. */
  percent: number;
  /** Sets of guarantees that are offered side by side; each is a contract of its own. */
  formulas?: Formula[];
}

interface Formula {
  code: string;
  name: string;
  covers: string[];
  /** Of the universe's premium. */
  factor: number;
}

/**
 * Base address of documents and images: shoppers are given https links only. A driven browser gets them from the
 * stand-in itself.
 */
export const DOCUMENTS = "https://assurance.example";

/**
 * How the sets of guarantees are told apart: `one`: each universe has one; `contracts`: one universe has three in its
 * category, which differ by contract and title; `categories`: each is a category of its own. `english` is `one` in English.
 */
export const formulaStyles = ["one", "contracts", "categories", "english"] as const;
export type FormulaStyle = (typeof formulaStyles)[number];

/** The lower ends of the price bands, in cents; each band ends one cent below the next. */
const BANDS = [5_000, 10_000, 20_000, 30_000, 40_000, 50_000, 70_000, 90_000, 120_000, 160_000];
const HIGHEST = 250_000;
const TERMS = [12, 24, 36];
/** Longer terms cost less per year. */
const TERM_FACTOR = new Map([
  [12, 1],
  [24, 1.8],
  [36, 2.4],
]);

const ENGLISH: Universe[] = [
  {
    code: "SMA-CV",
    name: "Smartphone damage and theft",
    thing: "your smartphone",
    covers: ["Accidental damage, screen included", "Theft by break-in or assault", "Oxidation"],
    billing: "annually",
    percent: 11,
  },
  {
    code: "INF-CP",
    name: "Computing damage and breakdown",
    thing: "your laptop, desktop computer or tablet",
    covers: ["Accidental damage", "Breakdown after the manufacturer's guarantee", "Oxidation"],
    billing: "annually",
    percent: 8,
  },
  {
    code: "PHO-CVO",
    name: "Photo damage, theft and oxidation",
    thing: "your camera or lens",
    covers: ["Accidental damage", "Theft by break-in or assault", "Oxidation, water and sand"],
    billing: "annually",
    percent: 9,
  },
];

const UNIVERSES: Universe[] = [
  {
    code: "SMA-CV",
    name: "Smartphone casse et vol",
    thing: "votre smartphone",
    covers: ["Casse accidentelle, écran compris", "Vol par effraction ou agression", "Oxydation"],
    billing: "annually",
    percent: 11,
  },
  {
    code: "INF-CP",
    name: "Informatique casse et panne",
    thing: "votre ordinateur ou votre tablette",
    covers: ["Casse accidentelle", "Panne après la garantie du fabricant", "Oxydation"],
    billing: "annually",
    percent: 8,
  },
  {
    code: "PHO-CVO",
    name: "Photo casse, vol et oxydation",
    thing: "votre appareil photo ou votre objectif",
    covers: ["Casse accidentelle", "Vol par effraction ou agression", "Oxydation, eau et sable"],
    billing: "annually",
    percent: 9,
  },
];

/** Billed monthly: sold by the organisation's shops only, so that the main store keeps its 90 references. */
export const MONTHLY_UNIVERSE: Universe = {
  code: "TVH-PAN",
  name: "Télévision panne (mensuel)",
  thing: "votre téléviseur",
  covers: ["Panne électrique ou électronique", "Dépannage à domicile"],
  billing: "monthly",
  percent: 6,
};

const FORMULAS: Formula[] = [
  { code: "C", name: "Casse", covers: ["Casse accidentelle, écran compris"], factor: 0.6 },
  {
    code: "CV",
    name: "Casse et vol",
    covers: ["Casse accidentelle, écran compris", "Vol par effraction ou agression"],
    factor: 1,
  },
  {
    code: "INT",
    name: "Intégrale",
    covers: ["Casse accidentelle, écran compris", "Vol par effraction ou agression", "Oxydation", "Panne"],
    factor: 1.5,
  },
];
const PHONES: Universe = {
  code: "TEL",
  name: "Smartphone",
  thing: "votre smartphone",
  covers: ["Casse accidentelle, écran compris", "Selon la formule : vol, oxydation, panne"],
  billing: "annually",
  percent: 11,
  formulas: FORMULAS,
};

function universesOf(style: FormulaStyle): Universe[] {
  if (style === "contracts") return [PHONES];
  if (style === "one") return UNIVERSES;
  if (style === "english") return ENGLISH;
  return FORMULAS.map(({ code, name, covers, factor }) => ({
    ...PHONES,
    code: `TEL-${code}`,
    name: `Smartphone ${name}`,
    covers,
    percent: PHONES.percent * factor,
    formulas: [],
  }));
}

export function createCatalogue(
  merchant: string,
  { extra = [], formulas = "one" }: { extra?: Universe[]; formulas?: FormulaStyle } = {},
): Catalogue {
  const universes = [...universesOf(formulas), ...extra];
  return {
    categories: new Map(
      universes.map((universe) => [universe.name, categoryOf(universe, merchant, wordsOf(formulas))]),
    ),
    references: new Map(
      universes
        .flatMap((universe) => referencesOf(universe, wordsOf(formulas)))
        .map((reference) => [reference.reference_id, reference]),
    ),
  };
}

function referencesOf({ formulas = [], ...universe }: Universe, words: Words): Reference[] {
  if (formulas.length > 0)
    return formulas.flatMap(({ code, name, factor }) =>
      referencesOf(
        { ...universe, code: `${universe.code}-${code}`, percent: universe.percent * factor },
        words,
      ).map((reference) => ({ ...reference, title: `Assurance ${name}, ${reference.term} mois` })),
    );
  return TERMS.flatMap((term) =>
    BANDS.map((min, index) => {
      const max = (BANDS[index + 1] ?? HIGHEST + 1) - 1;
      return {
        reference_id: `${universe.code}-${term}-${String(index + 1).padStart(2, "0")}`,
        contract_id: `CG-${universe.code}-2026`,
        category_id: universe.name,
        title: words.title(universe.name, term),
        term,
        price: premium(universe, term, max),
        currency_code: "EUR",
        price_band_min: min,
        price_band_max: max,
        billing: universe.billing,
        product_reference_ids: null,
      };
    }),
  );
}

/** Cents, ending in 90 as shop prices do; for monthly billing the price of a month. */
function premium(universe: Universe, term: number, bandMax: number): number {
  const yearly = (bandMax * universe.percent) / 100;
  const whole = universe.billing === "monthly" ? yearly / 12 : yearly * (TERM_FACTOR.get(term) ?? term / 12);
  return Math.max(190, Math.round(whole / 100) * 100 - 10);
}

interface Words {
  title: (name: string, term: number) => string;
  more: string;
  headline: (thing: string) => string;
  modalHeadline: (thing: string) => string;
  covered: string;
  modalLink: string;
  buy: string;
  decline: string;
  legal: string;
  cart: () => string;
}

const french: Words = {
  title: (name, term) => `Assurance ${name}, ${term} mois`,
  more: "En savoir plus",
  headline: (thing) => `Assurez ${thing}`,
  modalHeadline: (thing) => `Protégez ${thing}`,
  covered: "Vous êtes couvert contre :",
  modalLink: "Tout savoir sur l'assurance",
  buy: "Choisir l’assurance",
  decline: "Sans assurance",
  legal:
    "Contrat d'assurance collectif souscrit par l'intermédiaire de l’assureur. Garanties, exclusions et plafonds : voir les conditions générales et le document d'information (IPID). Vous disposez de 30 jours pour renoncer.",
  cart: () => "Ajouter l’assurance",
};

const english: Words = {
  title: (name, term) => `${name} insurance, ${term} months`,
  more: "Learn more",
  headline: (thing) => `Insure ${thing}`,
  modalHeadline: (thing) => `Protect ${thing}`,
  covered: "You are covered against:",
  modalLink: "All about the insurance",
  buy: "Choose insurance",
  decline: "No insurance",
  legal:
    "Group insurance contract taken out through the insurer. Cover, exclusions and limits: see the general conditions and the information document (IPID). You have 30 days to withdraw.",
  cart: () => "Add insurance",
};

const wordsOf = (style: FormulaStyle): Words => (style === "english" ? english : french);

function categoryOf({ name, thing, covers }: Universe, merchant: string, words: Words): Category {
  const slug = encodeURIComponent(name);
  return {
    id: name,
    marketing_data: {
      buttons: { link_text: words.more, headline: words.headline(thing) },
      modal: {
        headline: words.modalHeadline(thing),
        coverage_bullets_heading: words.covered,
        bullet_points: covers,
        link_text: words.modalLink,
        buy_text: words.buy,
        decline_text: words.decline,
        legal_text: words.legal,
        image: `${DOCUMENTS}/assets/${slug}.svg`,
        merchant_logo: `${DOCUMENTS}/assets/logo/${encodeURIComponent(merchant)}.svg`,
        marketing_page_url: `${DOCUMENTS}/documents/${slug}/presentation`,
      },
      cart: { simple_offer_button_text: words.cart() },
    },
    legal_documents: {
      ipid_url: `${DOCUMENTS}/documents/${slug}/ipid`,
      cg_url: `${DOCUMENTS}/documents/${slug}/conditions-generales`,
    },
  };
}

/**
 * The offers that match a query; a missing parameter does not filter. Offers for this very product take the place
 * of the general ones of the same term.
 * @param price the product's price in cents
 */
export function offersFor(
  references: Iterable<Reference>,
  { categoryId, product, price }: { categoryId?: string; product?: string; price?: number },
): Reference[] {
  const fitting = [...references].filter(
    (reference) =>
      (categoryId === undefined || reference.category_id === categoryId) &&
      (price === undefined || (reference.price_band_min <= price && price <= reference.price_band_max)) &&
      (reference.product_reference_ids === null ||
        (product !== undefined && reference.product_reference_ids.includes(product))),
  );
  const special = new Set(fitting.filter(isSpecial).map(categoryAndTerm));
  return fitting.filter((reference) => isSpecial(reference) || !special.has(categoryAndTerm(reference)));
}

function isSpecial(reference: Reference): boolean {
  return reference.product_reference_ids !== null;
}

function categoryAndTerm(reference: Reference): string {
  return `${reference.category_id}|${reference.term}`;
}
