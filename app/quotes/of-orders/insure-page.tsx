/** The page on which customers insure what they bought without insurance. */
import {
  DocumentLinks,
  GonePage,
  ReasonPage,
  ShopPage,
  type ShownOrder,
} from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { offerLine, type ShownOffer } from "#app/offers/offer-words.ts";
import { dayText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";

/** What a quote is made for: the insurer lists its terms on the insurer's page, where the customer chooses one. */
export interface InsureFormula {
  categoryId: string;
  name: string;
  /** what is covered, as the theme says it; `name` of a formula where the category has several that cover other things */
  covers: { name: string; points: readonly string[] }[];
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
}

export function InsurePage({ view, language, alert }: PageProps) {
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
  const { items, quotes, currency } = view;
  return (
    <ShopPage shop={view} language={language} title={t("title")} test={t("test")}>
      <p>
        {textsOf(language, "common")("order", { shop: view.shopName, order: view.orderName })}
        <br />
        <small>{t("until", { date: dayText(view.until, language) })}</small>
      </p>
      {alert && <p role="alert">{t(`alert.${alert}`)}</p>}
      {quotes.map((quote) => (
        <Quote key={quote.title} quote={quote} language={language} />
      ))}
      {items.length > 0 && <p>{t("intro")}</p>}
      {items.map((item) => (
        <Item key={item.key} item={item} currency={currency} language={language} />
      ))}
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
  currency: string;
  language: Language;
}

/** A product with what can be chosen for it; one formula alone needs no choice. Nothing is chosen beforehand. */
function Item({ item: { key, title, formulas }, currency, language }: ItemProps) {
  const t = textsOf(language, "insure");
  const [only] = formulas.length === 1 ? formulas : [];
  return (
    <section>
      <h2>{title}</h2>
      <form method="post" action={`?language=${language}`}>
        <input type="hidden" name="item" value={key} />
        {only ? (
          <>
            <input type="hidden" name="category" value={only.categoryId} />
            <FormulaDetails formula={only} currency={currency} language={language} />
          </>
        ) : (
          <fieldset>
            <legend>{t("formula")}</legend>
            {formulas.map((formula) => (
              <div key={formula.categoryId}>
                <label>
                  <input type="radio" name="category" value={formula.categoryId} required />{" "}
                  <strong>{formula.name}</strong>
                </label>
                <FormulaDetails formula={formula} currency={currency} language={language} />
              </div>
            ))}
          </fieldset>
        )}
        <p>
          <button>{t("get")}</button>
        </p>
      </form>
    </section>
  );
}

interface FormulaProps {
  formula: InsureFormula;
  currency: string;
  language: Language;
}

function FormulaDetails({ formula: { covers, conditions, ipid, terms }, currency, language }: FormulaProps) {
  return (
    <>
      {covers.map(({ name, points }) => (
        <div key={name}>
          <p>
            {name !== "" && (
              <>
                <strong>{name}</strong>
                {" · "}
              </>
            )}
            {textsOf(language, "common")("covers")}
          </p>
          <ul>
            {points.map((point) => (
              <li key={point}>– {point}</li>
            ))}
          </ul>
        </div>
      ))}
      <ul>
        {terms.map((term) => {
          const line = offerLine(term, currency, language);
          return <li key={line}>{line}</li>;
        })}
      </ul>
      <p>
        <DocumentLinks conditions={conditions} ipid={ipid} language={language} />
      </p>
    </>
  );
}
