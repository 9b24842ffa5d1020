/** The texts of plan products: title, description, option names and option values. */
import { sharedWords } from "#app/catalogue/references/formula.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";
import type { Category } from "#app/insurance/categories.ts";
import { escapeHtml } from "#app/platform/customer-page.ts";
import { type Language, languages } from "#app/platform/locale.ts";
import { cutText } from "#app/platform/storable-text.ts";

/**
 * The options of a plan product, whose values carts, orders and receipts show as the variant's name. Only a category with
 * several formulas has the second one.
 */
export const optionNames: Record<Language, { term: string; formula: string }> = {
  en: { term: "Duration", formula: "Cover" },
  fr: { term: "Durée", formula: "Formule" },
  de: { term: "Laufzeit", formula: "Tarif" },
  es: { term: "Duración", formula: "Cobertura" },
  it: { term: "Durata", formula: "Copertura" },
  nl: { term: "Looptijd", formula: "Dekking" },
  pt: { term: "Duração", formula: "Cobertura" },
};

export const productTypes: Record<Language, string> = {
  en: "Insurance",
  fr: "Assurance",
  de: "Versicherung",
  es: "Seguro",
  it: "Assicurazione",
  nl: "Verzekering",
  pt: "Seguro",
};

const linkTexts: Record<Language, { conditions: string; ipid: string }> = {
  en: { conditions: "General conditions", ipid: "Insurance product information document (IPID)" },
  fr: { conditions: "Conditions générales", ipid: "Document d’information (IPID)" },
  de: { conditions: "Versicherungsbedingungen", ipid: "Informationsblatt (IPID)" },
  es: { conditions: "Condiciones generales", ipid: "Documento de información (IPID)" },
  it: { conditions: "Condizioni generali", ipid: "Documento informativo (IPID)" },
  nl: { conditions: "Algemene voorwaarden", ipid: "Verzekeringskaart (IPID)" },
  pt: { conditions: "Condições gerais", ipid: "Documento de informação (IPID)" },
};

/** For people and for agents that read the shop's catalogue: what holds for every sale of a plan. */
const duties: Record<Language, string> = {
  en: "This insurance is optional and sold only with the product that it covers: one per piece, at the price that goes with that product’s. The buyer agrees to it after having seen its price, the general conditions and the information document.",
  fr: "Cette assurance est facultative et vendue uniquement avec l’article qu’elle couvre : une par article, au prix qui correspond à celui de l’article. L’acheteur y consent après avoir vu son prix, les conditions générales et le document d’information.",
  de: "Diese Versicherung ist freiwillig und wird nur mit dem Produkt verkauft, das sie versichert: eine je Stück, zu dem Preis, der zu dessen Preis gehört. Der Käufer stimmt ihr zu, nachdem er ihren Preis, die Versicherungsbedingungen und das Informationsblatt gesehen hat.",
  es: "Este seguro es opcional y se vende solo con el producto que cubre: uno por artículo, al precio que corresponde al del producto. El comprador lo acepta tras ver su precio, las condiciones generales y el documento de información.",
  it: "Questa assicurazione è facoltativa e si vende solo con il prodotto che copre: una per articolo, al prezzo che corrisponde a quello del prodotto. L’acquirente vi acconsente dopo averne visto il prezzo, le condizioni generali e il documento informativo.",
  nl: "Deze verzekering is vrijwillig en wordt alleen verkocht met het product dat ze verzekert: één per stuk, tegen de prijs die bij die van het product hoort. De koper stemt ermee in nadat hij de prijs, de algemene voorwaarden en de verzekeringskaart heeft gezien.",
  pt: "Este seguro é facultativo e vendido apenas com o produto que cobre: um por artigo, ao preço que corresponde ao do produto. O comprador aceita-o depois de ver o preço, as condições gerais e o documento de informação.",
};

/** Making a format takes far longer than formatting, and a catalogue has thousands of references. */
const monthFormats = new Map<Language, Intl.NumberFormat>();

/** What a variant is called: its term and nothing else, `24 months`. */
export function termName(months: number, language: Language): string {
  let format = monthFormats.get(language);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { style: "unit", unit: "month", unitDisplay: "long" });
    monthFormats.set(language, format);
  }
  // Option values are compared and typed: plain spaces only.
  return format.format(months).replace(/\s/gu, " ");
}

/** Whether a variant's name, in any language, is the term of another one: the service has changed the reference's since. */
export function namesAnotherTerm(name: string, months: number): boolean {
  const [label = ""] = name.split(" · ");
  const named = Number.parseInt(label, 10);
  return named > 0 && named !== months && languages.some((language) => termName(named, language) === label);
}

/** What the titles of all its offers begin with; the category's name where they have nothing in common. */
export function productTitle(category: Category, references: readonly Reference[]): string {
  const title = sharedWords(references.map(({ title: own }) => own));
  return cutText(title.length >= 8 ? title : category.id, 250);
}

/** Marketing texts are plain text from outside: every character of them is escaped. */
export function descriptionHtml({ marketing: { modal }, legal }: Category, language: Language): string {
  const texts = linkTexts[language];
  const links: [string, string][] = [
    [legal.conditionsUrl, texts.conditions],
    [legal.ipidUrl, texts.ipid],
  ];
  return [
    modal.headline && `<p><strong>${escapeHtml(modal.headline)}</strong></p>`,
    modal.bulletsHeading && `<p>${escapeHtml(modal.bulletsHeading)}</p>`,
    modal.bulletPoints.length > 0 &&
      `<ul>${modal.bulletPoints.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`,
    modal.legalText && `<p>${escapeHtml(modal.legalText)}</p>`,
    `<p>${duties[language]}</p>`,
    ...links.map(([url, text]) => isLink(url) && `<p><a href="${escapeHtml(url)}">${text}</a></p>`),
  ]
    .filter((part) => part !== false)
    .join("");
}
