/** Pure: how a member of staff notes that a customer agreed on the phone or in person. */
import { sellerName } from "#app/merchants/merchant.ts";
import type { Seller } from "#app/merchants/merchant.ts";
import type { Locale } from "#app/platform/locale.ts";
import { cutText } from "#app/platform/storable-text.ts";

export interface SpokenConsent {
  seller: Seller;
  at: Date;
  /** as the customer heard it, of one item */
  price: string;
  items: number;
  months: number;
}

/** A line property that the order's page shows as it is; at most 500 characters are kept of one. */
export function spokenConsent(locale: Locale, { seller, at, price, items, months }: SpokenConsent): string {
  const moment = at.toISOString().slice(0, 19).replace("T", " ");
  const name = cutText(sellerName(seller), 100);
  const sum = items === 1 ? price : `${price} × ${items}`;
  return locale === "fr"
    ? `Au téléphone ou sur place, le ${moment} UTC\u00a0: le client a entendu le prix (${sum}, ${months} mois), les conditions générales et l’IPID, et il est d’accord. Vendu par ${name}.`
    : `By phone or in person, ${moment} UTC: the customer heard the price (${sum}, ${months} months), the general conditions and the IPID, and agrees. Sold by ${name}.`;
}
