/** Pure: the pages behind a withdrawal's link, and the acknowledgement as a text that customers keep. */
import { customerDocument, escapeHtml, languageLinks, masked } from "#app/platform/customer-page.ts";
import { toCurrencyUnits } from "#app/platform/money.ts";
import type { Locale } from "#app/platform/locale.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import type { Declarant, WithdrawalUnit, WithdrawalView } from "./withdraw.server.ts";
import type { WithdrawalState } from "./withdrawal.ts";

interface Texts {
  title: string;
  gone: [title: string, body: string];
  intro: string;
  declare: string;
  choose: string;
  check: string;
  confirm: string;
  /** where the acknowledgement goes, or that the shop sends it */
  mailed: [byMail: string, byShop: string];
  declarant: string;
  another: string;
  name: string;
  email: string;
  malformed: string;
  /** what French law lets customers do after the first year: a title, the conditions, the two steps, what follows */
  end: {
    declare: string;
    intro: string;
    check: string;
    confirm: string;
    acknowledgement: string;
    received: string;
    next: string;
    until: string;
  };
  search: string;
  orderNumber: string;
  orderEmail: string;
  find: string;
  notFound: string;
  again: string;
  back: string;
  none: string;
  product: string;
  contract: string;
  order: string;
  state: Record<WithdrawalState, string>;
  checking: string;
  acknowledgement: string;
  received: string;
  keep: string;
  save: string;
  next: string;
  paid: string;
  until: string;
  test: string;
  shop: string;
}

const texts: Record<Locale, Texts> = {
  en: {
    title: "Withdraw from your insurance",
    gone: ["This link is not valid", "Open it again from the page of your order, or contact the shop."],
    intro: "You may withdraw from a contract without giving a reason while its time is not over.",
    declare: "Withdraw from contract here",
    choose: "Choose at least one contract.",
    check: "You are about to withdraw from these contracts. You will not be insured any more.",
    confirm: "Confirm withdrawal",
    mailed: [
      "The acknowledgement is emailed at once.",
      "You can save the acknowledgement on the next page, and the shop sends it to you.",
    ],
    declarant: "Declared by",
    another: "Use another name or email address",
    name: "Name",
    email: "Email address for the acknowledgement",
    malformed: "This email address is not complete.",
    end: {
      declare: "End my insurance",
      intro:
        "After its first year you may end a contract at any time, without a reason and free of charge (code des assurances, article L. 113-15-2). It ends one month after your declaration. What you paid for the time after that is paid back within 30 days of the end.",
      check: "You are about to end these contracts. You are insured until the day that is named here.",
      confirm: "Confirm that I end my insurance",
      acknowledgement: "Acknowledgement of the end of your insurance",
      received: "We have received your declaration that you end the following contracts.",
      next: "The shop has the insurer end the contracts. What you paid for the time after their end is paid back within 30 days of it.",
      until: "insured until",
    },
    search:
      "Withdraw from contract here, or end your insurance: enter your order and the email address that you ordered with.",
    orderNumber: "Order number, such as #1001",
    orderEmail: "Email address",
    find: "Continue",
    notFound:
      "There is no insured order with this number and this email address. Both are in the confirmation of your order.",
    again: "You can read this again at any time:",
    back: "Back",
    none: "There is no contract that you can withdraw from here.",
    product: "for",
    contract: "Contract",
    order: "Order",
    state: {
      open: "",
      withdrawn: "You withdrew on",
      ended: "Ended already",
      late: "The time for withdrawing here is over. You can end it here after its first year, or contact the shop.",
      claimed: "A claim was filed with this contract. Contact the shop if you want to end it.",
      endable: "",
      ending: "You ended it on",
    },
    checking: "The shop first checks whether a claim was filed with it.",
    acknowledgement: "Acknowledgement of your withdrawal",
    received: "We have received your declaration of withdrawal from the following contracts.",
    keep: "Save or print this acknowledgement: it is your proof.",
    save: "Save the acknowledgement",
    next: "The shop has the contracts ended and pays back what you paid for them within 30 days.",
    paid: "You paid",
    until: "possible until",
    test: "These are test contracts: they insure nothing.",
    shop: "Back to",
  },
  fr: {
    title: "Renoncer à votre assurance",
    gone: [
      "Ce lien n’est pas valable",
      "Ouvrez-le de nouveau depuis la page de votre commande, ou contactez la boutique.",
    ],
    intro: "Vous pouvez renoncer à un contrat sans donner de motif tant que le délai n’est pas écoulé.",
    declare: "Renoncer au contrat ici",
    choose: "Choisissez au moins un contrat.",
    check: "Vous allez renoncer à ces contrats. Vous ne serez plus assuré.",
    confirm: "Confirmer la renonciation",
    mailed: [
      "L’accusé de réception est envoyé aussitôt par e-mail.",
      "Vous pourrez enregistrer l’accusé de réception à la page suivante, et la boutique vous l’envoie.",
    ],
    declarant: "Déclaration de",
    another: "Utiliser un autre nom ou une autre adresse e-mail",
    name: "Nom",
    email: "Adresse e-mail pour l’accusé de réception",
    malformed: "Cette adresse e-mail n’est pas complète.",
    end: {
      declare: "Résilier votre contrat",
      intro:
        "Après la première année, vous pouvez résilier un contrat à tout moment, sans motif et sans frais (code des assurances, article L. 113-15-2). Il prend fin un mois après votre déclaration. Ce que vous avez payé pour la période suivante vous est remboursé dans les 30 jours suivant cette fin.",
      check: "Vous allez résilier ces contrats. Vous êtes assuré jusqu’au jour indiqué ici.",
      confirm: "Confirmer ma demande de résiliation",
      acknowledgement: "Accusé de réception de votre résiliation",
      received: "Nous avons reçu votre déclaration de résiliation des contrats suivants.",
      next: "La boutique fait résilier les contrats par l’assureur. Ce que vous avez payé pour la période suivant leur fin vous est remboursé dans les 30 jours.",
      until: "assuré jusqu’au",
    },
    search:
      "Renoncer au contrat ici, ou le résilier\u00A0: saisissez votre commande et l’adresse e-mail avec laquelle vous avez commandé.",
    orderNumber: "Numéro de commande, par exemple #1001",
    orderEmail: "Adresse e-mail",
    find: "Continuer",
    notFound:
      "Aucune commande assurée n’a ce numéro et cette adresse e-mail. Les deux figurent dans la confirmation de votre commande.",
    again: "Vous pouvez le relire à tout moment\u00A0:",
    back: "Retour",
    none: "Il n’y a pas de contrat auquel vous puissiez renoncer ici.",
    product: "pour",
    contract: "Contrat",
    order: "Commande",
    state: {
      open: "",
      withdrawn: "Vous y avez renoncé le",
      ended: "Déjà terminé",
      late: "Le délai pour renoncer ici est écoulé. Vous pourrez résilier ici après la première année. D’ici là, contactez la boutique.",
      claimed: "Un sinistre a été déclaré sur ce contrat. Contactez la boutique si vous voulez y mettre fin.",
      endable: "",
      ending: "Vous l’avez résilié le",
    },
    checking: "La boutique vérifie d’abord si un sinistre a été déclaré sur ce contrat.",
    acknowledgement: "Accusé de réception de votre renonciation",
    received: "Nous avons reçu votre déclaration de renonciation aux contrats suivants.",
    keep: "Enregistrez ou imprimez cet accusé de réception\u00A0: c’est votre preuve.",
    save: "Enregistrer l’accusé de réception",
    next: "La boutique fait mettre fin aux contrats et vous rembourse ce que vous avez payé dans un délai de 30 jours.",
    paid: "Vous avez payé",
    until: "possible jusqu’au",
    test: "Ces contrats sont des contrats de test\u00A0: ils n’assurent rien.",
    shop: "Retour à",
  },
};

const dateTime = (moment: Date, locale: Locale, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "long", timeZone }).format(moment);

const nameOf = ({ planTitle, insuredTitle, contractId }: WithdrawalUnit, t: Texts): string =>
  [
    planTitle,
    insuredTitle === null ? "" : ` ${t.product} ${insuredTitle}`,
    contractId === null ? "" : ` (${t.contract} ${contractId})`,
  ].join("");

const day = (date: string, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(date));

/** What was paid for a contract, and until when the customer may withdraw from it. */
function termsOf({ premiumMinor, currency, lastDay }: WithdrawalUnit, locale: Locale): string {
  const t = texts[locale];
  const amount = new Intl.NumberFormat(locale, { style: "currency", currency }).format(
    toCurrencyUnits(premiumMinor, currency),
  );
  return `${t.paid} ${amount}${lastDay === null ? "" : `, ${t.until} ${day(lastDay, locale)}`}`;
}

/** The page with the shop's name above it, and the ways to another language and back to the shop below. */
function page(
  view: Pick<WithdrawalView, "shop" | "shopName" | "isTest">,
  locale: Locale,
  main: string,
): string {
  const t = texts[locale];
  const test = view.isTest ? `<p role="note"><strong>${t.test}</strong></p>` : "";
  const back = `<a href="https://${escapeHtml(view.shop)}/">${t.shop} ${escapeHtml(view.shopName)}</a>`;
  const foot = `<footer><p>${back} · ${languageLinks(locale)}</p></footer>`;
  return customerDocument(locale, `${t.title} – ${view.shopName}`, `${test}${main}${foot}`);
}

export function gonePage(locale: Locale): string {
  const [title, body] = texts[locale].gone;
  return customerDocument(locale, title, `<p>${escapeHtml(body)}</p>`);
}

/** Where customers find their order. */
export function searchPage(
  { shop, name: shopName }: { shop: string; name: string },
  locale: Locale,
  isNotFound = false,
): string {
  const t = texts[locale];
  const alert = isNotFound ? `<p role="alert">${t.notFound}</p>` : "";
  const form = `<p>${t.search}</p>${alert}<form method="post">
<p><label>${t.orderNumber} <input name="order" required maxlength="60" autocomplete="off"></label>
<label>${t.orderEmail} <input type="email" name="email" required maxlength="254" autocomplete="email"></label></p>
<button>${t.find}</button></form>`;
  return page({ shop, shopName, isTest: false }, locale, form);
}

/** The steps of the page's two functions. */
export const steps = ["declare", "confirm", "end", "confirm_end"] as const;
export type Step = (typeof steps)[number];

/** Whether the step is about ending contracts, and not about withdrawing from them. */
export const isEnding = (step: Step): boolean => step === "end" || step === "confirm_end";

interface Acknowledgement {
  title: string;
  lines: string[];
}

/** What the customer declared and when; null: they withdrew from nothing. */
function withdrawalAcknowledgement(view: WithdrawalView, locale: Locale): Acknowledgement | null {
  const t = texts[locale];
  const units = view.units.flatMap((unit) =>
    unit.withdrawnAt === null ? [] : [{ ...unit, withdrawnAt: unit.withdrawnAt }],
  );
  if (units.length === 0) return null;
  const lines = units.map((unit) => {
    const when = dateTime(unit.withdrawnAt, locale, view.timezone);
    const checking = unit.isBeingChecked ? `. ${t.checking}` : "";
    return `– ${nameOf(unit, t)}. ${t.state.withdrawn} ${when}${checking}`;
  });
  const order = `${view.shopName}, ${t.order} ${view.orderName}`;
  return { title: t.acknowledgement, lines: [t.received, order, ...lines, t.next] };
}

/** The same of contracts that the customer ended; null: there are none. */
function endingAcknowledgement(view: WithdrawalView, locale: Locale): Acknowledgement | null {
  const t = texts[locale];
  const units = view.units.flatMap((unit) =>
    unit.endDeclaredAt === null ? [] : [{ ...unit, endDeclaredAt: unit.endDeclaredAt }],
  );
  if (units.length === 0) return null;
  const lines = units.map(
    (unit) =>
      `– ${nameOf(unit, t)}. ${t.state.ending} ${dateTime(unit.endDeclaredAt, locale, view.timezone)}, ${t.end.until} ${day(unit.endsOn, locale)}`,
  );
  const order = `${view.shopName}, ${t.order} ${view.orderName}`;
  return { title: t.end.acknowledgement, lines: [t.end.received, order, ...lines, t.end.next] };
}

const acknowledgementsOf = (view: WithdrawalView, locale: Locale): Acknowledgement[] =>
  [withdrawalAcknowledgement(view, locale), endingAcknowledgement(view, locale)].filter(
    (each) => each !== null,
  );

/** The same as a text file. Null: there is nothing to acknowledge. */
export function acknowledgementText(view: WithdrawalView, locale: Locale): string | null {
  const lines = acknowledgementsOf(view, locale).flatMap((each) => [each.title, ...each.lines]);
  return lines.length === 0 ? null : `${lines.join("\r\n\r\n")}\r\n`;
}

/** The acknowledgement that the customer gets by mail: what they withdrew from, when, and who declared it. */
export function acknowledgementMail(view: WithdrawalView, declarant: Declarant, link: string): MailContent {
  return mailOf(withdrawalAcknowledgement(view, declarant.locale), view, declarant, link);
}

/** The same of contracts that the customer ended. */
export function endingMail(view: WithdrawalView, declarant: Declarant, link: string): MailContent {
  return mailOf(endingAcknowledgement(view, declarant.locale), view, declarant, link);
}

function mailOf(
  acknowledgement: Acknowledgement | null,
  view: WithdrawalView,
  { name, locale }: Declarant,
  link: string,
): MailContent {
  const t = texts[locale];
  const { title, lines: acknowledged } = acknowledgement ?? { title: "", lines: [] };
  const test = view.isTest ? [t.test] : [];
  const declarant = name === "" ? [] : [`${t.declarant} ${name}`];
  const lines = [...test, ...acknowledged, ...declarant];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  return {
    language: locale,
    title,
    subject: `${title} – ${view.shopName}, ${t.order} ${view.orderName}`,
    text: `${[title, ...lines, `${t.again}\r\n${link}`].join("\r\n\r\n")}\r\n`,
    html: `${paragraphs}<p>${t.again} <a href="${escapeHtml(link)}">${escapeHtml(view.shopName)}</a></p>`,
  };
}

/** Who declares it and where the acknowledgement goes: to confirm, or to enter. */
function declarantFields(
  { customer, isMailed }: WithdrawalView,
  locale: Locale,
  isMalformed: boolean,
): string {
  const t = texts[locale];
  const alert = isMalformed ? `<p role="alert">${t.malformed}</p>` : "";
  const fields = `<p><label>${t.name} <input name="name" autocomplete="name" maxlength="200"></label>
<label>${t.email} <input type="email" name="email" autocomplete="email" maxlength="254"></label></p>`;
  const known = customer && [customer.name, customer.email ?? ""].filter((part) => part !== "").map(masked);
  const [byMail, byShop] = t.mailed;
  const who =
    known && known.length > 0
      ? `<p>${t.declarant} ${escapeHtml(known.join(", "))}</p><details${isMalformed ? " open" : ""}><summary>${t.another}</summary>${fields}</details>`
      : fields;
  return `${alert}${who}<p>${isMailed ? byMail : byShop}</p>`;
}

/**
 * The first step: what there is, what was declared already, and the buttons.
 * @param refused the step for which nothing was chosen
 */
export function choicePage(view: WithdrawalView, locale: Locale, refused: Step | null = null): string {
  const t = texts[locale];
  const acknowledgements = acknowledgementsOf(view, locale);
  const done = acknowledgements.map(
    ({ title, lines }) =>
      `<section><h2>${title}</h2>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}
<p>${t.keep}</p><a class="button" href="?language=${locale}&amp;acknowledgement">${t.save}</a></section>`,
  );
  const rest = view.units.filter(({ state }) => state !== "withdrawn" && state !== "ending");
  const open = rest.filter(({ state }) => state === "open");
  const endable = rest.filter(({ state }) => state === "endable");
  const others = rest.filter((unit) => !open.includes(unit) && !endable.includes(unit));
  // What is left after a declaration is another decision.
  const isOnly = rest.length === 1 && acknowledgements.length === 0;
  const box = (unit: WithdrawalUnit, terms: string) =>
    `<li><label><input type="checkbox" name="unit" value="${escapeHtml(unit.key)}"${isOnly ? " checked" : ""}> <span>${escapeHtml(nameOf(unit, t))}<br><small>${escapeHtml(terms)}</small></span></label></li>`;
  const form = (step: Step, intro: string, button: string, boxes: string[]) =>
    boxes.length === 0
      ? ""
      : `<p>${intro}</p><form method="post">${refused === step ? `<p role="alert">${t.choose}</p>` : ""}<ul>${boxes.join("")}</ul>
<button name="step" value="${step}">${button}</button></form>`;
  const forms = [
    form(
      "declare",
      t.intro,
      t.declare,
      open.map((unit) => box(unit, termsOf(unit, locale))),
    ),
    form(
      "end",
      t.end.intro,
      t.end.declare,
      endable.map((unit) => box(unit, `${t.end.until} ${day(unit.endsOn, locale)}`)),
    ),
  ].join("");
  const order = `<p>${escapeHtml(view.shopName)}, ${t.order} ${escapeHtml(view.orderName)}</p>`;
  const closed = others.map(
    (unit) => `<li>${escapeHtml(nameOf(unit, t))}<br><small>${t.state[unit.state]}</small></li>`,
  );
  const list = closed.length === 0 ? "" : `<ul>${closed.join("")}</ul>`;
  const none = forms === "" && (done.length === 0 || closed.length > 0) ? `<p>${t.none}</p>` : "";
  return page(view, locale, `${done.join("")}${rest.length > 0 ? order : ""}${forms}${list}${none}`);
}

/** The second step: what was chosen, and the button that makes it so. */
export function confirmPage(
  view: WithdrawalView,
  chosen: readonly WithdrawalUnit[],
  locale: Locale,
  { ends, isMalformed = false }: { ends: boolean; isMalformed?: boolean },
): string {
  const t = texts[locale];
  const items = chosen.map((unit) => {
    const terms = ends ? `${t.end.until} ${day(unit.endsOn, locale)}` : termsOf(unit, locale);
    return `<li>${escapeHtml(nameOf(unit, t))}<br><small>${escapeHtml(terms)}</small><input type="hidden" name="unit" value="${escapeHtml(unit.key)}"></li>`;
  });
  const [check, step, confirm] = ends
    ? [t.end.check, "confirm_end", t.end.confirm]
    : [t.check, "confirm", t.confirm];
  return page(
    view,
    locale,
    `<p>${check}</p><form method="post"><p>${escapeHtml(view.shopName)}, ${t.order} ${escapeHtml(view.orderName)}</p>
<ul>${items.join("")}</ul>${declarantFields(view, locale, isMalformed)}<button name="step" value="${step}">${confirm}</button>
<a class="button" href="?language=${locale}">${t.back}</a></form>`,
  );
}
