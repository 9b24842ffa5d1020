/** The version of a text that shoppers agree to is a digest of it, so it changes by itself with the text. */
import { createHash } from "node:crypto";
import type { StorefrontSettings } from "./storefront-settings.ts";

/** Twelve characters without blanks: a line property has a time behind it. */
export function consentVersion(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** The settings as the theme reads them: each consent text of the merchant's with its version. */
export function withConsentVersions({ texts, ...settings }: StorefrontSettings) {
  const versioned = Object.entries(texts).map(([language, own]) => {
    const version = own.consent === undefined ? {} : { consent_version: consentVersion(own.consent) };
    return [language, { ...own, ...version }] as const;
  });
  return { ...settings, texts: Object.fromEntries(versioned) };
}
