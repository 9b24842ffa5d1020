/** Pure: the page on which the customer of a draft order reads, chooses and confirms its insurance, and what is noted of it. */
import { documentLinks, offerLine, orderPage, reasonPage } from "#app/offers/offer-words.ts";
import { escapeHtml } from "#app/platform/customer-page.ts";
import { dayText, priceText, termText } from "#app/platform/customer-text.ts";
import type { Language } from "#app/platform/locale.ts";
import type { MailContent } from "#app/platform/mail-document.ts";
import type { OfferedLine, SaleView } from "./draft-orders.server.ts";

/** What is said above the offers after a confirmation that added nothing. */
export type SaleAlert = "choose" | "changed" | "busy" | "refused";

/** Why there is nothing to see. */
export type NoSale = "gone" | "expired" | "unavailable";

interface Texts extends Record<SaleAlert, string> {
  title: string;
  intro: string;
  /** `{date}` is the last day */
  until: string;
  /** of the mail: what its link leads to */
  open: string;
  pieces: string;
  agreed: string;
  confirm: string;
  confirmed: string;
  none: string;
  next: string;
  test: string;
  completed: string;
  closed: string;
  /** how the customer agreed */
  link: string;
  states: Record<NoSale, [title: string, body: string]>;
}

const texts: Record<Language, Texts> = {
  en: {
    title: "Insurance for your order",
    intro:
      "Read the price and the documents, then choose and confirm yourself. Nothing is insured without your confirmation; you pay for it together with your order.",
    until: "This link is valid until {date}",
    open: "Read and choose here",
    pieces: "Items to insure",
    agreed:
      "I have read the general conditions and the information document (IPID), and I want this insurance at this price.",
    confirm: "Confirm with obligation to pay",
    confirmed: "Confirmed",
    none: "There is nothing more to insure in this order.",
    next: "The insurance is in your order. The shop completes the order and takes the payment.",
    test: "This is a test: nothing is insured.",
    choose: "Choose an offer and tick that you have read the documents.",
    changed: "The offer or the order has changed: nothing was added. Read it again and choose again.",
    busy: "The order is being changed right now: nothing was added. Try again in a moment.",
    refused: "This insurance cannot be added. Contact the shop.",
    completed: "This order is paid: nothing can be added to it any more.",
    closed: "Nothing can be added to this order here. Contact the shop.",
    link: "By the customer’s own link",
    states: {
      gone: ["This link is not valid", "Ask the shop for a new one."],
      expired: ["This link has expired", "Nothing was added. Ask the shop for a new one."],
      unavailable: [
        "The order cannot be shown right now",
        "Nothing is lost: open this page again in a few minutes, or contact the shop.",
      ],
    },
  },
  fr: {
    title: "Assurance pour votre commande",
    intro:
      "Lisez le prix et les documents, puis choisissez et confirmez vous-même. Rien n’est assuré sans votre confirmation\u00A0; vous payez l’assurance avec votre commande.",
    until: "Ce lien est valable jusqu’au {date}",
    open: "Lire et choisir ici",
    pieces: "Articles à assurer",
    agreed:
      "J’ai lu les conditions générales et le document d’information (IPID), et je souhaite cette assurance à ce prix.",
    confirm: "Confirmer avec obligation de paiement",
    confirmed: "Confirmé",
    none: "Il n’y a plus rien à assurer dans cette commande.",
    next: "L’assurance est dans votre commande. La boutique termine la commande et encaisse le paiement.",
    test: "Ceci est un test\u00A0: rien n’est assuré.",
    choose: "Choisissez une offre et cochez que vous avez lu les documents.",
    changed: "L’offre ou la commande a changé\u00A0: rien n’a été ajouté. Relisez et choisissez à nouveau.",
    busy: "La commande est en cours de modification\u00A0: rien n’a été ajouté. Réessayez dans un instant.",
    refused: "Cette assurance ne peut pas être ajoutée. Contactez la boutique.",
    completed: "Cette commande est payée\u00A0: rien ne peut plus y être ajouté.",
    closed: "Rien ne peut être ajouté à cette commande ici. Contactez la boutique.",
    link: "Par le lien personnel du client",
    states: {
      gone: ["Ce lien n’est pas valable", "Demandez-en un nouveau à la boutique."],
      expired: ["Ce lien a expiré", "Rien n’a été ajouté. Demandez-en un nouveau à la boutique."],
      unavailable: [
        "La commande ne peut pas être affichée pour le moment",
        "Rien n’est perdu\u00A0: rouvrez cette page dans quelques minutes, ou contactez la boutique.",
      ],
    },
  },
  de: {
    title: "Versicherung für Ihre Bestellung",
    intro:
      "Lesen Sie Preis und Unterlagen, wählen und bestätigen Sie dann selbst. Ohne Ihre Bestätigung ist nichts versichert; Sie bezahlen die Versicherung mit Ihrer Bestellung.",
    until: "Dieser Link gilt bis {date}",
    open: "Hier lesen und wählen",
    pieces: "Zu versichernde Artikel",
    agreed:
      "Ich habe die Versicherungsbedingungen und das Informationsblatt (IPID) gelesen und möchte diese Versicherung zu diesem Preis.",
    confirm: "Zahlungspflichtig bestätigen",
    confirmed: "Bestätigt",
    none: "In dieser Bestellung ist nichts mehr zu versichern.",
    next: "Die Versicherung ist in Ihrer Bestellung. Der Shop schließt die Bestellung ab und nimmt die Zahlung entgegen.",
    test: "Dies ist ein Test: Es ist nichts versichert.",
    choose: "Wählen Sie ein Angebot und bestätigen Sie, dass Sie die Unterlagen gelesen haben.",
    changed:
      "Das Angebot oder die Bestellung hat sich geändert: Es wurde nichts hinzugefügt. Lesen Sie es erneut und wählen Sie noch einmal.",
    busy: "Die Bestellung wird gerade geändert: Es wurde nichts hinzugefügt. Versuchen Sie es gleich noch einmal.",
    refused: "Diese Versicherung kann nicht hinzugefügt werden. Wenden Sie sich an den Shop.",
    completed: "Diese Bestellung ist bezahlt: Es kann nichts mehr hinzugefügt werden.",
    closed: "Zu dieser Bestellung kann hier nichts hinzugefügt werden. Wenden Sie sich an den Shop.",
    link: "Über den eigenen Link des Kunden",
    states: {
      gone: ["Dieser Link ist nicht gültig", "Bitten Sie den Shop um einen neuen."],
      expired: [
        "Dieser Link ist abgelaufen",
        "Es wurde nichts hinzugefügt. Bitten Sie den Shop um einen neuen.",
      ],
      unavailable: [
        "Die Bestellung kann gerade nicht angezeigt werden",
        "Es ist nichts verloren: Öffnen Sie diese Seite in ein paar Minuten noch einmal, oder wenden Sie sich an den Shop.",
      ],
    },
  },
  es: {
    title: "Seguro para su pedido",
    intro:
      "Lea el precio y los documentos, y después elija y confirme usted mismo. Nada queda asegurado sin su confirmación; el seguro se paga con su pedido.",
    until: "Este enlace es válido hasta el {date}",
    open: "Leer y elegir aquí",
    pieces: "Artículos que asegurar",
    agreed:
      "He leído las condiciones generales y el documento de información (IPID), y quiero este seguro a este precio.",
    confirm: "Confirmar con obligación de pago",
    confirmed: "Confirmado",
    none: "No queda nada más por asegurar en este pedido.",
    next: "El seguro está en su pedido. La tienda termina el pedido y cobra el pago.",
    test: "Esto es una prueba: nada queda asegurado.",
    choose: "Elija una oferta y marque que ha leído los documentos.",
    changed: "La oferta o el pedido ha cambiado: no se ha añadido nada. Léalo y elija de nuevo.",
    busy: "El pedido se está modificando: no se ha añadido nada. Inténtelo de nuevo en un momento.",
    refused: "Este seguro no se puede añadir. Póngase en contacto con la tienda.",
    completed: "Este pedido está pagado: ya no se le puede añadir nada.",
    closed: "Aquí no se puede añadir nada a este pedido. Póngase en contacto con la tienda.",
    link: "Por el enlace propio del cliente",
    states: {
      gone: ["Este enlace no es válido", "Pida uno nuevo a la tienda."],
      expired: ["Este enlace ha caducado", "No se ha añadido nada. Pida uno nuevo a la tienda."],
      unavailable: [
        "El pedido no se puede mostrar en este momento",
        "No se ha perdido nada: abra esta página en unos minutos, o póngase en contacto con la tienda.",
      ],
    },
  },
  it: {
    title: "Assicurazione per il Suo ordine",
    intro:
      "Legga il prezzo e i documenti, poi scelga e confermi personalmente. Nulla è assicurato senza la Sua conferma; l’assicurazione si paga con l’ordine.",
    until: "Questo link è valido fino al {date}",
    open: "Leggere e scegliere qui",
    pieces: "Articoli da assicurare",
    agreed:
      "Ho letto le condizioni generali e il documento informativo (IPID) e desidero questa assicurazione a questo prezzo.",
    confirm: "Conferma con obbligo di pagamento",
    confirmed: "Confermato",
    none: "In questo ordine non resta altro da assicurare.",
    next: "L’assicurazione è nel Suo ordine. Il negozio completa l’ordine e incassa il pagamento.",
    test: "Questa è una prova: nulla è assicurato.",
    choose: "Scelga un’offerta e spunti di aver letto i documenti.",
    changed: "L’offerta o l’ordine è cambiato: non è stato aggiunto nulla. Legga e scelga di nuovo.",
    busy: "L’ordine è in corso di modifica: non è stato aggiunto nulla. Riprovi fra un momento.",
    refused: "Questa assicurazione non può essere aggiunta. Contatti il negozio.",
    completed: "Questo ordine è pagato: non vi si può più aggiungere nulla.",
    closed: "Qui non si può aggiungere nulla a questo ordine. Contatti il negozio.",
    link: "Dal link personale del cliente",
    states: {
      gone: ["Questo link non è valido", "Ne chieda uno nuovo al negozio."],
      expired: ["Questo link è scaduto", "Non è stato aggiunto nulla. Ne chieda uno nuovo al negozio."],
      unavailable: [
        "L’ordine non può essere mostrato in questo momento",
        "Nulla è perduto: riapra questa pagina fra qualche minuto, oppure contatti il negozio.",
      ],
    },
  },
  nl: {
    title: "Verzekering voor uw bestelling",
    intro:
      "Lees de prijs en de documenten, kies en bevestig daarna zelf. Zonder uw bevestiging is niets verzekerd; u betaalt de verzekering met uw bestelling.",
    until: "Deze link is geldig tot en met {date}",
    open: "Hier lezen en kiezen",
    pieces: "Te verzekeren artikelen",
    agreed:
      "Ik heb de algemene voorwaarden en de verzekeringskaart (IPID) gelezen en wil deze verzekering voor deze prijs.",
    confirm: "Bevestigen met betalingsverplichting",
    confirmed: "Bevestigd",
    none: "In deze bestelling is niets meer te verzekeren.",
    next: "De verzekering staat in uw bestelling. De winkel rondt de bestelling af en int de betaling.",
    test: "Dit is een test: er is niets verzekerd.",
    choose: "Kies een aanbod en vink aan dat u de documenten hebt gelezen.",
    changed:
      "Het aanbod of de bestelling is veranderd: er is niets toegevoegd. Lees het opnieuw en kies opnieuw.",
    busy: "De bestelling wordt op dit moment gewijzigd: er is niets toegevoegd. Probeer het zo meteen opnieuw.",
    refused: "Deze verzekering kan niet worden toegevoegd. Neem contact op met de winkel.",
    completed: "Deze bestelling is betaald: er kan niets meer aan worden toegevoegd.",
    closed: "Aan deze bestelling kan hier niets worden toegevoegd. Neem contact op met de winkel.",
    link: "Via de eigen link van de klant",
    states: {
      gone: ["Deze link is niet geldig", "Vraag de winkel om een nieuwe."],
      expired: ["Deze link is verlopen", "Er is niets toegevoegd. Vraag de winkel om een nieuwe."],
      unavailable: [
        "De bestelling kan op dit moment niet worden getoond",
        "Er is niets verloren: open deze pagina over een paar minuten opnieuw, of neem contact op met de winkel.",
      ],
    },
  },
  pt: {
    title: "Seguro para a sua encomenda",
    intro:
      "Leia o preço e os documentos e depois escolha e confirme pessoalmente. Nada fica seguro sem a sua confirmação; o seguro é pago com a encomenda.",
    until: "Esta ligação é válida até {date}",
    open: "Ler e escolher aqui",
    pieces: "Artigos a segurar",
    agreed: "Li as condições gerais e o documento de informação (IPID) e quero este seguro por este preço.",
    confirm: "Confirmar com obrigação de pagamento",
    confirmed: "Confirmado",
    none: "Não há mais nada para segurar nesta encomenda.",
    next: "O seguro está na sua encomenda. A loja conclui a encomenda e recebe o pagamento.",
    test: "Isto é um teste: nada fica seguro.",
    choose: "Escolha uma oferta e assinale que leu os documentos.",
    changed: "A oferta ou a encomenda mudou: nada foi acrescentado. Leia e escolha novamente.",
    busy: "A encomenda está a ser alterada neste momento: nada foi acrescentado. Tente novamente dentro de momentos.",
    refused: "Este seguro não pode ser acrescentado. Contacte a loja.",
    completed: "Esta encomenda está paga: já nada lhe pode ser acrescentado.",
    closed: "Aqui nada pode ser acrescentado a esta encomenda. Contacte a loja.",
    link: "Pela ligação própria do cliente",
    states: {
      gone: ["Esta ligação não é válida", "Peça uma nova à loja."],
      expired: ["Esta ligação expirou", "Nada foi acrescentado. Peça uma nova à loja."],
      unavailable: [
        "De momento não é possível mostrar a encomenda",
        "Nada se perdeu: abra esta página dentro de alguns minutos, ou contacte a loja.",
      ],
    },
  },
};

/** What the customer ticked, with price, term and time: a property of the line, of which 500 characters are kept. */
export function linkConsent(
  language: Language,
  { priceMinor, months, currency, at }: { priceMinor: number; months: number; currency: string; at: Date },
): string {
  const t = texts[language];
  const moment = at.toISOString().slice(0, 19).replace("T", " ");
  return `${t.link}, ${moment} UTC (${priceText(priceMinor, currency, language)}, ${termText(months, language)}): ${t.agreed}`;
}

export interface MailedSale {
  shopName: string;
  /** `#D1` */
  name: string;
  isTest: boolean;
  link: string;
  /** YYYY-MM-DD */
  until: string;
}

/** The mail with the customer's own link. Prices and documents are on the page, where they are those of the moment. */
export function saleMail(
  { shopName, name, isTest, link, until }: MailedSale,
  language: Language,
): MailContent {
  const t = texts[language];
  const order = `${shopName}, ${name}`;
  const lines = [...(isTest ? [t.test] : []), order, t.intro];
  const valid = `${t.until.replace("{date}", dayText(until, language))}.`;
  const paragraphs = (all: readonly string[]) => all.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  return {
    language,
    subject: `${t.title} – ${order}`,
    title: t.title,
    text: `${[t.title, ...lines, `${t.open}\r\n${link}`, valid].join("\r\n\r\n")}\r\n`,
    html: `${paragraphs(lines)}<p><a href="${escapeHtml(link)}">${t.open}</a></p>${paragraphs([valid])}`,
  };
}

export const noSalePage = (why: NoSale, language: Language): string =>
  reasonPage(texts[language].states[why], language);

export function salePage(view: SaleView, language: Language, alert?: SaleAlert): string {
  const t = texts[language];
  const { name, problem, lines, about, confirmed, currency } = view;
  const done = confirmed.map(
    ({ title, quantity, consent }) =>
      `<section><h2>${t.confirmed}</h2><p><strong>${escapeHtml(quantity > 1 ? `${quantity} × ${title}` : title)}</strong></p><p><small>${escapeHtml(consent)}</small></p></section>`,
  );
  const after = confirmed.length > 0 && problem === null ? `<p>${t.next}</p>` : "";
  const offers =
    problem !== null
      ? `<p>${problem === "completed" ? t.completed : t.closed}</p>`
      : lines.length === 0
        ? `<p>${t.none}</p>`
        : `<p>${t.intro}</p><p><small>${about.map(escapeHtml).join("<br>")}</small></p>${lines.map((line) => lineSection(line, currency, language)).join("")}`;
  return orderPage(
    { ...view, orderName: name },
    { title: t.title, until: t.until, test: t.test, alert: alert ? t[alert] : null },
    `${done.join("")}${after}${offers}`,
    language,
  );
}

/** More than one choice of numbers would help: staff add the rest. */
const MOST_PIECES = 20;

/** Nothing is chosen or ticked beforehand. */
function lineSection(line: OfferedLine, currency: string, language: Language): string {
  const t = texts[language];
  const { uuid, title, quantity, insured, offers, documents } = line;
  const radios = offers.map(
    (offer) =>
      `<label><input type="radio" name="offer" value="${escapeHtml(`${offer.priceMinor} ${offer.reference}`)}" required> <span>${escapeHtml(offerLine(offer, currency, language))}</span></label>`,
  );
  const links = documents.map(
    ({ name, ...links }) =>
      `<p>${name === "" ? "" : `<strong>${escapeHtml(name)}</strong><br>`}${documentLinks(links, language)}</p>`,
  );
  const left = Math.min(MOST_PIECES, quantity - insured);
  const pieces =
    left > 1
      ? `<p><label>${t.pieces} <select name="quantity">${Array.from({ length: left }, (_, index) => `<option>${index + 1}</option>`).join("")}</select></label></p>`
      : `<input type="hidden" name="quantity" value="1">`;
  return `<section><h2>${escapeHtml(title)}</h2><form method="post" action="?language=${language}"><input type="hidden" name="line" value="${escapeHtml(uuid)}"><fieldset aria-label="${escapeHtml(title)}">${radios.join("")}</fieldset>${links.join("")}${pieces}<label><input type="checkbox" name="agreed" value="yes" required> <span>${t.agreed}</span></label><p><button>${t.confirm}</button></p></form></section>`;
}
