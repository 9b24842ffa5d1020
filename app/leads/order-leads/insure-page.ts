/** Pure: the page on which customers insure what they bought without insurance. */
import {
  documentLinks,
  offerLine,
  orderPage,
  reasonPage,
  type ShownOffer,
  type ShownOrder,
} from "#app/offers/offer-words.ts";
import { escapeHtml } from "#app/platform/customer-page.ts";
import type { Language } from "#app/platform/locale.ts";

/** What a quote is made for: the service lists its terms on the insurer's page, where the customer chooses one. */
export interface InsureFormula {
  categoryId: string;
  name: string;
  /** what is covered, as the theme says it; `name` of a formula where the category has several that cover other things */
  covers: { name: string; points: readonly string[] }[];
  conditions: string;
  ipid: string;
  terms: ShownOffer[];
}

export interface InsurableItem {
  /** line and number of the item */
  key: string;
  title: string;
  formulas: InsureFormula[];
}

/** Everybody with the link reads it: nothing personal. */
export interface InsureView extends ShownOrder {
  state: "ready";
  currency: string;
  items: InsurableItem[];
  /** `link` is null while the service has not confirmed it: `isPending` in this moment, else for good */
  quotes: { title: string; link: string | null; isPending: boolean }[];
}

/** Why there is nothing to choose. `not_sold`: by the rule of sale. `pending`: the platform does not find the order yet. */
export interface NoInsureView {
  state: "gone" | "late" | "unavailable" | "not_sold" | "customer_missing" | "pending";
}

/** What is said above the choices after one failed. */
export type InsureAlert = "choose" | "refused" | "unavailable";

interface Texts extends Record<InsureAlert, string> {
  title: string;
  intro: string;
  /** `{date}` is the last day */
  until: string;
  formula: string;
  covers: string;
  get: string;
  ready: string;
  go: string;
  sending: string;
  unknown: string;
  again: string;
  none: string;
  test: string;
  states: Record<NoInsureView["state"], [title: string, body: string]>;
}

const texts: Record<Language, Texts> = {
  en: {
    title: "Insure your purchase",
    intro:
      "You bought this without insurance. Choose what you want to insure: on the insurer’s page you then choose the term, read everything again and pay. Nothing is insured or charged before that.",
    until: "Possible until {date}",
    formula: "Cover",
    covers: "Covered",
    get: "Get my quote",
    ready: "Your quote is ready.",
    go: "Continue to the insurer",
    sending: "Your quote is being prepared.",
    unknown: "The insurer has not confirmed this quote. Contact the shop.",
    again: "Check again",
    none: "There is nothing left to insure in this order.",
    test: "These are test quotes: they insure nothing.",
    choose: "Choose one of the covers.",
    refused: "The insurer makes no quote for this product. Contact the shop.",
    unavailable: "The insurer cannot be reached right now. Nothing is lost: try again in a few minutes.",
    states: {
      gone: ["This link is not valid", "Open it again from the page of your order, or contact the shop."],
      late: ["The time to insure this order is over", "Contact the shop if you would like insurance."],
      unavailable: [
        "Insurance cannot be chosen right now",
        "Nothing is lost: open this page again later, or contact the shop.",
      ],
      not_sold: [
        "This order cannot be insured here",
        "The insurance is not sold where your order goes, or not to companies. Contact the shop.",
      ],
      customer_missing: [
        "The insurer needs more details",
        "Your order lacks your name, your postal address or your phone number. Contact the shop.",
      ],
      pending: ["Your order is still being recorded", "This takes a few seconds."],
    },
  },
  fr: {
    title: "Assurer votre achat",
    intro:
      "Vous avez acheté ceci sans assurance. Choisissez ce que vous voulez assurer\u00A0: sur la page de l’assureur, vous choisirez la durée, relirez le tout et paierez. Rien n’est assuré ni débité avant cela.",
    until: "Possible jusqu’au {date}",
    formula: "Formule",
    covers: "Garanties",
    get: "Obtenir mon devis",
    ready: "Votre devis est prêt.",
    go: "Continuer chez l’assureur",
    sending: "Votre devis est en préparation.",
    unknown: "L’assureur n’a pas confirmé ce devis. Contactez la boutique.",
    again: "Vérifier de nouveau",
    none: "Il ne reste rien à assurer dans cette commande.",
    test: "Ce sont des devis de test\u00A0: ils n’assurent rien.",
    choose: "Choisissez l’une des formules.",
    refused: "L’assureur ne propose pas de devis pour ce produit. Contactez la boutique.",
    unavailable:
      "L’assureur n’est pas joignable pour le moment. Rien n’est perdu\u00A0: réessayez dans quelques minutes.",
    states: {
      gone: [
        "Ce lien n’est pas valable",
        "Ouvrez-le de nouveau depuis la page de votre commande, ou contactez la boutique.",
      ],
      late: [
        "Le délai pour assurer cette commande est écoulé",
        "Contactez la boutique si vous souhaitez une assurance.",
      ],
      unavailable: [
        "L’assurance ne peut pas être choisie pour le moment",
        "Rien n’est perdu\u00A0: rouvrez cette page plus tard, ou contactez la boutique.",
      ],
      not_sold: [
        "Cette commande ne peut pas être assurée ici",
        "L’assurance n’est pas vendue à l’adresse de votre commande, ou pas aux entreprises. Contactez la boutique.",
      ],
      customer_missing: [
        "L’assureur a besoin d’autres informations",
        "Il manque à votre commande votre nom, votre adresse postale ou votre numéro de téléphone. Contactez la boutique.",
      ],
      pending: ["Votre commande est en cours d’enregistrement", "Cela prend quelques secondes."],
    },
  },
  de: {
    title: "Ihren Kauf versichern",
    intro:
      "Sie haben dies ohne Versicherung gekauft. Wählen Sie, was Sie versichern möchten: Auf der Seite des Versicherers wählen Sie dann die Laufzeit, lesen alles noch einmal und bezahlen. Vorher ist nichts versichert und nichts zu zahlen.",
    until: "Möglich bis {date}",
    formula: "Schutz",
    covers: "Versichert",
    get: "Angebot anfordern",
    ready: "Ihr Angebot ist bereit.",
    go: "Weiter zum Versicherer",
    sending: "Ihr Angebot wird vorbereitet.",
    unknown: "Der Versicherer hat dieses Angebot nicht bestätigt. Wenden Sie sich an den Shop.",
    again: "Erneut prüfen",
    none: "In dieser Bestellung ist nichts mehr zu versichern.",
    test: "Dies sind Testangebote: Sie versichern nichts.",
    choose: "Wählen Sie einen Schutz.",
    refused: "Der Versicherer macht für dieses Produkt kein Angebot. Wenden Sie sich an den Shop.",
    unavailable:
      "Der Versicherer ist gerade nicht erreichbar. Es ist nichts verloren: Versuchen Sie es in ein paar Minuten noch einmal.",
    states: {
      gone: [
        "Dieser Link ist nicht gültig",
        "Öffnen Sie ihn erneut auf der Seite Ihrer Bestellung, oder wenden Sie sich an den Shop.",
      ],
      late: [
        "Die Frist zum Versichern dieser Bestellung ist vorbei",
        "Wenden Sie sich an den Shop, wenn Sie eine Versicherung wünschen.",
      ],
      unavailable: [
        "Die Versicherung kann gerade nicht gewählt werden",
        "Es ist nichts verloren: Öffnen Sie diese Seite später noch einmal, oder wenden Sie sich an den Shop.",
      ],
      not_sold: [
        "Diese Bestellung kann hier nicht versichert werden",
        "Die Versicherung wird an Ihrer Lieferadresse oder an Unternehmen nicht verkauft. Wenden Sie sich an den Shop.",
      ],
      customer_missing: [
        "Der Versicherer braucht weitere Angaben",
        "In Ihrer Bestellung fehlt Ihr Name, Ihre Postanschrift oder Ihre Telefonnummer. Wenden Sie sich an den Shop.",
      ],
      pending: ["Ihre Bestellung wird noch erfasst", "Das dauert einige Sekunden."],
    },
  },
  es: {
    title: "Asegurar su compra",
    intro:
      "Ha comprado esto sin seguro. Elija lo que quiere asegurar: en la página de la aseguradora elegirá la duración, volverá a leerlo todo y pagará. Antes de eso nada queda asegurado ni se cobra.",
    until: "Posible hasta el {date}",
    formula: "Cobertura",
    covers: "Coberturas",
    get: "Obtener mi presupuesto",
    ready: "Su presupuesto está listo.",
    go: "Continuar en la aseguradora",
    sending: "Su presupuesto se está preparando.",
    unknown: "La aseguradora no ha confirmado este presupuesto. Póngase en contacto con la tienda.",
    again: "Comprobar de nuevo",
    none: "No queda nada por asegurar en este pedido.",
    test: "Son presupuestos de prueba: no aseguran nada.",
    choose: "Elija una de las coberturas.",
    refused: "La aseguradora no ofrece presupuesto para este producto. Póngase en contacto con la tienda.",
    unavailable:
      "No es posible contactar con la aseguradora en este momento. No se ha perdido nada: inténtelo de nuevo en unos minutos.",
    states: {
      gone: [
        "Este enlace no es válido",
        "Ábralo de nuevo desde la página de su pedido, o póngase en contacto con la tienda.",
      ],
      late: [
        "El plazo para asegurar este pedido ha terminado",
        "Póngase en contacto con la tienda si desea un seguro.",
      ],
      unavailable: [
        "El seguro no se puede elegir en este momento",
        "No se ha perdido nada: abra esta página más tarde, o póngase en contacto con la tienda.",
      ],
      not_sold: [
        "Este pedido no se puede asegurar aquí",
        "El seguro no se vende en la dirección de su pedido o no se vende a empresas. Póngase en contacto con la tienda.",
      ],
      customer_missing: [
        "La aseguradora necesita más datos",
        "En su pedido falta su nombre, su dirección postal o su número de teléfono. Póngase en contacto con la tienda.",
      ],
      pending: ["Su pedido todavía se está registrando", "Tarda unos segundos."],
    },
  },
  it: {
    title: "Assicurare il Suo acquisto",
    intro:
      "Ha acquistato questo senza assicurazione. Scelga che cosa vuole assicurare: sulla pagina dell’assicuratore sceglierà la durata, rileggerà tutto e pagherà. Prima di allora nulla è assicurato né addebitato.",
    until: "Possibile fino al {date}",
    formula: "Copertura",
    covers: "Coperture",
    get: "Richiedi il preventivo",
    ready: "Il Suo preventivo è pronto.",
    go: "Continua dall’assicuratore",
    sending: "Il Suo preventivo è in preparazione.",
    unknown: "L’assicuratore non ha confermato questo preventivo. Contatti il negozio.",
    again: "Controlla di nuovo",
    none: "In questo ordine non resta nulla da assicurare.",
    test: "Questi sono preventivi di prova: non assicurano nulla.",
    choose: "Scelga una delle coperture.",
    refused: "L’assicuratore non fa preventivi per questo prodotto. Contatti il negozio.",
    unavailable:
      "L’assicuratore non è raggiungibile in questo momento. Nulla è perduto: riprovi fra qualche minuto.",
    states: {
      gone: [
        "Questo link non è valido",
        "Lo riapra dalla pagina del Suo ordine, oppure contatti il negozio.",
      ],
      late: [
        "Il termine per assicurare questo ordine è scaduto",
        "Contatti il negozio se desidera un’assicurazione.",
      ],
      unavailable: [
        "L’assicurazione non può essere scelta in questo momento",
        "Nulla è perduto: riapra questa pagina più tardi, oppure contatti il negozio.",
      ],
      not_sold: [
        "Questo ordine non può essere assicurato qui",
        "L’assicurazione non è in vendita all’indirizzo del Suo ordine o non lo è per le aziende. Contatti il negozio.",
      ],
      customer_missing: [
        "L’assicuratore ha bisogno di altri dati",
        "Nel Suo ordine mancano il Suo nome, il Suo indirizzo postale o il Suo numero di telefono. Contatti il negozio.",
      ],
      pending: ["Il Suo ordine è ancora in registrazione", "Ci vogliono alcuni secondi."],
    },
  },
  nl: {
    title: "Uw aankoop verzekeren",
    intro:
      "U hebt dit zonder verzekering gekocht. Kies wat u wilt verzekeren: op de pagina van de verzekeraar kiest u daarna de looptijd, leest u alles nog eens en betaalt u. Daarvoor is niets verzekerd en betaalt u niets.",
    until: "Mogelijk tot en met {date}",
    formula: "Dekking",
    covers: "Verzekerd",
    get: "Offerte aanvragen",
    ready: "Uw offerte is klaar.",
    go: "Verder naar de verzekeraar",
    sending: "Uw offerte wordt voorbereid.",
    unknown: "De verzekeraar heeft deze offerte niet bevestigd. Neem contact op met de winkel.",
    again: "Opnieuw controleren",
    none: "In deze bestelling is niets meer te verzekeren.",
    test: "Dit zijn testoffertes: ze verzekeren niets.",
    choose: "Kies een van de dekkingen.",
    refused: "De verzekeraar maakt geen offerte voor dit product. Neem contact op met de winkel.",
    unavailable:
      "De verzekeraar is op dit moment niet bereikbaar. Er is niets verloren: probeer het over een paar minuten opnieuw.",
    states: {
      gone: [
        "Deze link is niet geldig",
        "Open hem opnieuw vanaf de pagina van uw bestelling, of neem contact op met de winkel.",
      ],
      late: [
        "De termijn om deze bestelling te verzekeren is voorbij",
        "Neem contact op met de winkel als u een verzekering wilt.",
      ],
      unavailable: [
        "De verzekering kan op dit moment niet worden gekozen",
        "Er is niets verloren: open deze pagina later opnieuw, of neem contact op met de winkel.",
      ],
      not_sold: [
        "Deze bestelling kan hier niet worden verzekerd",
        "De verzekering wordt niet verkocht op het adres van uw bestelling, of niet aan bedrijven. Neem contact op met de winkel.",
      ],
      customer_missing: [
        "De verzekeraar heeft meer gegevens nodig",
        "In uw bestelling ontbreekt uw naam, uw postadres of uw telefoonnummer. Neem contact op met de winkel.",
      ],
      pending: ["Uw bestelling wordt nog vastgelegd", "Dit duurt enkele seconden."],
    },
  },
  pt: {
    title: "Segurar a sua compra",
    intro:
      "Comprou isto sem seguro. Escolha o que quer segurar: na página da seguradora escolherá depois a duração, voltará a ler tudo e pagará. Antes disso nada fica seguro nem é cobrado.",
    until: "Possível até {date}",
    formula: "Cobertura",
    covers: "Coberturas",
    get: "Obter a minha proposta",
    ready: "A sua proposta está pronta.",
    go: "Continuar na seguradora",
    sending: "A sua proposta está a ser preparada.",
    unknown: "A seguradora não confirmou esta proposta. Contacte a loja.",
    again: "Verificar novamente",
    none: "Não há mais nada para segurar nesta encomenda.",
    test: "Estas são propostas de teste: não seguram nada.",
    choose: "Escolha uma das coberturas.",
    refused: "A seguradora não faz proposta para este produto. Contacte a loja.",
    unavailable:
      "De momento não é possível contactar a seguradora. Nada se perdeu: tente novamente dentro de alguns minutos.",
    states: {
      gone: ["Esta ligação não é válida", "Abra-a de novo na página da sua encomenda, ou contacte a loja."],
      late: ["O prazo para segurar esta encomenda terminou", "Contacte a loja se desejar um seguro."],
      unavailable: [
        "De momento não é possível escolher o seguro",
        "Nada se perdeu: abra esta página mais tarde, ou contacte a loja.",
      ],
      not_sold: [
        "Esta encomenda não pode ser segurada aqui",
        "O seguro não é vendido na morada da sua encomenda, ou não é vendido a empresas. Contacte a loja.",
      ],
      customer_missing: [
        "A seguradora precisa de mais dados",
        "Na sua encomenda falta o seu nome, a sua morada ou o seu número de telefone. Contacte a loja.",
      ],
      pending: ["A sua encomenda ainda está a ser registada", "Demora alguns segundos."],
    },
  },
};

export function insurePage(view: InsureView | NoInsureView, language: Language, alert?: InsureAlert): string {
  const t = texts[language];
  if (view.state !== "ready") {
    // The address as it is: its language and its token stay.
    const again = view.state === "pending" ? `<p><a class="button" href="">${t.again}</a></p>` : "";
    return reasonPage(t.states[view.state], language, again);
  }
  const quotes = view.quotes.map((quote) => quoteSection(quote, language)).join("");
  const items = view.items.map((item) => itemSection(item, view.currency, language)).join("");
  return orderPage(
    view,
    { title: t.title, until: t.until, test: t.test, alert: alert ? t[alert] : null },
    items === "" ? quotes || `<p>${t.none}</p>` : `${quotes}<p>${t.intro}</p>${items}`,
    language,
  );
}

function quoteSection({ title, link, isPending }: InsureView["quotes"][number], language: Language): string {
  const t = texts[language];
  const body =
    link !== null
      ? `<p>${t.ready}</p><a class="button" href="${escapeHtml(link)}">${t.go}</a>`
      : isPending
        ? `<p>${t.sending}</p><a class="button" href="">${t.again}</a>`
        : `<p>${t.unknown}</p>`;
  return `<section><h2>${escapeHtml(title)}</h2>${body}</section>`;
}

/** A product with what can be chosen for it; one formula alone needs no choice. Nothing is chosen beforehand. */
function itemSection(
  { key, title, formulas: choices }: InsurableItem,
  currency: string,
  language: Language,
): string {
  const t = texts[language];
  const [only] = choices.length === 1 ? choices : [];
  const described = (formula: InsureFormula) => formulaDetails(formula, currency, language);
  const chosen = only
    ? `<input type="hidden" name="category" value="${escapeHtml(only.categoryId)}">${described(only)}`
    : `<fieldset><legend>${t.formula}</legend>${choices
        .map(
          (formula) =>
            `<label><input type="radio" name="category" value="${escapeHtml(formula.categoryId)}" required> <strong>${escapeHtml(formula.name)}</strong></label>${described(formula)}`,
        )
        .join("")}</fieldset>`;
  return `<section><h2>${escapeHtml(title)}</h2><form method="post" action="?language=${language}"><input type="hidden" name="item" value="${escapeHtml(key)}">${chosen}<p><button>${t.get}</button></p></form></section>`;
}

function formulaDetails(
  { covers, conditions, ipid, terms }: InsureFormula,
  currency: string,
  language: Language,
): string {
  const t = texts[language];
  const prices = terms.map((term) => `<li>${escapeHtml(offerLine(term, currency, language))}</li>`);
  const covered = covers.map(({ name, points }) => {
    const of = name === "" ? "" : `<strong>${escapeHtml(name)}</strong> · `;
    const list = points.map((point) => `<li>– ${escapeHtml(point)}</li>`);
    return `<p>${of}${t.covers}</p><ul>${list.join("")}</ul>`;
  });
  return `${covered.join("")}<ul>${prices.join("")}</ul><p>${documentLinks({ conditions, ipid }, language)}</p>`;
}
