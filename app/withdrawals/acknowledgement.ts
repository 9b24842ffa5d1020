/** What acknowledges a customer's withdrawal: on the page, as a file that they keep, and as a mail. */
import { textsOf } from "#app/locales/customers/index.server.ts";
import type { Language } from "#app/platform/locale.ts";
import { type MailContent, writeMail } from "#app/platform/mail-document.ts";
import type { Declarant, WithdrawalItem, WithdrawalView } from "./withdrawal.ts";

/** "Theft cover for Smartphone Nova (Contract C-1)" */
export function contractName(
  { planTitle, insuredTitle, contractId }: WithdrawalItem,
  language: Language,
): string {
  const common = textsOf(language, "common");
  const contract =
    insuredTitle === null ? planTitle : common("insured", { plan: planTitle, product: insuredTitle });
  return contractId === null
    ? contract
    : textsOf(language, "withdrawal")("numbered", { contract, number: contractId });
}

/** What the customer declared and when, a paragraph each; null: they withdrew from nothing. */
export function acknowledgementOf(view: WithdrawalView, language: Language): string[] | null {
  const t = textsOf(language, "withdrawal");
  const moments = new Intl.DateTimeFormat(language, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: view.timezone,
  });
  const withdrawn = view.items.flatMap((item) => {
    if (item.withdrawnAt === null) return [];
    const contract = contractName(item, language);
    const line = t("acknowledgement.withdrawn", { contract, moment: moments.format(item.withdrawnAt) });
    return [item.isBeingChecked ? `${line}. ${t("acknowledgement.checking")}` : line];
  });
  if (withdrawn.length === 0) return null;
  const order = textsOf(language, "common")("order", { shop: view.shopName, order: view.orderName });
  return [t("acknowledgement.received"), order, ...withdrawn, t("acknowledgement.next")];
}

/** The same as a text file. Null: there is nothing to acknowledge. */
export function acknowledgementText(view: WithdrawalView, language: Language): string | null {
  const lines = acknowledgementOf(view, language);
  const title = textsOf(language, "withdrawal")("acknowledgement.title");
  return lines && `${[title, ...lines].join("\r\n\r\n")}\r\n`;
}

/** The acknowledgement that the customer gets by mail: what they withdrew from, when, and who declared it. */
export function acknowledgementMail(
  view: WithdrawalView,
  { name, language }: Declarant,
  link: string,
): MailContent {
  const t = textsOf(language, "withdrawal");
  const common = textsOf(language, "common");
  const title = t("acknowledgement.title");
  const { shopName, orderName } = view;
  return writeMail({
    language,
    shopName,
    subject: `${title} – ${common("order", { shop: shopName, order: orderName })}`,
    title,
    parts: [
      ...(view.isTest ? [common("testContracts")] : []),
      ...(acknowledgementOf(view, language) ?? []),
      ...(name === "" ? [] : [t("declarant.by", { name })]),
      { label: t("acknowledgement.read"), to: link },
    ],
  });
}
