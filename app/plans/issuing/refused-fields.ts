/**
 * Words for a phone number in the languages that the service is likely to answer in. Letters on either side make it
 * another word: smartphones, iPhones and headphones are products. So are a "mobile" and a "portable" by themselves.
 */
const phoneWords = new RegExp(
  [
    String.raw`(?<!\p{L})(?:`,
    String.raw`(?:tele)?phone[\s_-]*(?:numbers?)?|t[eé]l[eé]phon(?:e|ique)s?|t[eé]l`,
    String.raw`|(?:mobile|cell|portable)[\s_-]*(?:numbers?|nums?)`,
    String.raw`|num[eé]ros?\s(?:de\s)?(?:mobile|portable)`,
    String.raw`)(?!\p{L})`,
  ].join(""),
  "iu",
);

/**
 * Whether the service's message is about the customer's phone number.
 * @param productTitle of the insured product, whose words say nothing: "Mobile phone X" is a product, too
 */
export function isAboutPhone(serviceMessage: string, productTitle: string | null): boolean {
  const message = serviceMessage.normalize("NFC");
  const title = productTitle?.normalize("NFC").trim() ?? "";
  return phoneWords.test(title === "" ? message : message.replaceAll(title, " "));
}
