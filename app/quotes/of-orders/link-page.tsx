/** The small pages behind a quote's link that are ours; the quote's own is the insurer's. No third party's text is in them. */
import { CustomerDocument } from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import type { Language } from "#app/platform/locale.ts";

export function QuoteLinkPage({
  which,
  language,
}: {
  which: "gone" | "stop" | "stopped";
  language: Language;
}) {
  const t = textsOf(language, "quoteLink");
  return (
    <CustomerDocument language={language} title={t(`${which}.title`)}>
      <p>{t(`${which}.body`)}</p>
      {which === "stop" && (
        <form method="post">
          <button>{t("stop.confirm")}</button>
        </form>
      )}
    </CustomerDocument>
  );
}
