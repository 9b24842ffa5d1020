/** The usual risks by Parasol's own names, which a merchant may take over where the service's texts are in another language. */
import type { Language } from "#app/platform/locale.ts";

export const risks = ["breakage", "theft", "oxidation", "breakdown"] as const;
export type Risk = (typeof risks)[number];

export const coverNames: Record<Language, Record<Risk, string>> = {
  en: {
    breakage: "Accidental damage",
    theft: "Theft",
    oxidation: "Liquid damage",
    breakdown: "Breakdown after the warranty",
  },
  fr: {
    breakage: "Casse accidentelle",
    theft: "Vol",
    oxidation: "Oxydation",
    breakdown: "Panne après la garantie",
  },
  de: {
    breakage: "Unfallschäden und Bruch",
    theft: "Diebstahl",
    oxidation: "Flüssigkeitsschäden",
    breakdown: "Defekte nach Ablauf der Garantie",
  },
  es: {
    breakage: "Rotura accidental",
    theft: "Robo",
    oxidation: "Daños por líquidos",
    breakdown: "Averías después de la garantía",
  },
  it: {
    breakage: "Rottura accidentale",
    theft: "Furto",
    oxidation: "Danni da liquidi",
    breakdown: "Guasti dopo la garanzia",
  },
  nl: {
    breakage: "Schade door ongelukken",
    theft: "Diefstal",
    oxidation: "Vochtschade",
    breakdown: "Defecten na de garantie",
  },
  pt: {
    breakage: "Quebra acidental",
    theft: "Roubo",
    oxidation: "Danos por líquidos",
    breakdown: "Avarias após a garantia",
  },
};
