/** A category and references as a base for tests of the catalogue's rules. */
import { wireCategory } from "#app/insurance/categories.ts";
import type { Reference } from "#app/catalogue/references/reference.ts";

export const phones = wireCategory.parse({
  id: "Smartphone casse et vol",
  marketing_data: {
    buttons: { headline: "Assurez votre smartphone", link_text: "En savoir plus" },
    modal: {
      headline: 'Protégez <votre> "smartphone"',
      bullet_points: ["Casse & chute"],
      image: "https://x.test/i.png",
    },
  },
  legal_documents: { ipid_url: "https://x.test/ipid.pdf", cg_url: "https://x.test/cg.pdf" },
});

export function reference(given: Partial<Reference> & { referenceId: string }): Reference {
  return {
    contractId: null,
    categoryId: phones.id,
    termMonths: 12,
    termLength: "12 mois",
    priceMinor: 4_990,
    currency: "EUR",
    bandMinMinor: 10_000,
    bandMaxMinor: 19_999,
    billing: "annually",
    title: "Assurance Smartphone, 12 mois",
    productReferenceIds: [],
    ...given,
  };
}
