/** Finds a customer by what a caller says: a part of the name or of the e-mail address, or the telephone number. */

interface SearchedCustomer {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
}

export interface CustomerSearch {
  /** the words of the query, as they were typed */
  words: string[];
  matches: (customer: SearchedCustomer) => boolean;
}

/** Fewer digits are no telephone number. */
const MIN_DIGITS = 6;

const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
const digitsIn = (text: string) => text.replaceAll(/\D/g, "");

/** Null: the query has no word of two letters or more. */
export function readCustomerSearch(query: string | null): CustomerSearch | null {
  const words = (query ?? "").split(/\s+/).filter(({ length }) => length > 1);
  if (words.length === 0) return null;
  const wanted = words.map(plain);
  // Whether it has a country's code or the zero of its own country.
  const digits = digitsIn(query ?? "").replace(/^0+/, "");
  return {
    words,
    matches: ({ firstName, lastName, email, phone }) => {
      const text = plain([firstName, lastName, email].join(" "));
      const hasPhone = digits.length >= MIN_DIGITS && digitsIn(phone ?? "").includes(digits);
      return hasPhone || wanted.every((word) => text.includes(word));
    },
  };
}
