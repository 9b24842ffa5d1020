/** The mail about a claim that is new or has another state. */
import type { ContractClaim } from "./claims.ts";
import { decisionText, statusText } from "./claim-words.ts";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { contactParts } from "#app/platform/contact-links.ts";
import { dayText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import { type MailContent, writeMail } from "#app/platform/mail-document.ts";

export interface ClaimedContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  orderName: string;
  shopName: string;
  isTest: boolean;
  claimContact: string;
}

export function claimMail(
  { contractId, planTitle, insuredTitle, orderName, shopName, isTest, claimContact }: ClaimedContract,
  { id, approval, status, closedOn }: ContractClaim,
  language: Language,
): MailContent {
  const t = textsOf(language, "claimMail");
  const common = textsOf(language, "common");
  return writeMail({
    language,
    shopName,
    subject: `${t("subject")} ${id} – ${shopName}, ${orderName}`,
    title: t("subject"),
    parts: [
      ...(isTest ? [t("test")] : []),
      t("intro"),
      common("contract", { number: contractId }),
      common("product", { product: insuredTitle ?? planTitle }),
      t("decision", { decision: decisionText(approval, language) }),
      closedOn === null
        ? t("status", { status: statusText(status, language) })
        : t("closed", { date: dayText(closedOn, language) }),
      ...(claimContact === "" ? [] : [{ inline: contactParts(t("contact", { contact: claimContact })) }]),
    ],
  });
}
