/** The texts that shoppers agree to: all that were ever shown stay on record, because contracts name their versions. */
import { db } from "#app/platform/db.server.ts";
import { consentVersion } from "./consent-version.server.ts";
import { extensionTexts } from "./extension-texts.server.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";

/** Keeps the texts that these settings show, before they are shown. */
export async function keepConsentTexts(shop: string, { texts }: StorefrontSettings): Promise<void> {
  const own = Object.values(texts).flatMap(({ consent }) => consent ?? []);
  const ours = Object.values(extensionTexts).map(({ consent }) => consent);
  const data = [...own, ...ours].map((text) => ({ shop, version: consentVersion(text), text }));
  await db.consentText.createMany({ data, skipDuplicates: true });
}

/** The text of each of these versions that is on record. */
export async function readConsentTexts(shop: string, versions: string[]): Promise<Map<string, string>> {
  if (versions.length === 0) return new Map();
  const kept = await db.consentText.findMany({ where: { shop, version: { in: versions } } });
  return new Map(kept.map(({ version, text }) => [version, text]));
}
