/** The page on which the customer of a draft order reads, chooses and confirms its insurance. */
import { OrderLine, ReasonPage, ShopPage } from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
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
import { dayText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import type { OfferedLine, SaleView } from "./draft-orders.server.ts";

/** What is said above the offers after a confirmation that added nothing. */
export type SaleAlert = "choose" | "changed" | "busy" | "refused";

/** Why there is nothing to see. */
export type NoSale = "gone" | "expired" | "unavailable";

export function NoSalePage({ why, language }: { why: NoSale; language: Language }) {
  const t = textsOf(language, "sale");
  return <ReasonPage language={language} title={t(`state.${why}.title`)} body={t(`state.${why}.body`)} />;
}

interface PageProps {
  view: SaleView;
  language: Language;
  alert?: SaleAlert | undefined;
  /** the customer said no on this page */
  isDeclined?: boolean;
}

export function SalePage({ view, language, alert, isDeclined = false }: PageProps) {
  const t = textsOf(language, "sale");
  const { name, until, problem, confirmed } = view;
  return (
    <ShopPage shop={view} language={language} title={t("title")} test={t("test")}>
      <p>
        <OrderLine name={name} language={language} />
        <br />
        <small>{t("until", { date: dayText(until, language) })}</small>
      </p>
      {alert && <p role="alert">{t(`alert.${alert}`)}</p>}
      {confirmed.map(({ title, quantity, consent }, index) => (
        <section key={index}>
          <h2>{t("confirmed")}</h2>
          <p>
            <strong>{quantity > 1 ? `${quantity} × ${title}` : title}</strong>
          </p>
          <p>
            <small>{consent}</small>
          </p>
        </section>
      ))}
      {confirmed.length > 0 && problem === null && <p>{t("next")}</p>}
      {isDeclined ? (
        <OfferDeclined language={language} />
      ) : problem === null ? (
        <Offers view={view} language={language} />
      ) : (
        <p>{t(problem === "completed" ? "completed" : "closed")}</p>
      )}
    </ShopPage>
  );
}

function Offers({ view, language }: { view: SaleView; language: Language }) {
  const t = textsOf(language, "sale");
  if (view.lines.length === 0) return <p>{t("none")}</p>;
  return (
    <>
      <OfferStyle />
      <p>{t("intro")}</p>
      {view.lines.map((line) => (
        <Line key={line.uuid} line={line} view={view} language={language} />
      ))}
    </>
  );
}

/** More than one choice of numbers would help: staff add the rest. */
const MOST_PIECES = 20;

interface LineProps {
  line: OfferedLine;
  view: Pick<SaleView, "about" | "currency">;
  language: Language;
}

/** Nothing is chosen or ticked beforehand. */
function Line({ line, view: { about, currency }, language }: LineProps) {
  const t = textsOf(language, "sale");
  const { uuid, title, quantity, insured, offers, documents, covers, legal } = line;
  const remaining = Math.min(MOST_PIECES, quantity - insured);
  return (
    <OfferFrame title={title}>
      <OfferHead title={title} about={about} covers={covers} language={language} />
      <form method="post" action={`?language=${language}`}>
        <input type="hidden" name="line" value={uuid} />
        <fieldset aria-label={title}>
          {offers.map((offer) => (
            <label key={offer.reference} className="parasol__term">
              <input type="radio" name="offer" value={`${offer.priceMinor} ${offer.reference}`} required />
              <OfferTerm term={offer} currency={currency} language={language} />
            </label>
          ))}
        </fieldset>
        <OfferLaw about={about} documents={documents} language={language} />
        {remaining > 1 ? (
          <p>
            <label>
              {t("pieces")}{" "}
              <select name="quantity">
                {Array.from({ length: remaining }, (_, index) => (
                  <option key={index}>{index + 1}</option>
                ))}
              </select>
            </label>
          </p>
        ) : (
          <input type="hidden" name="quantity" value="1" />
        )}
        <label>
          <input type="checkbox" name="agreed" value="yes" required /> <span>{t("agreed")}</span>
        </label>
        <OfferButtons yes={t("confirm")} language={language} />
      </form>
      <OfferMore about={about} documents={documents} covers={covers} legal={legal} language={language} />
    </OfferFrame>
  );
}
