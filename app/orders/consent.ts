/**
 * The shopper's consent as a plan's line notes it: `<version of the text> <ISO 8601 time>`. It is stored readable, so the
 * version is nothing but a digest: no e-mail address, no name with blanks.
 */
const noted = /^([\w-]{1,40}) (\d{4}-\d{2}-\d{2}T[\d:.]{5,18}(?:Z|[+-]\d{2}:?\d{2}))$/;

/** Null: it is noted in words, as staff do who sell at the counter. */
export function readConsent(consent: string): { version: string; at: string } | null {
  const [, version, at = ""] = noted.exec(consent) ?? [];
  return version === undefined || Number.isNaN(Date.parse(at)) ? null : { version, at };
}
