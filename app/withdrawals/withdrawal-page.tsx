/** The pages behind a withdrawal's link. */
import type { ReactNode } from "react";
import { OrderLine, ShopPage } from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { masked } from "#app/platform/customer-page.ts";
import { dayText, priceText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import { acknowledgementOf, contractName } from "./acknowledgement.ts";
import type { WithdrawalItem, WithdrawalView } from "./withdrawal.ts";

/** The page's two steps. */
export const steps = ["declare", "confirm"] as const;

interface PageProps {
  view: Pick<WithdrawalView, "shop" | "shopName" | "isTest">;
  language: Language;
  children: ReactNode;
}

function WithdrawalPage({ view, language, children }: PageProps) {
  return (
    <ShopPage
      shop={view}
      language={language}
      title={textsOf(language, "withdrawal")("title")}
      test={textsOf(language, "common")("testContracts")}
    >
      {children}
    </ShopPage>
  );
}

interface SearchProps {
  merchant: { shop: string; name: string };
  language: Language;
  /** what found no order: it stays in the fields */
  notFound?: { order: string; email: string };
}

/** Where customers find their order. */
export function SearchPage({ merchant: { shop, name }, language, notFound }: SearchProps) {
  const t = textsOf(language, "withdrawal");
  return (
    <WithdrawalPage view={{ shop, shopName: name, isTest: false }} language={language}>
      <p>{t("search.intro")}</p>
      {notFound && <p role="alert">{t("search.notFound")}</p>}
      <form method="post">
        <p>
          <label>
            {t("search.order")}{" "}
            <input name="order" defaultValue={notFound?.order} required maxLength={60} autoComplete="off" />
          </label>
          <label>
            {t("search.email")}{" "}
            <input
              type="email"
              name="email"
              defaultValue={notFound?.email}
              required
              maxLength={254}
              autoComplete="email"
            />
          </label>
        </p>
        <button>{t("search.find")}</button>
      </form>
    </WithdrawalPage>
  );
}

interface ChoiceProps {
  view: WithdrawalView;
  language: Language;
  /** nothing was chosen */
  isRefused?: boolean;
}

/** The first step: what there is, what was declared already, and the button. */
export function ChoicePage({ view, language, isRefused = false }: ChoiceProps) {
  const t = textsOf(language, "withdrawal");
  const acknowledgement = acknowledgementOf(view, language);
  const remaining = view.items.filter(({ state }) => state !== "withdrawn");
  const open = remaining.filter(({ state }) => state === "open");
  const closed = remaining.filter(({ state }) => state !== "open");
  // What is left after a declaration is another decision.
  const isOnly = remaining.length === 1 && acknowledgement === null;
  return (
    <WithdrawalPage view={view} language={language}>
      {acknowledgement !== null && (
        <section>
          <h2>{t("acknowledgement.title")}</h2>
          {acknowledgement.map((line) => (
            <p key={line}>{line}</p>
          ))}
          <p>{t("acknowledgement.keep")}</p>
          <a className="button" href={`?language=${language}&acknowledgement`}>
            {t("acknowledgement.save")}
          </a>
        </section>
      )}
      {remaining.length > 0 && (
        <p>
          <OrderLine name={view.orderName} language={language} />
        </p>
      )}
      {open.length > 0 && (
        <>
          <p>{t("choice.intro")}</p>
          <form method="post">
            {isRefused && <p role="alert">{t("choice.choose")}</p>}
            <ul>
              {open.map((item) => (
                <li key={item.key}>
                  <label>
                    <input type="checkbox" name="item" value={item.key} defaultChecked={isOnly} />{" "}
                    <span>
                      <ContractTerms item={item} language={language} />
                    </span>
                  </label>
                </li>
              ))}
            </ul>
            <button name="step" value="declare">
              {t("statutory.withdraw")}
            </button>
          </form>
        </>
      )}
      {closed.length > 0 && (
        <ul>
          {closed.map((item) => (
            <li key={item.key}>
              {contractName(item, language)}
              <br />
              <small>{closedText(item, language)}</small>
            </li>
          ))}
        </ul>
      )}
      {open.length === 0 && (acknowledgement === null || closed.length > 0) && <p>{t("choice.none")}</p>}
    </WithdrawalPage>
  );
}

/** Why there is nothing to withdraw from. */
function closedText({ state }: WithdrawalItem, language: Language): string {
  const t = textsOf(language, "withdrawal");
  return state === "open" || state === "withdrawn" ? "" : t(`state.${state}`);
}

/** A contract, what was paid for it, and until when the customer may withdraw from it. */
function ContractTerms({ item, language }: { item: WithdrawalItem; language: Language }) {
  const t = textsOf(language, "withdrawal");
  const amount = priceText(item.premiumMinor, item.currency, language);
  return (
    <>
      {contractName(item, language)}
      <br />
      <small>
        {item.lastDay === null
          ? t("paid", { amount })
          : t("paidUntil", { amount, date: dayText(item.lastDay, language) })}
      </small>
    </>
  );
}

interface ConfirmProps {
  view: WithdrawalView;
  chosen: readonly WithdrawalItem[];
  language: Language;
  /** the entered email address is no address */
  isMalformed?: boolean;
}

/**
 * The second step: what was chosen, and the button that makes it so. The words of both buttons are those of directive
 * 2011/83, article 11a (1) and (3), in its language versions (OJ L, 2023/2673, 28.11.2023), of § 356a BGB and of code de
 * la consommation, D. 221-5: they are not to be reworded.
 */
export function ConfirmPage({ view, chosen, language, isMalformed = false }: ConfirmProps) {
  const t = textsOf(language, "withdrawal");
  return (
    <WithdrawalPage view={view} language={language}>
      <p>{t("confirmation.check")}</p>
      <form method="post">
        <p>
          <OrderLine name={view.orderName} language={language} />
        </p>
        <ul>
          {chosen.map((item) => (
            <li key={item.key}>
              <ContractTerms item={item} language={language} />
              <input type="hidden" name="item" value={item.key} />
            </li>
          ))}
        </ul>
        <DeclarantFields view={view} language={language} isMalformed={isMalformed} />
        <button name="step" value="confirm">
          {t("statutory.confirm")}
        </button>{" "}
        <a className="button" href={`?language=${language}`}>
          {t("confirmation.back")}
        </a>
      </form>
    </WithdrawalPage>
  );
}

/** Who declares it and where the acknowledgement goes: to confirm, or to enter. */
function DeclarantFields({ view, language, isMalformed }: Required<Omit<ConfirmProps, "chosen">>) {
  const t = textsOf(language, "withdrawal");
  const { customer, isMailed } = view;
  const known = customer
    ? [customer.name, customer.email ?? ""].filter((part) => part !== "").map(masked)
    : [];
  const fields = (
    <p>
      <label>
        {t("declarant.name")} <input name="name" autoComplete="name" maxLength={200} />
      </label>
      <label>
        {t("declarant.email")} <input type="email" name="email" autoComplete="email" maxLength={254} />
      </label>
    </p>
  );
  return (
    <>
      {isMalformed && <p role="alert">{t("declarant.malformed")}</p>}
      {known.length === 0 ? (
        fields
      ) : (
        <>
          <p>{t("declarant.by", { name: known.join(", ") })}</p>
          <details open={isMalformed}>
            <summary>{t("declarant.another")}</summary>
            {fields}
          </details>
        </>
      )}
      <p>{t(isMailed ? "confirmation.mailed" : "confirmation.byShop")}</p>
    </>
  );
}
