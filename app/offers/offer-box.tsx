/**
 * The box of an offer on customers' pages: the theme's, with its own style sheet, sign and texts. Head and terms, one
 * line of law, two buttons that look the same, and the rest folded.
 */
import { createElement, Fragment, type ReactNode } from "react";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { priceText, termText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import shield from "../../extensions/parasol-storefront/snippets/parasol-shield.liquid?raw";
import style from "../../extensions/parasol-storefront/snippets/parasol-style.liquid?raw";
import { offerTextsOf } from "./extension-texts.server.ts";
import type { OfferAbout } from "./offer-about.server.ts";
import type { LegalText, OfferCover } from "./offer-covers.ts";
import type { ShownOffer } from "./offer-words.ts";

/** Liquid's comments, and the style element around the rules. */
const NOT_SHOWN = /{%-? (doc|comment) -?%}.*?{%-? end\1 -?%}|<\/?style[^>]*>/gs;

/** What the page's own style would change, and rows of terms that are not chosen here. */
const onPages = `.parasol{margin-bottom:1.5rem}.parasol input{translate:none}.parasol small{color:inherit}.parasol .button{background:none;color:inherit;text-align:center;border-radius:var(--p-radius)}
.parasol a.button{text-decoration:none}.parasol ul.parasol__ticks{margin:.3em 0}.parasol__ticks li{margin:.1em 0}.parasol ul:not([class]){list-style:disc}.parasol h3{font-size:1em;margin:.8em 0 0}.parasol select{font:inherit;padding:.3em;margin-inline-start:.5em}.parasol__rows li{display:flex;justify-content:space-between;gap:.6em;margin:0;padding:.4em 0;border-top:1px solid var(--p-line)}.parasol ul.parasol__rows{list-style:none;padding:0}`;

/** Once in a page with boxes. */
export const OfferStyle = () => (
  <style dangerouslySetInnerHTML={{ __html: style.replaceAll(NOT_SHOWN, "") + onPages }} />
);

export const OfferFrame = ({ title, children }: { title: string; children: ReactNode }) =>
  createElement(
    "parasol-offer",
    null,
    <section className="parasol" aria-label={title}>
      {children}
    </section>,
  );

interface HeadProps {
  title: string;
  about: OfferAbout;
  covers: readonly OfferCover[];
  language: Language;
}

/** What is offered, by whom, and at most three points. Of several covers each is in the fold. */
export function OfferHead({ title, about: { insurer }, covers, language }: HeadProps) {
  const [only] = covers.length === 1 ? covers : [];
  return (
    <>
      <div className="parasol__head">
        <span
          style={{ display: "contents" }}
          dangerouslySetInnerHTML={{ __html: shield.replaceAll(NOT_SHOWN, "") }}
        />
        <h2>{title}</h2>
      </div>
      {insurer !== "" && (
        <p className="parasol__by">
          <small>{offerTextsOf(language)("insured_by", { insurer })}</small>
        </p>
      )}
      {only && <Ticks points={only.points.slice(0, 3)} />}
    </>
  );
}

function Ticks({ points }: { points: readonly string[] }) {
  return points.length === 0 ? null : (
    <ul className="parasol__ticks">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}

interface TermProps {
  term: ShownOffer;
  currency: string;
  language: Language;
  /** said of a price per month; default: the shop's checkout takes the first one now */
  monthly?: string;
}

/** A row's duration and price: bold, and under it what a month costs or how much it is in total. */
export function OfferTerm({ term, currency, language, monthly }: TermProps) {
  const { formula, months, priceMinor, billing } = term;
  const t = offerTextsOf(language);
  const money = (minor: number) => priceText(minor, currency, language);
  return (
    <>
      <span>
        {formula !== null && `${formula} · `}
        {termText(months, language)}
      </span>
      <bdi>
        <span className="parasol__price">{money(priceMinor)}</span>{" "}
        <small className="parasol__bill">
          {billing === "monthly"
            ? `${monthly ?? t("monthly")}, ${t("total_html", { total: money(priceMinor * months) })}`
            : t("annually_html", { price: money(Math.round(priceMinor / months)) })}
        </small>
      </bdi>
    </>
  );
}

export interface OfferDocument {
  /** the formula that has documents of its own; empty: all have these */
  name: string;
  conditions: string;
  ipid: string;
}

interface LawProps {
  about: OfferAbout;
  documents: readonly OfferDocument[];
  language: Language;
}

/** One line: it is optional, how long the customer may change their mind, and the documents. */
export function OfferLaw({ about: { withdrawalDays: days }, documents, language }: LawProps) {
  const t = offerTextsOf(language);
  return (
    <p className="parasol__legal parasol__law">
      {t("optional")}
      {days > 0 && ` · ${t("change_mind", { days })}`}
      {documents.map(({ name, conditions, ipid }) => (
        <Fragment key={name}>
          {" · "}
          {name !== "" && `${name} `}
          <a href={conditions} target="_blank" rel="noopener">
            {t("conditions_short")}
          </a>
          {" · "}
          <a href={ipid} target="_blank" rel="noopener">
            IPID
          </a>
        </Fragment>
      ))}
    </p>
  );
}

interface MoreProps {
  about: OfferAbout;
  documents: readonly OfferDocument[];
  covers: readonly OfferCover[];
  legal: readonly LegalText[];
  language: Language;
}

/** What is covered and what is not, how a claim works, the documents, who insures and sells, and the legal text. */
export function OfferMore({ about, documents, covers, legal, language }: MoreProps) {
  const t = offerTextsOf(language);
  return (
    <details>
      <summary>{t("more")}</summary>
      {covers.map((cover) => (
        <Cover key={cover.name} cover={cover} language={language} />
      ))}
      <p>{t("claim")}</p>
      {documents.map(({ name, conditions, ipid }) => (
        <p key={name}>
          {name !== "" && `${name} · `}
          <a href={conditions} target="_blank" rel="noopener">
            {t("conditions")}
          </a>
          {" · "}
          <a href={ipid} target="_blank" rel="noopener">
            {t("ipid")}
          </a>
        </p>
      ))}
      {about.sentences.map((sentence, index) => (
        <p key={index} className="parasol__legal">
          {typeof sentence === "string" ? (
            sentence
          ) : (
            <>
              {sentence.before}{" "}
              <a href={sentence.to} target="_blank" rel="noopener">
                {sentence.label}
              </a>
            </>
          )}
        </p>
      ))}
      {legal.map(({ text, language: foreign }) => (
        <p key={text} className="parasol__legal">
          {foreign !== null && `${t("legal")} `}
          <span {...(foreign === null ? {} : { lang: foreign })}>{text}</span>
        </p>
      ))}
    </details>
  );
}

function Cover({ cover, language }: { cover: OfferCover; language: Language }) {
  const { name, points, exclusions, excess, limit } = cover;
  const t = offerTextsOf(language);
  return (
    <>
      {points.length > 0 && (
        <>
          <h3>{name === "" ? t("covered") : `${name} · ${t("covered")}`}</h3>
          <Ticks points={points} />
        </>
      )}
      {exclusions.length > 0 && (
        <>
          <h3>{name === "" ? t("not_covered") : `${name} · ${t("not_covered")}`}</h3>
          <ul>
            {exclusions.map((exclusion) => (
              <li key={exclusion}>{exclusion}</li>
            ))}
          </ul>
        </>
      )}
      {excess !== "" && <p>{t("excess", { excess })}</p>}
      {limit !== "" && <p>{t("limit", { limit })}</p>}
    </>
  );
}

/** A no weighs as much as a yes. It is in the page's address, so a reload keeps it, and it stores nothing. */
export const hasDeclined = (request: Request): boolean => new URL(request.url).searchParams.has("declined");

export function OfferButtons({ yes, language }: { yes: string; language: Language }) {
  return (
    <div className="parasol__buttons">
      <button className="button">{yes}</button>
      <a className="button" href={`?language=${language}&declined`}>
        {offerTextsOf(language)("none")}
      </a>
    </div>
  );
}

export function OfferDeclined({ language }: { language: Language }) {
  const t = textsOf(language, "common");
  return (
    <>
      <p role="status">{t("declined.body")}</p>
      <p>
        <a className="button" href={`?language=${language}`}>
          {t("declined.again")}
        </a>
      </p>
    </>
  );
}
