/** The version of a consent text is its digest, so a changed text always has a new version. */
import { createHash } from "node:crypto";
import type { StorefrontSettings } from "./storefront-settings.ts";

/** Twelve characters without spaces: the line property contains a time after it. */
export function consentVersion(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}

/** The settings in the theme's format, with the version of each of the merchant's consent texts. */
export function withConsentVersions({ texts, ...settings }: StorefrontSettings) {
  const versioned = Object.entries(texts).map(([language, own]) => {
    const version = own.consent === undefined ? {} : { consent_version: consentVersion(own.consent) };
    return [language, { ...own, ...version }] as const;
  });
  return { ...settings, texts: Object.fromEntries(versioned) };
}
