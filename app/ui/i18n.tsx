import { createInstance } from "i18next";
import type { ReactNode } from "react";
import { useState } from "react";
import { I18nextProvider, initReactI18next } from "react-i18next";
import type { Locale } from "#app/platform/locale.ts";
import type { Messages } from "#app/locales/index.server.ts";

interface Props {
  locale: Locale;
  /** the texts of that language, from the shell's loader */
  messages: Messages;
  children: ReactNode;
}

/**
 * Gives the page its texts: `const { t } = useTranslation("claims")`. They are made once, so that `t` stays the same
 * however often the shell is reloaded; another language is another provider (`key={locale}`).
 */
export function I18nProvider({ locale, messages, children }: Props) {
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
