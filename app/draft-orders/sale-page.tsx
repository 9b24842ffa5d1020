/** The page on which the customer of a draft order reads, chooses and confirms its insurance. */
import { Fragment } from "react";
import { DocumentLinks, ReasonPage, ShopPage } from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { offerLine } from "#app/offers/offer-words.ts";
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
}

export function SalePage({ view, language, alert }: PageProps) {
  const t = textsOf(language, "sale");
  const { shopName, name, until, problem, confirmed } = view;
  return (
    <ShopPage shop={view} language={language} title={t("title")} test={t("test")}>
      <p>
        {textsOf(language, "common")("order", { shop: shopName, order: name })}
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
      {problem === null ? (
        <Offers view={view} language={language} />
      ) : (
        <p>{t(problem === "completed" ? "completed" : "closed")}</p>
      )}
    </ShopPage>
  );
}

function Offers({ view: { lines, about, currency }, language }: { view: SaleView; language: Language }) {
  const t = textsOf(language, "sale");
  if (lines.length === 0) return <p>{t("none")}</p>;
  return (
    <>
      <p>{t("intro")}</p>
      <p>
        <small>
          {about.map((line, index) => (
            <Fragment key={index}>
              {index > 0 && <br />}
              {typeof line === "string" ? (
                line
              ) : (
                <>
                  {line.before}{" "}
                  <a href={line.to} target="_blank" rel="noopener">
                    {line.label}
                  </a>
                </>
              )}
            </Fragment>
          ))}
        </small>
      </p>
      {lines.map((line) => (
        <Line key={line.uuid} line={line} currency={currency} language={language} />
      ))}
    </>
  );
}

/** More than one choice of numbers would help: staff add the rest. */
const MOST_PIECES = 20;

/** Nothing is chosen or ticked beforehand. */
function Line({ line, currency, language }: { line: OfferedLine; currency: string; language: Language }) {
  const t = textsOf(language, "sale");
  const { uuid, title, quantity, insured, offers, documents } = line;
  const remaining = Math.min(MOST_PIECES, quantity - insured);
  return (
    <section>
      <h2>{title}</h2>
      <form method="post" action={`?language=${language}`}>
        <input type="hidden" name="line" value={uuid} />
        <fieldset aria-label={title}>
          {offers.map((offer) => (
            <label key={offer.reference}>
              <input type="radio" name="offer" value={`${offer.priceMinor} ${offer.reference}`} required />{" "}
              <span>{offerLine(offer, currency, language)}</span>
            </label>
          ))}
        </fieldset>
        {documents.map(({ name, conditions, ipid }) => (
          <p key={name}>
            {name !== "" && (
              <>
                <strong>{name}</strong>
                <br />
              </>
            )}
            <DocumentLinks conditions={conditions} ipid={ipid} language={language} />
          </p>
        ))}
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
        <p>
          <button>{t("confirm")}</button>
        </p>
      </form>
    </section>
  );
}
