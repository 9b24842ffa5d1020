import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";

/** What every part of the form gets: the settings as they are being changed. */
export interface DraftProps {
  draft: StorefrontSettings;
  onChange: (next: StorefrontSettings) => void;
}
