/** Pure: the page and file with which a customer reports a claim, and the mail about a claim's new state. */
import type { ContractClaim } from "#app/claims/claims.ts";
import { customerDocument, escapeHtml, languageLinks } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import { colonOf, dayText, priceText } from "#app/platform/customer-text.ts";

export interface ClaimableContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  /** price of the product before discounts, minor units */
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
  expiresOn: string | null;
  claims: ContractClaim[];
  /** the claims are not as of now: the service does not respond */
  isStale: boolean;
}

/** What a customer needs to report a claim on an order's contracts. Everybody with the link reads it: nothing personal. */
export interface ClaimView {
  shop: string;
  shopName: string;
  orderName: string;
  purchasedAt: Date;
  timezone: string;
  isTest: boolean;
  /** where the insurer takes claims, as the merchant says; empty: not known */
  claimContact: string;
  /** the insurer's page; null: not known */
  insurerPage: string | null;
  contracts: ClaimableContract[];
}

interface PageTexts {
  title: string;
  intro: string;
  contact: string;
  unknownContact: string;
  insurerPage: string;
  product: string;
  contract: string;
  insurance: string;
  until: string;
  proof: string;
  order: string;
  bought: string;
  price: string;
  fill: string[];
  claims: string;
  stale: string;
  filed: string;
  closed: string;
  save: string;
  none: string;
  gone: [title: string, body: string];
  test: string;
  shop: string;
}

const pageTexts: Record<Language, PageTexts> = {
  en: {
    title: "Report a claim",
    intro: "Send this to the insurer, or read it out: it is all that the shop knows of your contract.",
    contact: "The insurer takes claims at",
    unknownContact: "The general conditions say where the insurer takes claims.",
    insurerPage: "The insurer’s page",
    product: "Product",
    contract: "Contract number",
    insurance: "Insurance",
    until: "Insured until",
    proof: "Proof of purchase",
    order: "order",
    bought: "bought on",
    price: "price",
    fill: ["Serial number (on the device or its box)", "What happened", "When it happened"],
    claims: "Claims so far",
    stale: "The insurer cannot be reached right now: this may have changed.",
    filed: "filed on",
    closed: "closed on",
    save: "Save as a file",
    none: "No contract of this order is in force.",
    gone: ["This link is not valid", "Open it again from the page of your order, or contact the shop."],
    test: "These are test contracts: they insure nothing.",
    shop: "Back to",
  },
  fr: {
    title: "Déclarer un sinistre",
    intro:
      "Envoyez ceci à l’assureur, ou lisez-le-lui\u00A0: c’est tout ce que la boutique sait de votre contrat.",
    contact: "Déclarations de sinistre auprès de l’assureur",
    unknownContact: "Les conditions générales indiquent où déclarer un sinistre.",
    insurerPage: "La page de l’assureur",
    product: "Produit",
    contract: "Numéro de contrat",
    insurance: "Assurance",
    until: "Assuré jusqu’au",
    proof: "Preuve d’achat",
    order: "commande",
    bought: "achetée le",
    price: "prix",
    fill: ["Numéro de série (sur l’appareil ou sa boîte)", "Ce qui s’est passé", "Quand"],
    claims: "Sinistres déclarés",
    stale: "L’assureur n’est pas joignable pour le moment\u00A0: cela a pu changer.",
    filed: "déclaré le",
    closed: "clos le",
    save: "Enregistrer dans un fichier",
    none: "Aucun contrat de cette commande n’est en vigueur.",
    gone: [
      "Ce lien n’est pas valable",
      "Ouvrez-le de nouveau depuis la page de votre commande, ou contactez la boutique.",
    ],
    test: "Ce sont des contrats de test\u00A0: ils n’assurent rien.",
    shop: "Retour à",
  },
  de: {
    title: "Schaden melden",
    intro:
      "Senden Sie dies an den Versicherer oder lesen Sie es vor: Mehr weiß der Shop nicht von Ihrem Vertrag.",
    contact: "Der Versicherer nimmt Schadensmeldungen entgegen unter",
    unknownContact: "Die Versicherungsbedingungen sagen, wo Sie einen Schaden melden.",
    insurerPage: "Seite des Versicherers",
    product: "Produkt",
    contract: "Vertragsnummer",
    insurance: "Versicherung",
    until: "Versichert bis",
    proof: "Kaufbeleg",
    order: "Bestellung",
    bought: "gekauft am",
    price: "Preis",
    fill: ["Seriennummer (auf dem Gerät oder der Verpackung)", "Was passiert ist", "Wann es passiert ist"],
    claims: "Bisherige Schadensmeldungen",
    stale: "Der Versicherer ist gerade nicht erreichbar: Der Stand kann sich geändert haben.",
    filed: "gemeldet am",
    closed: "abgeschlossen am",
    save: "Als Datei speichern",
    none: "Kein Vertrag dieser Bestellung ist in Kraft.",
    gone: [
      "Dieser Link ist nicht gültig",
      "Öffnen Sie ihn noch einmal von der Seite Ihrer Bestellung aus, oder wenden Sie sich an den Shop.",
    ],
    test: "Dies sind Testverträge: Sie versichern nichts.",
    shop: "Zurück zu",
  },
  es: {
    title: "Comunicar un siniestro",
    intro: "Envíe esto a la aseguradora, o léaselo: es todo lo que la tienda sabe de su contrato.",
    contact: "La aseguradora recibe los siniestros en",
    unknownContact: "Las condiciones generales indican dónde comunicar un siniestro.",
    insurerPage: "Página de la aseguradora",
    product: "Producto",
    contract: "Número de contrato",
    insurance: "Seguro",
    until: "Asegurado hasta el",
    proof: "Prueba de compra",
    order: "pedido",
    bought: "comprado el",
    price: "precio",
    fill: ["Número de serie (en el aparato o en su caja)", "Qué ha ocurrido", "Cuándo ocurrió"],
    claims: "Siniestros comunicados",
    stale: "La aseguradora no está disponible en este momento: esto puede haber cambiado.",
    filed: "comunicado el",
    closed: "cerrado el",
    save: "Guardar en un archivo",
    none: "Ningún contrato de este pedido está en vigor.",
    gone: [
      "Este enlace no es válido",
      "Ábralo de nuevo desde la página de su pedido, o póngase en contacto con la tienda.",
    ],
    test: "Son contratos de prueba: no aseguran nada.",
    shop: "Volver a",
  },
  it: {
    title: "Denunciare un sinistro",
    intro:
      "Invii questo all’assicuratore, oppure glielo legga: è tutto ciò che il negozio sa del Suo contratto.",
    contact: "L’assicuratore riceve le denunce a",
    unknownContact: "Le condizioni generali indicano dove denunciare un sinistro.",
    insurerPage: "Pagina dell’assicuratore",
    product: "Prodotto",
    contract: "Numero di contratto",
    insurance: "Assicurazione",
    until: "Assicurato fino al",
    proof: "Prova d’acquisto",
    order: "ordine",
    bought: "acquistato il",
    price: "prezzo",
    fill: ["Numero di serie (sull’apparecchio o sulla scatola)", "Che cosa è successo", "Quando è successo"],
    claims: "Sinistri denunciati",
    stale: "L’assicuratore non è raggiungibile in questo momento: la situazione può essere cambiata.",
    filed: "denunciato il",
    closed: "chiuso il",
    save: "Salvare in un file",
    none: "Nessun contratto di questo ordine è in vigore.",
    gone: ["Questo link non è valido", "Lo riapra dalla pagina del Suo ordine, oppure contatti il negozio."],
    test: "Questi sono contratti di prova: non assicurano nulla.",
    shop: "Torna a",
  },
  nl: {
    title: "Schade melden",
    intro: "Stuur dit naar de verzekeraar, of lees het voor: meer weet de winkel niet van uw contract.",
    contact: "De verzekeraar neemt schademeldingen aan via",
    unknownContact: "In de algemene voorwaarden staat waar u schade meldt.",
    insurerPage: "Pagina van de verzekeraar",
    product: "Product",
    contract: "Contractnummer",
    insurance: "Verzekering",
    until: "Verzekerd tot en met",
    proof: "Aankoopbewijs",
    order: "bestelling",
    bought: "gekocht op",
    price: "prijs",
    fill: ["Serienummer (op het apparaat of de doos)", "Wat er is gebeurd", "Wanneer het is gebeurd"],
    claims: "Eerdere schademeldingen",
    stale: "De verzekeraar is op dit moment niet bereikbaar: dit kan veranderd zijn.",
    filed: "gemeld op",
    closed: "afgesloten op",
    save: "Opslaan als bestand",
    none: "Geen contract van deze bestelling is van kracht.",
    gone: [
      "Deze link is niet geldig",
      "Open hem opnieuw vanaf de pagina van uw bestelling, of neem contact op met de winkel.",
    ],
    test: "Dit zijn testcontracten: ze verzekeren niets.",
    shop: "Terug naar",
  },
  pt: {
    title: "Participar um sinistro",
    intro: "Envie isto à seguradora, ou leia-lho: é tudo o que a loja sabe do seu contrato.",
    contact: "A seguradora recebe as participações em",
    unknownContact: "As condições gerais indicam onde participar um sinistro.",
    insurerPage: "Página da seguradora",
    product: "Produto",
    contract: "Número do contrato",
    insurance: "Seguro",
    until: "Segurado até",
    proof: "Prova de compra",
    order: "encomenda",
    bought: "comprada em",
    price: "preço",
    fill: ["Número de série (no aparelho ou na caixa)", "O que aconteceu", "Quando aconteceu"],
    claims: "Sinistros participados",
    stale: "De momento não é possível contactar a seguradora: isto pode ter mudado.",
    filed: "participado em",
    closed: "encerrado em",
    save: "Guardar num ficheiro",
    none: "Nenhum contrato desta encomenda está em vigor.",
    gone: [
      "Esta ligação não é válida",
      "Abra-a novamente a partir da página da sua encomenda, ou contacte a loja.",
    ],
    test: "Estes são contratos de teste: não seguram nada.",
    shop: "Voltar a",
  },
};

/** A contract's lines, for the page and for the file. */
function linesOf(view: ClaimView, contract: ClaimableContract, language: Language): string[] {
  const t = pageTexts[language];
  const colon = colonOf(language);
  const { insuredTitle, insuredPriceMinor, insuredCurrency, expiresOn } = contract;
  const bought = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: view.timezone });
  const price =
    insuredPriceMinor === null || insuredCurrency === null
      ? ""
      : `, ${t.price} ${priceText(insuredPriceMinor, insuredCurrency, language)}`;
  return [
    `${t.contract}${colon} ${contract.contractId}`,
    `${t.insurance}${colon} ${contract.planTitle}`,
    ...(insuredTitle === null ? [] : [`${t.product}${colon} ${insuredTitle}`]),
    ...(expiresOn === null ? [] : [`${t.until} ${dayText(expiresOn, language)}`]),
    `${t.proof}${colon} ${view.shopName}, ${t.order} ${view.orderName}, ${t.bought} ${bought.format(view.purchasedAt)}${price}`,
  ];
}

function claimLines({ claims, isStale }: ClaimableContract, language: Language): string[] {
  const t = pageTexts[language];
  if (claims.length === 0) return [];
  return [
    ...claims.map(
      ({ id, approval, filedOn, closedOn }) =>
        `${id}, ${t.filed} ${dayText(filedOn, language)}${colonOf(language)} ${mailTexts[language].approval[approval]}${closedOn === null ? "" : `, ${t.closed} ${dayText(closedOn, language)}`}`,
    ),
    ...(isStale ? [t.stale] : []),
  ];
}

function contactLines(view: ClaimView, language: Language): string[] {
  const t = pageTexts[language];
  const colon = colonOf(language);
  return [
    view.claimContact === "" ? t.unknownContact : `${t.contact}${colon} ${view.claimContact}`,
    ...(view.insurerPage === null ? [] : [`${t.insurerPage}${colon} ${view.insurerPage}`]),
  ];
}

/** The same as a text, with lines for what only the customer knows. */
export function claimFile(view: ClaimView, language: Language): string {
  const t = pageTexts[language];
  const blocks = [
    t.title,
    ...(view.isTest ? [t.test] : []),
    contactLines(view, language).join("\r\n"),
    ...view.contracts.map((contract) =>
      [
        ...linesOf(view, contract, language),
        ...t.fill.map((label) => `${label}${colonOf(language)} ____________________`),
        ...claimLines(contract, language),
      ].join("\r\n"),
    ),
  ];
  return `${blocks.join("\r\n\r\n")}\r\n`;
}

export function claimPage(view: ClaimView, language: Language): string {
  const t = pageTexts[language];
  const paragraphs = (lines: string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  const items = (lines: string[]) =>
    `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
  const test = view.isTest ? `<p role="note"><strong>${t.test}</strong></p>` : "";
  const sections = view.contracts.map((contract) => {
    const claims = claimLines(contract, language);
    return `<section><h2>${escapeHtml(contract.insuredTitle ?? contract.planTitle)}</h2>${items(linesOf(view, contract, language))}${
      claims.length === 0 ? "" : `<h3>${t.claims}</h3>${items(claims)}`
    }</section>`;
  });
  const main =
    sections.length === 0
      ? `<p>${t.none}</p>`
      : `<p>${t.intro}</p>${paragraphs(contactLines(view, language))}<p><a class="button" href="?language=${language}&amp;file">${t.save}</a></p>${sections.join("")}`;
  const back = `<a href="https://${escapeHtml(view.shop)}/">${t.shop} ${escapeHtml(view.shopName)}</a>`;
  const foot = `<footer><p>${back} · ${languageLinks(language)}</p></footer>`;
  return customerDocument(language, `${t.title} – ${view.shopName}`, `${test}${main}${foot}`);
}

export function claimGonePage(language: Language): string {
  const [title, body] = pageTexts[language].gone;
  return customerDocument(language, title, `<p>${body}</p>`);
}

interface MailTexts {
  subject: string;
  intro: string;
  contract: string;
  product: string;
  decision: string;
  status: string;
  closed: string;
  contact: string;
  approval: Record<ContractClaim["approval"], string>;
  /** the service's statuses are open-ended: one without a text here is written as it came */
  statuses: Partial<Record<string, string>>;
  test: string;
}

const mailTexts: Record<Language, MailTexts> = {
  en: {
    subject: "News about your claim",
    intro: "The insurer has changed the state of your claim.",
    contract: "Contract number",
    product: "Product",
    decision: "Decision",
    status: "State",
    closed: "Closed on",
    contact: "Questions? Ask the insurer",
    approval: { pending: "being examined", approved: "approved", refused: "refused" },
    statuses: {
      pending_repairs: "waiting for repair",
      pending_replacement: "waiting for replacement",
      pending_documents: "waiting for documents",
    },
    test: "This is a test contract: it insures nothing.",
  },
  fr: {
    subject: "Du nouveau sur votre sinistre",
    intro: "L’assureur a modifié l’état de votre sinistre.",
    contract: "Numéro de contrat",
    product: "Produit",
    decision: "Décision",
    status: "État",
    closed: "Clos le",
    contact: "Une question\u00A0? Contactez l’assureur",
    approval: { pending: "en cours d’examen", approved: "accepté", refused: "refusé" },
    statuses: {
      pending_repairs: "en attente de réparation",
      pending_replacement: "en attente de remplacement",
      pending_documents: "en attente de documents",
    },
    test: "Ceci est un contrat de test\u00A0: il n’assure rien.",
  },
  de: {
    subject: "Neues zu Ihrer Schadensmeldung",
    intro: "Der Versicherer hat den Stand Ihrer Schadensmeldung geändert.",
    contract: "Vertragsnummer",
    product: "Produkt",
    decision: "Entscheidung",
    status: "Stand",
    closed: "Abgeschlossen am",
    contact: "Fragen? Wenden Sie sich an den Versicherer",
    approval: { pending: "in Prüfung", approved: "anerkannt", refused: "abgelehnt" },
    statuses: {
      pending_repairs: "wartet auf Reparatur",
      pending_replacement: "wartet auf Ersatz",
      pending_documents: "wartet auf Unterlagen",
    },
    test: "Dies ist ein Testvertrag: Er versichert nichts.",
  },
  es: {
    subject: "Novedades sobre su siniestro",
    intro: "La aseguradora ha cambiado el estado de su siniestro.",
    contract: "Número de contrato",
    product: "Producto",
    decision: "Decisión",
    status: "Estado",
    closed: "Cerrado el",
    contact: "¿Preguntas? Consulte a la aseguradora",
    approval: { pending: "en estudio", approved: "aceptado", refused: "rechazado" },
    statuses: {
      pending_repairs: "pendiente de reparación",
      pending_replacement: "pendiente de sustitución",
      pending_documents: "pendiente de documentos",
    },
    test: "Este es un contrato de prueba: no asegura nada.",
  },
  it: {
    subject: "Novità sul Suo sinistro",
    intro: "L’assicuratore ha modificato lo stato del Suo sinistro.",
    contract: "Numero di contratto",
    product: "Prodotto",
    decision: "Decisione",
    status: "Stato",
    closed: "Chiuso il",
    contact: "Domande? Contatti l’assicuratore",
    approval: { pending: "in esame", approved: "accettato", refused: "rifiutato" },
    statuses: {
      pending_repairs: "in attesa di riparazione",
      pending_replacement: "in attesa di sostituzione",
      pending_documents: "in attesa di documenti",
    },
    test: "Questo è un contratto di prova: non assicura nulla.",
  },
  nl: {
    subject: "Nieuws over uw schademelding",
    intro: "De verzekeraar heeft de stand van uw schademelding gewijzigd.",
    contract: "Contractnummer",
    product: "Product",
    decision: "Beslissing",
    status: "Stand",
    closed: "Afgesloten op",
    contact: "Vragen? Neem contact op met de verzekeraar",
    approval: { pending: "in behandeling", approved: "goedgekeurd", refused: "afgewezen" },
    statuses: {
      pending_repairs: "wacht op reparatie",
      pending_replacement: "wacht op vervanging",
      pending_documents: "wacht op documenten",
    },
    test: "Dit is een testcontract: het verzekert niets.",
  },
  pt: {
    subject: "Novidades sobre o seu sinistro",
    intro: "A seguradora alterou o estado do seu sinistro.",
    contract: "Número do contrato",
    product: "Produto",
    decision: "Decisão",
    status: "Estado",
    closed: "Encerrado a",
    contact: "Perguntas? Contacte a seguradora",
    approval: { pending: "em análise", approved: "aceite", refused: "recusado" },
    statuses: {
      pending_repairs: "a aguardar reparação",
      pending_replacement: "a aguardar substituição",
      pending_documents: "a aguardar documentos",
    },
    test: "Este é um contrato de teste: não segura nada.",
  },
};

export interface ClaimedContract {
  contractId: string;
  planTitle: string;
  insuredTitle: string | null;
  orderName: string;
  shopName: string;
  isTest: boolean;
  claimContact: string;
}

/** The mail about a claim that is new or has another state. */
export function claimMail(contract: ClaimedContract, claim: ContractClaim, language: Language): MailContent {
  const t = mailTexts[language];
  const colon = colonOf(language);
  const lines = [
    ...(contract.isTest ? [t.test] : []),
    t.intro,
    `${t.contract}${colon} ${contract.contractId}`,
    `${t.product}${colon} ${contract.insuredTitle ?? contract.planTitle}`,
    `${t.decision}${colon} ${t.approval[claim.approval]}`,
    claim.closedOn === null
      ? `${t.status}${colon} ${t.statuses[claim.status] ?? claim.status.replaceAll("_", " ")}`
      : `${t.closed} ${dayText(claim.closedOn, language)}`,
    ...(contract.claimContact === "" ? [] : [`${t.contact}${colon} ${contract.claimContact}`]),
  ];
  return {
    language,
    title: t.subject,
    subject: `${t.subject} ${claim.id} – ${contract.shopName}, ${contract.orderName}`,
    text: `${lines.join("\r\n\r\n")}\r\n`,
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join(""),
  };
}
