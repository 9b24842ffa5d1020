/** The page on which customers insure what they bought without insurance. */
import {
  GonePage,
  OrderLine,
  ReasonPage,
  ShopPage,
  type ShownOrder,
} from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import type { OfferAbout } from "#app/offers/offer-about.server.ts";
import {
  OfferButtons,
  OfferDeclined,
  OfferFrame,
  OfferHead,
  OfferLaw,
  OfferMore,
  OfferStyle,
  OfferTerm,
} from "#app/offers/offer-box.tsx";
import type { LegalText, OfferCover } from "#app/offers/offer-covers.ts";
import type { ShownOffer } from "#app/offers/offer-words.ts";
import { dayText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";

/** What a quote is made for: the insurer lists its terms on the insurer's page, where the customer chooses one. */
export interface InsureFormula {
  categoryId: string;
  name: string;
  covers: OfferCover[];
  legal: LegalText[];
  conditions: string;
  ipid: string;
  terms: ShownOffer[];
}

export interface InsurableItem {
  /** line and number of the item */
  key: string;
  title: string;
  formulas: InsureFormula[];
}

/** Everybody with the link reads it: nothing personal. */
export interface InsureView extends ShownOrder {
  state: "ready";
  /** YYYY-MM-DD, the last day */
  until: string;
  currency: string;
  about: OfferAbout;
  items: InsurableItem[];
  /** `link` is null while the insurer has not confirmed it: `isPending` in this moment, else for good */
  quotes: { title: string; link: string | null; isPending: boolean }[];
}

/** Why there is nothing to choose. `not_sold`: by the rule of sale. `pending`: Shopify does not find the order yet. */
export interface NoInsureView {
  state: "gone" | "late" | "unavailable" | "not_sold" | "customer_missing" | "pending";
}

/** What is said above the choices after one failed. */
export type InsureAlert = "choose" | "refused" | "unavailable";

interface PageProps {
  view: InsureView | NoInsureView;
  language: Language;
  alert?: InsureAlert | undefined;
  /** the customer said no on this page */
  isDeclined?: boolean;
}

export function InsurePage({ view, language, alert, isDeclined = false }: PageProps) {
  const t = textsOf(language, "insure");
  if (view.state === "gone") return <GonePage language={language} />;
  if (view.state !== "ready")
    return (
      <ReasonPage
        language={language}
        title={t(`state.${view.state}.title`)}
        body={t(`state.${view.state}.body`)}
      >
        {view.state === "pending" && (
          <p>
            <ReloadLink language={language} />
          </p>
        )}
      </ReasonPage>
    );
  const { items, quotes } = view;
  return (
    <ShopPage shop={view} language={language} title={t("title")} test={t("test")}>
      <p>
        <OrderLine name={view.orderName} language={language} />
        <br />
        <small>{t("until", { date: dayText(view.until, language) })}</small>
      </p>
      {alert && <p role="alert">{t(`alert.${alert}`)}</p>}
      {quotes.map((quote) => (
        <Quote key={quote.title} quote={quote} language={language} />
      ))}
      {isDeclined && <OfferDeclined language={language} />}
      {items.length > 0 && !isDeclined && (
        <>
          <OfferStyle />
          <p>{t("intro")}</p>
          {items.map((item) => (
            <Item key={item.key} item={item} view={view} language={language} />
          ))}
        </>
      )}
      {items.length === 0 && quotes.length === 0 && <p>{t("none")}</p>}
    </ShopPage>
  );
}

/** The address as it is: its language and its token stay. */
const ReloadLink = ({ language }: { language: Language }) => (
  <a className="button" href="">
    {textsOf(language, "insure")("quote.again")}
  </a>
);

function Quote({ quote, language }: { quote: InsureView["quotes"][number]; language: Language }) {
  const t = textsOf(language, "insure");
  const { title, link, isPending } = quote;
  return (
    <section>
      <h2>{title}</h2>
      <p>{t(link !== null ? "quote.ready" : isPending ? "quote.sending" : "quote.unknown")}</p>
      {link !== null && (
        <a className="button" href={link}>
          {t("quote.go")}
        </a>
      )}
      {link === null && isPending && <ReloadLink language={language} />}
    </section>
  );
}

interface ItemProps {
  item: InsurableItem;
  view: Pick<InsureView, "about" | "currency">;
  language: Language;
}

/** A product with what can be chosen for it; one formula alone needs no choice. Nothing is chosen beforehand. */
function Item({ item: { key, title, formulas }, view: { about, currency }, language }: ItemProps) {
  const t = textsOf(language, "insure");
  const [only] = formulas.length === 1 ? formulas : [];
  const documents = only ? [{ ...only, name: "" }] : formulas;
  return (
    <OfferFrame title={title}>
      <OfferHead title={title} about={about} covers={only?.covers ?? []} language={language} />
      <form method="post" action={`?language=${language}`}>
        <input type="hidden" name="item" value={key} />
        {only ? (
          <>
            <input type="hidden" name="category" value={only.categoryId} />
            <Terms terms={only.terms} currency={currency} language={language} />
          </>
        ) : (
          <fieldset>
            <legend>{t("formula")}</legend>
            {formulas.map(({ categoryId, name, terms }) => (
              <div key={categoryId}>
                <label className="parasol__term">
                  <input type="radio" name="category" value={categoryId} required /> <span>{name}</span>
                </label>
                <Terms terms={terms} currency={currency} language={language} />
              </div>
            ))}
          </fieldset>
        )}
        <OfferLaw about={about} documents={documents} language={language} />
        <OfferButtons yes={t("get")} language={language} />
      </form>
      <OfferMore
        about={about}
        documents={documents}
        covers={
          only
            ? only.covers
            : formulas.flatMap(({ name, covers }) =>
                covers.map((cover) => ({ ...cover, name: [name, cover.name].filter(Boolean).join(", ") })),
              )
        }
        legal={formulas.flatMap(({ legal }) => legal)}
        language={language}
      />
    </OfferFrame>
  );
}

interface TermsProps {
  terms: readonly ShownOffer[];
  currency: string;
  language: Language;
}

/** To read: the customer chooses the term on the insurer's page. */
function Terms({ terms, currency, language }: TermsProps) {
  return (
    <ul className="parasol__rows">
      {terms.map((term) => (
        <li key={`${term.formula ?? ""} ${term.months} ${term.priceMinor}`}>
          <OfferTerm
            term={term}
            currency={currency}
            language={language}
            // The insurer collects, and nothing is paid now.
            monthly={textsOf(language, "insure")("monthly")}
          />
        </li>
      ))}
    </ul>
  );
}
