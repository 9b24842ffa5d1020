import { createInstance } from "i18next";
import type { ReactNode } from "react";
import { useState } from "react";
import { I18nextProvider, initReactI18next } from "react-i18next";
import type { Locale } from "#app/platform/locale.ts";
import type { CustomerTexts } from "#app/locales/customers/index.server.ts";
import type reports from "#app/locales/en/reports.json";
import type { Messages, Texts } from "#app/locales/index.server.ts";

// A missing key is a type error.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    // Customers' texts, and those of mails to merchants, have instances of their own on the server; no admin page loads them.
    resources: Messages & { customers: CustomerTexts; reports: typeof reports };
    returnNull: false;
  }
}

interface I18nProviderProps {
  locale: Locale;
  /** the texts of that language, from the shell's loader */
  messages: Messages;
  children: ReactNode;
}

/**
 * Provides the page's texts: `const { t } = useTranslation("claims")`. The instance is created once, so `t` stays the
 * same when the shell reloads. Another language is another provider (`key={locale}`).
 */
export function I18nProvider({ locale, messages, children }: I18nProviderProps) {
  const [i18n] = useState(() => {
    const instance = createInstance();
    void instance.use(initReactI18next).init({
      lng: locale,
      fallbackLng: false,
      ns: Object.keys(messages),
      defaultNS: "common",
      resources: { [locale]: messages },
      // React escapes.
      interpolation: { escapeValue: false },
      initAsync: false,
    });
    return instance;
  });
  return <I18nextProvider i18n={i18n}>{children}</I18nextProvider>;
}

/** Parses the string of `textsFor`. @throws Error if it is something else */
export function readTexts(json: string): Texts {
  const texts: unknown = JSON.parse(json);
  if (!isTexts(texts)) throw new Error("The texts of the page cannot be read");
  return texts;
}

/** The app's own server wrote it, so its content is not validated again. */
function isTexts(value: unknown): value is Texts {
  return typeof value === "object" && value !== null && "messages" in value && "polaris" in value;
}
