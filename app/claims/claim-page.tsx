/** The page with what a customer needs to report a claim. */
import { Linked, ShopPage } from "#app/customers/customer-document.tsx";
import { textsOf } from "#app/locales/customers/index.server.ts";
import type { Language } from "#app/platform/locale.ts";
import type { ClaimView } from "./claim-handover.server.ts";
import { claimLines, contactLines, contractLines, handyLines } from "./claim-words.ts";

export function ClaimPage({ view, language }: { view: ClaimView; language: Language }) {
  const t = textsOf(language, "claim");
  const { contracts } = view;
  return (
    <ShopPage
      shop={view}
      language={language}
      title={t("title")}
      test={textsOf(language, "common")("testContracts")}
    >
      {contracts.length === 0 ? (
        <p>{t("none")}</p>
      ) : (
        <>
          <p>{t("intro")}</p>
          {contactLines(view, language).map((line) => (
            <p key={line}>
              <Linked text={line} />
            </p>
          ))}
          <h2>{t("handy.title")}</h2>
          <List lines={handyLines(language)} />
          <p>
            <a className="button" href={`?language=${language}&file`}>
              {t("save")}
            </a>
          </p>
        </>
      )}
      {contracts.map((contract) => (
        <section key={contract.contractId}>
          <h2>{contract.insuredTitle ?? contract.planTitle}</h2>
          <List lines={contractLines(view, contract, language)} />
          {contract.conditions !== null && (
            <p>
              <a href={contract.conditions}>{textsOf(language, "common")("conditions")}</a>
            </p>
          )}
          {contract.claims.length > 0 && (
            <>
              <h3>{t("claims")}</h3>
              <List lines={claimLines(contract, language)} />
            </>
          )}
        </section>
      ))}
    </ShopPage>
  );
}

function List({ lines }: { lines: string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
