/** What a customer needs to report a claim, line by line for the page, and as a file for the insurer. */
import { textsOf } from "#app/locales/customers/index.server.ts";
import { dayText, priceText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import { claimStates } from "../../extensions/claim-states.ts";
import type { ClaimableContract, ClaimView } from "./claim-handover.server.ts";

/** The decision on a claim; one without a text is written as it came. */
export function decisionText(approval: string, language: Language): string {
  const known = claimStates.approval.find((each) => each === approval);
  return known ? textsOf(language, "claim")(`decision.${known}`) : approval.replaceAll("_", " ");
}

/** What a claim waits for; a state without a text is written as it came. */
export function statusText(status: string, language: Language): string {
  const known = claimStates.status.find((each) => each === status);
  return known ? textsOf(language, "claim")(`status.${known}`) : status.replaceAll("_", " ");
}

export function contractLines(view: ClaimView, contract: ClaimableContract, language: Language): string[] {
  const t = textsOf(language, "claim");
  const common = textsOf(language, "common");
  const { insuredTitle, insuredPriceMinor, insuredCurrency, expiresOn } = contract;
  const days = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: view.timezone });
  const proof = { shop: view.shopName, order: view.orderName, date: days.format(view.purchasedAt) };
  return [
    common("contract", { number: contract.contractId }),
    t("insurance", { plan: contract.planTitle }),
    ...(insuredTitle === null ? [] : [common("product", { product: insuredTitle })]),
    ...(expiresOn === null ? [] : [common("until", { date: dayText(expiresOn, language) })]),
    insuredPriceMinor === null || insuredCurrency === null
      ? t("proof", proof)
      : t("proofWithPrice", { ...proof, price: priceText(insuredPriceMinor, insuredCurrency, language) }),
  ];
}

export function claimLines({ claims, isStale }: ClaimableContract, language: Language): string[] {
  const t = textsOf(language, "claim");
  if (claims.length === 0) return [];
  return [
    ...claims.map(({ id, approval, status, filedOn, closedOn }) => {
      const filed = {
        claim: id,
        date: dayText(filedOn, language),
        decision:
          closedOn === null
            ? [decisionText(approval, language), statusText(status, language)].join(", ")
            : decisionText(approval, language),
      };
      return closedOn === null
        ? t("filed", filed)
        : t("closed", { ...filed, closed: dayText(closedOn, language) });
    }),
    ...(isStale ? [t("stale")] : []),
  ];
}

/** Who insures, and where the insurer takes claims: each a sentence, and the address that it names. */
export function contactLines(
  { insurer, claimContact, insurerPage, conditions }: ClaimView,
  language: Language,
): string[] {
  const t = textsOf(language, "claim");
  return [
    ...(insurer === "" ? [] : [t("insurer", { insurer })]),
    ...(claimContact === "" ? [] : [`${t("contact")} ${claimContact}`]),
    ...(insurerPage === null ? [] : [`${t("insurerPage")} ${insurerPage}`]),
    ...(claimContact === "" && conditions !== null ? [`${t("unknownContact")} ${conditions}`] : []),
  ];
}

/** What the customer should have at hand before reporting the claim. */
export function handyLines(language: Language): string[] {
  const t = textsOf(language, "claim");
  return [t("handy.number"), t("handy.proof"), t("handy.serial"), t("handy.evidence")];
}

/** With lines for what only the customer knows. */
export function claimFile(view: ClaimView, language: Language): string {
  const t = textsOf(language, "claim");
  const toFill = [t("fill.serialNumber"), t("fill.what"), t("fill.when")];
  const blocks = [
    t("title"),
    ...(view.isTest ? [textsOf(language, "common")("testContracts")] : []),
    contactLines(view, language).join("\r\n"),
    ...view.contracts.map((contract) =>
      [
        ...contractLines(view, contract, language),
        ...toFill.map((label) => `${label} ____________________`),
        ...claimLines(contract, language),
      ].join("\r\n"),
    ),
  ];
  return `${blocks.join("\r\n\r\n")}\r\n`;
}
