/**
 * How insurers name the fields of the customer: as the field of a request (`customer.address.zip_code`), and in words, in
 * French, English, German, Spanish, Italian, Dutch and Portuguese.
 */

/** A whole word: letters on either side make it another one. */
const word = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, "iu");

/** Words for a phone number. Smartphones, iPhones and headphones are products; so are a "mobile" and a "portable". */
export const phoneWords = word(
  String.raw`(?:tele)?phone[\s_-]*(?:numbers?)?|t[eé]l[eé]phon(?:e|ique)s?|t[eé]l` +
    String.raw`|(?:mobile|cell|portable)[\s_-]*(?:numbers?|nums?)|num[eé]ros?\s(?:de\s)?(?:mobile|portable)` +
    String.raw`|(?:telefon|handy|ruf|mobil)nummer|telefoonnummer|mobiel(?:e\s)?nummer` +
    String.raw`|(?:n[uú]mero\s(?:de|di)\s)?(?:tel[eéè]fono|telefone|telem[oó]vel)`,
);

const EMAIL = String.raw`e-?mail`;
export const fieldWords = [
  [
    "email",
    word(String.raw`${EMAIL}s?(?:[\s-]?adress?e?)?|courriel|correo\selectr[oó]nico|posta\selettronica`),
  ],
  [
    "firstName",
    word(String.raw`first[\s_-]?name|pr[eé]nom|vorname|voornaam|nombre(?!\sd)|nome(?!\sd)|primeiro\snome`),
  ],
  [
    "lastName",
    word(
      String.raw`last[\s_-]?name|surname|nom de famille|nachname|familienname|apellidos?|cognome|achternaam|sobrenome|apelido`,
    ),
  ],
  [
    "address1",
    word(
      String.raw`(?<!${EMAIL}[\s-])addresse?s?(?:[\s_]?(?:line[\s_]?)?1)?|(?<!${EMAIL}[\s-])adresse?(?!\s(?:e-?mail|[eé]lectronique))` +
        String.raw`|(?<!${EMAIL}[\s-]?)adres|anschrift|stra(?:ß|ss)e|direcci[oó]n(?!\sde\scorreo)|indirizzo(?!\s(?:e-?mail|di\sposta))` +
        String.raw`|endere[cç]o(?!\sde\se-?mail)|morada`,
    ),
  ],
  [
    "zip",
    word(
      String.raw`zip(?:[\s_-]?code)?|post(?:al)?[\s_-]?code|code\spostal|postleitzahl|plz|c[oó]digo\spostal|codice\spostale`,
    ),
  ],
  ["city", word("city|ville|stadt|ort|ciudad|citt[aà]|woonplaats|plaats|cidade|localidade")],
  ["country", word(String.raw`country(?:[\s_-]?code)?|pays|land|pa[ií]s|paese`)],
] as const;

export type RefusedField = (typeof fieldWords)[number][0] | "phone";

/** What an insurer says of a field that it does not take; without it a "country" may be where a product is not sold. */
export const complaint = word(
  String.raw`invalid|not\s(?:a\s)?valid|incorrect|malformed|wrong|missing|required|blank|empty|too\s(?:long|short)|format` +
    String.raw`|(?:invalide|pas\svalide|non\svalide|incorrecte?|erron[eé]e?|manquante?|obligatoire|requise?|vide|mal\sform[eé]e?)s?` +
    String.raw`|ung[uü]ltige?s?|nicht\sg[uü]ltig|fehlt|fehlende?|erforderlich|leer|falsche?s?|zu\s(?:lang|kurz)` +
    String.raw`|inv[aá]lid[oa]s?|no\s(?:es\s)?v[aá]lid[oa]s?|obligatori[oa]s?|requerid[oa]s?|falta|vac[ií][oa]s?|formato` +
    String.raw`|non\svalid[oaie]|obbligatori[oa]|mancante|richiest[oa]|vuot[oa]|errat[oa]` +
    String.raw`|ongeldige?|verplichte?|ontbreekt|leeg|onjuiste?` +
    String.raw`|obrigat[oó]ri[oa]s?|em\sfalta|vazi[oa]s?|incorret[oa]s?`,
);

/** By the last segment of a path, without separators. */
const fieldByName: Partial<Record<string, RefusedField>> = {
  email: "email",
  emailaddress: "email",
  mail: "email",
  firstname: "firstName",
  givenname: "firstName",
  prenom: "firstName",
  vorname: "firstName",
  lastname: "lastName",
  familyname: "lastName",
  surname: "lastName",
  nom: "lastName",
  nachname: "lastName",
  address: "address1",
  address1: "address1",
  addressline1: "address1",
  line1: "address1",
  street: "address1",
  adresse: "address1",
  zip: "zip",
  zipcode: "zip",
  postalcode: "zip",
  postcode: "zip",
  codepostal: "zip",
  plz: "zip",
  city: "city",
  town: "city",
  ville: "city",
  stadt: "city",
  country: "country",
  countrycode: "country",
  pays: "country",
  land: "country",
  phone: "phone",
  phonenumber: "phone",
  telephone: "phone",
  tel: "phone",
  mobile: "phone",
};

/** The customer's field at a path of the request; null: another field, such as the product's or the seller's. */
export function fieldAtPath(path: string): RefusedField | null {
  const segments = path.split(/[.[\]/]+/).filter((segment) => segment !== "" && !/^\d+$/.test(segment));
  if (segments.some((segment) => /^(?:variant|product|seller|offer)s?$/i.test(segment))) return null;
  const name = segments.at(-1)?.replace(/[_-]/g, "").toLowerCase() ?? "";
  return fieldByName[name] ?? null;
}
