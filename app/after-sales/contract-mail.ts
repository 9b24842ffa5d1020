/** Pure: the mail that tells a customer which contracts they have, in the language of their order. */
import { escapeHtml } from "#app/platform/customer-page.ts";
import { offerLine } from "#app/offers/offer-words.ts";
import type { Language } from "#app/platform/locale.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import { colonOf, dayText, priceText, termText } from "#app/platform/customer-text.ts";
import { statutoryWords } from "#app/plans/withdrawal/withdrawal-texts.ts";

export interface MailedContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  termMonths: number | null;
  /** what was paid for it: the first month alone where it is monthly */
  premiumMinor: number;
  /** what each month costs; null: it was paid once */
  monthlyPriceMinor: number | null;
  currency: string;
  /** YYYY-MM-DD */
  expiresOn: string | null;
  /** the last day to withdraw, YYYY-MM-DD */
  lastDay: string | null;
  /** what is covered, in the words of the shop or the service */
  covers: readonly string[];
  /** addresses of the legal documents at the moment of sale; empty: there was none */
  conditions: string;
  ipid: string;
}

export interface MailedOrder {
  shopName: string;
  orderName: string;
  /** the contracts are of the test account: they insure nothing */
  isTest: boolean;
  /** where the customer withdraws */
  withdrawal: string;
  /** where the customer insures what is not insured; null: nothing is left */
  insure: string | null;
  /** where the insurer takes claims; empty: not known */
  claimContact: string;
}

interface Texts {
  subject: string;
  intro: string;
  product: string;
  contract: string;
  paid: string;
  term: string;
  until: string;
  covers: string;
  conditions: string;
  ipid: string;
  withdrawal: string;
  /** `{date}` is the last day */
  lastDay: string;
  claim: string;
  contact: string;
  uninsured: string;
  insure: string;
  test: string;
  order: string;
}

const texts: Record<Language, Texts> = {
  en: {
    subject: "Your insurance",
    intro: "You are insured. Keep this mail: it names your contracts and their documents.",
    product: "for",
    contract: "Contract number",
    paid: "Paid",
    term: "Term",
    until: "Insured until",
    covers: "Covered",
    conditions: "General conditions",
    ipid: "Information document (IPID)",
    withdrawal: "You may withdraw from a contract without giving a reason.",
    lastDay: "Withdrawal possible until {date}",
    claim:
      "Has something happened? Report it to the insurer and name your contract number. The general conditions say what is covered and by when to report it.",
    contact: "Report a claim",
    uninsured: "Something in your order is not insured yet.",
    insure: "Insure it here",
    test: "These are test contracts: they insure nothing.",
    order: "Order",
  },
  fr: {
    subject: "Votre assurance",
    intro: "Vous êtes assuré. Conservez cet e-mail\u00A0: il indique vos contrats et leurs documents.",
    product: "pour",
    contract: "Numéro de contrat",
    paid: "Payé",
    term: "Durée",
    until: "Assuré jusqu’au",
    covers: "Garanties",
    conditions: "Conditions générales",
    ipid: "Document d’information (IPID)",
    withdrawal: "Vous pouvez renoncer à un contrat sans donner de motif.",
    lastDay: "Renonciation possible jusqu’au {date}",
    claim:
      "Il vous est arrivé quelque chose\u00A0? Déclarez-le à l’assureur en indiquant votre numéro de contrat. Les conditions générales disent ce qui est couvert et dans quel délai le déclarer.",
    contact: "Déclarer un sinistre",
    uninsured: "Un article de votre commande n’est pas encore assuré.",
    insure: "L’assurer ici",
    test: "Ce sont des contrats de test\u00A0: ils n’assurent rien.",
    order: "Commande",
  },
  de: {
    subject: "Ihre Versicherung",
    intro:
      "Sie sind versichert. Bewahren Sie diese E-Mail auf: Sie nennt Ihre Verträge und deren Unterlagen.",
    product: "für",
    contract: "Vertragsnummer",
    paid: "Bezahlt",
    term: "Laufzeit",
    until: "Versichert bis",
    covers: "Versichert",
    conditions: "Versicherungsbedingungen",
    ipid: "Informationsblatt (IPID)",
    withdrawal: "Sie können einen Vertrag ohne Angabe von Gründen widerrufen.",
    lastDay: "Widerruf möglich bis {date}",
    claim:
      "Ist etwas passiert? Melden Sie es dem Versicherer und nennen Sie Ihre Vertragsnummer. Die Versicherungsbedingungen sagen, was versichert ist und bis wann Sie es melden müssen.",
    contact: "Schaden melden",
    uninsured: "Etwas in Ihrer Bestellung ist noch nicht versichert.",
    insure: "Hier versichern",
    test: "Dies sind Testverträge: Sie versichern nichts.",
    order: "Bestellung",
  },
  es: {
    subject: "Su seguro",
    intro: "Está asegurado. Conserve este correo: indica sus contratos y sus documentos.",
    product: "para",
    contract: "Número de contrato",
    paid: "Pagado",
    term: "Duración",
    until: "Asegurado hasta el",
    covers: "Coberturas",
    conditions: "Condiciones generales",
    ipid: "Documento de información (IPID)",
    withdrawal: "Puede desistir de un contrato sin indicar el motivo.",
    lastDay: "Puede desistir hasta el {date}",
    claim:
      "¿Le ha ocurrido algo? Comuníquelo a la aseguradora indicando su número de contrato. Las condiciones generales indican qué está cubierto y en qué plazo debe comunicarlo.",
    contact: "Comunicar un siniestro",
    uninsured: "Algo de su pedido aún no está asegurado.",
    insure: "Asegurarlo aquí",
    test: "Son contratos de prueba: no aseguran nada.",
    order: "Pedido",
  },
  it: {
    subject: "La Sua assicurazione",
    intro: "È assicurato. Conservi questa e-mail: indica i Suoi contratti e i relativi documenti.",
    product: "per",
    contract: "Numero di contratto",
    paid: "Pagato",
    term: "Durata",
    until: "Assicurato fino al",
    covers: "Coperture",
    conditions: "Condizioni generali",
    ipid: "Documento informativo (IPID)",
    withdrawal: "Può recedere da un contratto senza indicarne il motivo.",
    lastDay: "Recesso possibile fino al {date}",
    claim:
      "È successo qualcosa? Lo denunci all’assicuratore indicando il numero di contratto. Le condizioni generali indicano che cosa è coperto ed entro quando va denunciato.",
    contact: "Denunciare un sinistro",
    uninsured: "Qualcosa nel Suo ordine non è ancora assicurato.",
    insure: "Assicurarlo qui",
    test: "Questi sono contratti di prova: non assicurano nulla.",
    order: "Ordine",
  },
  nl: {
    subject: "Uw verzekering",
    intro: "U bent verzekerd. Bewaar deze e-mail: hierin staan uw contracten en de bijbehorende documenten.",
    product: "voor",
    contract: "Contractnummer",
    paid: "Betaald",
    term: "Looptijd",
    until: "Verzekerd tot en met",
    covers: "Verzekerd",
    conditions: "Algemene voorwaarden",
    ipid: "Verzekeringskaart (IPID)",
    withdrawal: "U kunt een overeenkomst zonder opgave van redenen herroepen.",
    lastDay: "Herroepen kan tot en met {date}",
    claim:
      "Is er iets gebeurd? Meld het bij de verzekeraar en vermeld uw contractnummer. In de algemene voorwaarden staat wat verzekerd is en binnen welke termijn u het moet melden.",
    contact: "Schade melden",
    uninsured: "Iets in uw bestelling is nog niet verzekerd.",
    insure: "Hier verzekeren",
    test: "Dit zijn testcontracten: ze verzekeren niets.",
    order: "Bestelling",
  },
  pt: {
    subject: "O seu seguro",
    intro: "Está segurado. Guarde este e-mail: indica os seus contratos e os respetivos documentos.",
    product: "para",
    contract: "Número do contrato",
    paid: "Pago",
    term: "Duração",
    until: "Segurado até",
    covers: "Coberturas",
    conditions: "Condições gerais",
    ipid: "Documento de informação (IPID)",
    withdrawal: "Pode retratar-se de um contrato sem indicar o motivo.",
    lastDay: "Retratação possível até {date}",
    claim:
      "Aconteceu alguma coisa? Participe à seguradora, indicando o número do contrato. As condições gerais indicam o que está coberto e em que prazo deve participar.",
    contact: "Participar um sinistro",
    uninsured: "Algo na sua encomenda ainda não está seguro.",
    insure: "Segurar aqui",
    test: "Estes são contratos de teste: não seguram nada.",
    order: "Encomenda",
  },
};

export function contractMail(
  order: MailedOrder,
  contracts: readonly MailedContract[],
  language: Language,
): MailContent {
  const t = texts[language];
  const from = `${order.shopName}, ${t.order} ${order.orderName}`;
  const test = order.isTest ? [t.test] : [];
  const sections = contracts.map((contract) => ({
    title: `${contract.planTitle}${contract.insuredTitle === null ? "" : ` ${t.product} ${contract.insuredTitle}`}`,
    facts: factsOf(contract, language),
    covers: contract.covers,
    links: [
      { name: t.conditions, address: contract.conditions },
      { name: t.ipid, address: contract.ipid },
    ].filter(({ address }) => address !== ""),
  }));
  const colon = colonOf(language);
  const claim =
    order.claimContact === "" ? [t.claim] : [t.claim, `${t.contact}${colon} ${order.claimContact}`];
  const text = [
    ...test,
    t.intro,
    from,
    ...sections.map(({ title, facts, covers, links }) =>
      [
        title,
        ...facts,
        ...(covers.length > 0 ? [`${t.covers}${colon}`, ...covers.map((cover) => `– ${cover}`)] : []),
        ...links.map(({ name, address }) => `${name}${colon} ${address}`),
      ].join("\r\n"),
    ),
    `${t.withdrawal} ${statutoryWords[language].withdraw}${colon}\r\n${order.withdrawal}`,
    ...claim,
    ...(order.insure === null ? [] : [`${t.uninsured} ${t.insure}${colon}\r\n${order.insure}`]),
  ];
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  const html = [
    paragraphs([...test, t.intro, from]),
    ...sections.map(
      ({ title, facts, covers, links }) =>
        `<h2 style="font-size:1.1em">${escapeHtml(title)}</h2><p>${facts.map(escapeHtml).join("<br>")}</p>${
          covers.length === 0
            ? ""
            : `<p>${t.covers}</p><ul>${covers.map((cover) => `<li>${escapeHtml(cover)}</li>`).join("")}</ul>`
        }<p>${links.map(({ name, address }) => `<a href="${escapeHtml(address)}">${name}</a>`).join("<br>")}</p>`,
    ),
    `<p>${t.withdrawal} <a href="${escapeHtml(order.withdrawal)}">${statutoryWords[language].withdraw}</a></p>`,
    paragraphs(claim),
    order.insure === null
      ? ""
      : `<p>${t.uninsured} <a href="${escapeHtml(order.insure)}">${t.insure}</a></p>`,
  ];
  return {
    language,
    subject: `${t.subject} – ${from}`,
    title: t.subject,
    text: `${text.join("\r\n\r\n")}\r\n`,
    html: html.join(""),
  };
}

/** Number, price, term and dates of a contract, a line each. */
function factsOf(contract: MailedContract, language: Language): string[] {
  const t = texts[language];
  const { termMonths, premiumMinor, monthlyPriceMinor, currency, expiresOn, lastDay } = contract;
  const colon = colonOf(language);
  const termLine = (months: number) =>
    monthlyPriceMinor === null
      ? `${t.term}${colon} ${termText(months, language)}`
      : offerLine(
          { formula: null, months, priceMinor: monthlyPriceMinor, billing: "monthly" },
          currency,
          language,
        );
  return [
    `${t.contract}${colon} ${contract.contractId}`,
    ...(termMonths === null ? [] : [termLine(termMonths)]),
    `${t.paid}${colon} ${priceText(premiumMinor, currency, language)}`,
    ...(expiresOn === null ? [] : [`${t.until} ${dayText(expiresOn, language)}`]),
    ...(lastDay === null ? [] : [t.lastDay.replace("{date}", dayText(lastDay, language))]),
  ];
}
