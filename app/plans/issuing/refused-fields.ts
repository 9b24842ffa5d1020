/** What of the customer a refusal of the service is about, in the languages that it is likely to answer in. */
import type { CustomerField } from "#app/plans/ledger/customer.ts";

/** A whole word: letters on either side make it another one. */
const word = (pattern: string) => new RegExp(String.raw`(?<!\p{L})(?:${pattern})(?!\p{L})`, "iu");

/** Words for a phone number. Smartphones, iPhones and headphones are products; so are a "mobile" and a "portable". */
const phoneWords = word(
  String.raw`(?:tele)?phone[\s_-]*(?:numbers?)?|t[eé]l[eé]phon(?:e|ique)s?|t[eé]l` +
    String.raw`|(?:mobile|cell|portable)[\s_-]*(?:numbers?|nums?)` +
    String.raw`|num[eé]ros?\s(?:de\s)?(?:mobile|portable)`,
);

/**
 * Whether the service's message is about the customer's phone number.
 * @param productTitle of the insured product, whose words say nothing: "Mobile phone X" is a product, too
 */
export function isAboutPhone(serviceMessage: string, productTitle: string | null): boolean {
  return phoneWords.test(withoutTitle(serviceMessage, productTitle));
}

const fieldWords: readonly (readonly [CustomerField, RegExp])[] = [
  ["email", word(String.raw`e-?mails?|courriel`)],
  ["firstName", word(String.raw`first[\s_-]?name|pr[eé]nom`)],
  ["lastName", word(String.raw`last[\s_-]?name|surname|nom de famille`)],
  [
    "address1",
    word(
      String.raw`(?<!e-?mail\s)address(?:[\s_]?(?:line[\s_]?)?1)?|adresse(?!\s(?:e-?mail|[eé]lectronique))`,
    ),
  ],
  ["zip", word(String.raw`zip(?:[\s_-]?code)?|post(?:al)?[\s_-]?code|code\spostal`)],
  ["city", word("city|ville")],
  ["country", word(String.raw`country(?:[\s_-]?code)?|pays`)],
];
/** What a service says of a field that it does not take; without it a "country" may be where a product is not sold. */
const complaint = word(
  String.raw`invalid|not\s(?:a\s)?valid|incorrect|malformed|wrong|missing|required|blank|empty|too\s(?:long|short)|format|` +
    String.raw`(?:invalide|non\svalide|incorrecte?|erron[eé]e?|manquante?|obligatoire|requise?|vide|mal\sform[eé]e?)s?`,
);

/** The fields of the customer that a refusal is about; none where it is about something else. */
export function refusedFields(serviceMessage: string, productTitle: string | null): CustomerField[] {
  const message = withoutTitle(serviceMessage, productTitle);
  if (!complaint.test(message)) return [];
  const named = fieldWords.filter(([, words]) => words.test(message)).map(([field]) => field);
  return isAboutPhone(message, null) ? [...named, "phone"] : named;
}

function withoutTitle(serviceMessage: string, productTitle: string | null): string {
  const message = serviceMessage.normalize("NFC");
  const title = productTitle?.normalize("NFC").trim() ?? "";
  return title === "" ? message : message.replaceAll(title, " ");
}
