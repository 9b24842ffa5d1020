/** Who sells insurance in person. */

/** As the service takes a seller's name (spec, "Lead"): in two parts. */
export interface Seller {
  firstName: string;
  lastName: string;
}

/** A name in two parts, the first word first; null where the text has no two words, such as an e-mail address. */
export function readSeller(name: string | null): Seller | null {
  const [, firstName, lastName] = /^(\S+)\s+(\S.*)$/.exec(name?.trim() ?? "") ?? [];
  return firstName === undefined || lastName === undefined ? null : { firstName, lastName };
}

export const sellerName = ({ firstName, lastName }: Seller): string => `${firstName} ${lastName}`;
