/** Helpers of customers' pages: the language, masked data, and the headers. */
import { AppError } from "./app-error.ts";
import { type Language, readLanguage } from "./locale.ts";

/** The link alone gives access, so no cache, referrer or search engine may keep it. */
export const customerPageHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
} as const;

/**
 * The language that the customer chose on the page, or the first supported one of Accept-Language.
 * @param usual for a browser that accepts none of the languages
 */
export function customerLanguage({ headers, url }: Request, usual: Language = "en"): Language {
  const chosen = readLanguage(new URL(url).searchParams.get("language"));
  if (chosen !== null) return chosen;
  const accepted = (headers.get("accept-language") ?? "").split(",");
  const languages = accepted.map((tag) => readLanguage(tag.split(";")[0]?.trim() ?? ""));
  return languages.find((language) => language !== null) ?? usual;
}

/** `A•••` for `Ana`, `a•••@example.com` for an address: other people with the link learn no more. */
export const masked = (text: string): string =>
  text
    .split(" ")
    .map((word) => word.replace(/^(.)[^@]*/u, "$1•••"))
    .join(" ");

/** A link is opened too often (customerRoute in app/customers/customer-document.tsx shows it). */
export class TooManyRequests extends AppError {
  override name = "TooManyRequests";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("A customer's link is opened too often");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
