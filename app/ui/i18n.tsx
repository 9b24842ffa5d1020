import { createInstance } from "i18next";
import type { ReactNode } from "react";
import { useState } from "react";
import { I18nextProvider, initReactI18next } from "react-i18next";
import type { Locale } from "#app/platform/locale.ts";
import type { CustomerTexts } from "#app/locales/customers/index.server.ts";
import type { Messages, Texts } from "#app/locales/index.server.ts";

// A key that no catalogue has is an error of types.
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    // Customers' texts are the server's own instance: no page of the admin has them.
    resources: Messages & { customers: CustomerTexts };
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
 * Gives the page its texts: `const { t } = useTranslation("claims")`. They are made once, so that `t` stays the same
 * however often the shell is reloaded; another language is another provider (`key={locale}`).
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

/** Reads what `textsFor` wrote on the server. @throws Error where it is something else */
export function readTexts(json: string): Texts {
  const texts: unknown = JSON.parse(json);
  if (!isTexts(texts)) throw new Error("The texts of the page cannot be read");
  return texts;
}

/** Its own server wrote it: what is in it is not looked through again. */
function isTexts(value: unknown): value is Texts {
  return typeof value === "object" && value !== null && "messages" in value && "polaris" in value;
}
