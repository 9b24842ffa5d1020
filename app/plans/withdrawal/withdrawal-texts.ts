/** Pure: the words of withdrawing, on the customer's pages and in the mails that acknowledge them. */
import type { Language } from "#app/platform/locale.ts";
import type { WithdrawalState } from "./withdrawal.ts";

/**
 * The words that directive 2011/83, article 11a (1) and (3), prescribes for the two steps, as its language versions have
 * them (directive 2023/2673, OJ L, 2023/2673, 28.11.2023). The German ones are also in § 356a BGB, the French ones in code
 * de la consommation, D. 221-5.
 */
export const statutoryWords: Record<Language, { withdraw: string; confirm: string }> = {
  en: { withdraw: "Withdraw from contract here", confirm: "Confirm withdrawal" },
  fr: { withdraw: "Renoncer au contrat ici", confirm: "Confirmer la rétractation" },
  de: { withdraw: "Vertrag widerrufen", confirm: "Widerruf bestätigen" },
  es: { withdraw: "Desistir del contrato aquí", confirm: "Confirmar desistimiento" },
  it: { withdraw: "Recedere dal contratto qui", confirm: "Conferma recesso" },
  nl: { withdraw: "Hier de overeenkomst herroepen", confirm: "Herroeping bevestigen" },
  pt: { withdraw: "Retrate-se do contrato aqui", confirm: "Confirmar retratação" },
};

export interface WithdrawalTexts {
  title: string;
  gone: [title: string, body: string];
  intro: string;
  choose: string;
  check: string;
  /** where the acknowledgement goes, or that the shop sends it */
  mailed: [byMail: string, byShop: string];
  declarant: string;
  another: string;
  name: string;
  email: string;
  malformed: string;
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

export const withdrawalTexts: Record<Language, WithdrawalTexts> = {
  en: {
    title: "Withdraw from your insurance",
    gone: ["This link is not valid", "Open it again from the page of your order, or contact the shop."],
    intro: "You may withdraw from a contract without giving a reason while its time is not over.",
    choose: "Choose at least one contract.",
    check: "You are about to withdraw from these contracts. You will not be insured any more.",
    mailed: [
      "The acknowledgement is emailed at once.",
      "You can save the acknowledgement on the next page, and the shop sends it to you.",
    ],
    declarant: "Declared by",
    another: "Use another name or email address",
    name: "Name",
    email: "Email address for the acknowledgement",
    malformed: "This email address is not complete.",
    search: "Withdraw from contract here: enter your order and the email address that you ordered with.",
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
      late: "The time for withdrawing here is over. Contact the shop if you want to end the contract.",
      claimed: "A claim was filed with this contract. Contact the shop if you want to end it.",
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
    choose: "Choisissez au moins un contrat.",
    check: "Vous allez renoncer à ces contrats. Vous ne serez plus assuré.",
    mailed: [
      "L’accusé de réception est envoyé aussitôt par e-mail.",
      "Vous pourrez enregistrer l’accusé de réception à la page suivante, et la boutique vous l’envoie.",
    ],
    declarant: "Déclaration de",
    another: "Utiliser un autre nom ou une autre adresse e-mail",
    name: "Nom",
    email: "Adresse e-mail pour l’accusé de réception",
    malformed: "Cette adresse e-mail n’est pas complète.",
    search:
      "Renoncer au contrat ici\u00A0: saisissez votre commande et l’adresse e-mail avec laquelle vous avez commandé.",
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
      late: "Le délai pour renoncer ici est écoulé. Contactez la boutique si vous voulez mettre fin au contrat.",
      claimed: "Un sinistre a été déclaré sur ce contrat. Contactez la boutique si vous voulez y mettre fin.",
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
  de: {
    title: "Ihre Versicherung widerrufen",
    gone: [
      "Dieser Link ist nicht gültig",
      "Öffnen Sie ihn noch einmal von der Seite Ihrer Bestellung aus, oder wenden Sie sich an den Shop.",
    ],
    intro: "Sie können einen Vertrag ohne Angabe von Gründen widerrufen, solange die Frist läuft.",
    choose: "Wählen Sie mindestens einen Vertrag.",
    check: "Sie sind dabei, diese Verträge zu widerrufen. Danach sind Sie nicht mehr versichert.",
    mailed: [
      "Die Eingangsbestätigung kommt sofort per E-Mail.",
      "Sie können die Eingangsbestätigung auf der nächsten Seite speichern, und der Shop sendet sie Ihnen.",
    ],
    declarant: "Erklärt von",
    another: "Einen anderen Namen oder eine andere E-Mail-Adresse verwenden",
    name: "Name",
    email: "E-Mail-Adresse für die Eingangsbestätigung",
    malformed: "Diese E-Mail-Adresse ist nicht vollständig.",
    search:
      "Vertrag widerrufen: Geben Sie Ihre Bestellung und die E-Mail-Adresse an, mit der Sie bestellt haben.",
    orderNumber: "Bestellnummer, zum Beispiel #1001",
    orderEmail: "E-Mail-Adresse",
    find: "Weiter",
    notFound:
      "Es gibt keine versicherte Bestellung mit dieser Nummer und dieser E-Mail-Adresse. Beide stehen in Ihrer Bestellbestätigung.",
    again: "Sie können dies jederzeit wieder lesen:",
    back: "Zurück",
    none: "Es gibt keinen Vertrag, den Sie hier widerrufen können.",
    product: "für",
    contract: "Vertrag",
    order: "Bestellung",
    state: {
      open: "",
      withdrawn: "Von Ihnen widerrufen am",
      ended: "Bereits beendet",
      late: "Die Frist für den Widerruf ist abgelaufen. Wenden Sie sich an den Shop, wenn Sie den Vertrag beenden möchten.",
      claimed:
        "Zu diesem Vertrag wurde ein Schaden gemeldet. Wenden Sie sich an den Shop, wenn Sie ihn beenden möchten.",
    },
    checking: "Der Shop prüft zuerst, ob zu diesem Vertrag ein Schaden gemeldet wurde.",
    acknowledgement: "Eingangsbestätigung Ihres Widerrufs",
    received: "Wir haben Ihre Erklärung erhalten, dass Sie die folgenden Verträge widerrufen.",
    keep: "Speichern oder drucken Sie diese Eingangsbestätigung: Sie ist Ihr Nachweis.",
    save: "Eingangsbestätigung speichern",
    next: "Der Shop lässt die Verträge beenden und zahlt innerhalb von 30 Tagen zurück, was Sie dafür bezahlt haben.",
    paid: "Bezahlt:",
    until: "möglich bis",
    test: "Dies sind Testverträge: Sie versichern nichts.",
    shop: "Zurück zu",
  },
  es: {
    title: "Desistir de su seguro",
    gone: [
      "Este enlace no es válido",
      "Ábralo de nuevo desde la página de su pedido, o póngase en contacto con la tienda.",
    ],
    intro: "Puede desistir de un contrato sin indicar el motivo mientras no haya terminado el plazo.",
    choose: "Elija al menos un contrato.",
    check: "Va a desistir de estos contratos. Dejará de estar asegurado.",
    mailed: [
      "El acuse de recibo se envía de inmediato por correo electrónico.",
      "Podrá guardar el acuse de recibo en la página siguiente, y la tienda se lo envía.",
    ],
    declarant: "Declarado por",
    another: "Usar otro nombre u otra dirección de correo electrónico",
    name: "Nombre",
    email: "Dirección de correo electrónico para el acuse de recibo",
    malformed: "Esta dirección de correo electrónico no está completa.",
    search:
      "Desistir del contrato aquí: indique su pedido y la dirección de correo electrónico con la que lo hizo.",
    orderNumber: "Número de pedido, por ejemplo #1001",
    orderEmail: "Dirección de correo electrónico",
    find: "Continuar",
    notFound:
      "No hay ningún pedido asegurado con este número y esta dirección de correo electrónico. Ambos figuran en la confirmación de su pedido.",
    again: "Puede volver a leerlo en cualquier momento:",
    back: "Volver",
    none: "No hay ningún contrato del que pueda desistir aquí.",
    product: "para",
    contract: "Contrato",
    order: "Pedido",
    state: {
      open: "",
      withdrawn: "Desistió de él el",
      ended: "Ya terminado",
      late: "El plazo para desistir aquí ha terminado. Póngase en contacto con la tienda si quiere poner fin al contrato.",
      claimed:
        "Se comunicó un siniestro con este contrato. Póngase en contacto con la tienda si quiere ponerle fin.",
    },
    checking: "La tienda comprueba primero si se comunicó un siniestro con este contrato.",
    acknowledgement: "Acuse de recibo de su desistimiento",
    received: "Hemos recibido su declaración de desistimiento de los siguientes contratos.",
    keep: "Guarde o imprima este acuse de recibo: es su prueba.",
    save: "Guardar el acuse de recibo",
    next: "La tienda hace poner fin a los contratos y le devuelve lo que haya pagado por ellos en un plazo de 30 días.",
    paid: "Pagó",
    until: "posible hasta el",
    test: "Son contratos de prueba: no aseguran nada.",
    shop: "Volver a",
  },
  it: {
    title: "Recedere dalla Sua assicurazione",
    gone: ["Questo link non è valido", "Lo riapra dalla pagina del Suo ordine, oppure contatti il negozio."],
    intro: "Può recedere da un contratto senza indicarne il motivo finché il termine non è scaduto.",
    choose: "Scelga almeno un contratto.",
    check: "Sta per recedere da questi contratti. Non sarà più assicurato.",
    mailed: [
      "La conferma di ricezione viene inviata subito per e-mail.",
      "Potrà salvare la conferma di ricezione nella pagina successiva, e il negozio gliela invia.",
    ],
    declarant: "Dichiarato da",
    another: "Usare un altro nome o un altro indirizzo e-mail",
    name: "Nome",
    email: "Indirizzo e-mail per la conferma di ricezione",
    malformed: "Questo indirizzo e-mail non è completo.",
    search: "Recedere dal contratto qui: indichi il Suo ordine e l’indirizzo e-mail con cui ha ordinato.",
    orderNumber: "Numero d’ordine, per esempio #1001",
    orderEmail: "Indirizzo e-mail",
    find: "Continua",
    notFound:
      "Non c’è alcun ordine assicurato con questo numero e questo indirizzo e-mail. Entrambi sono nella conferma del Suo ordine.",
    again: "Può rileggerlo in qualsiasi momento:",
    back: "Indietro",
    none: "Non c’è alcun contratto da cui possa recedere qui.",
    product: "per",
    contract: "Contratto",
    order: "Ordine",
    state: {
      open: "",
      withdrawn: "Lei ha esercitato il recesso il",
      ended: "Già terminato",
      late: "Il termine per recedere qui è scaduto. Contatti il negozio se vuole terminare il contratto.",
      claimed:
        "Con questo contratto è stato denunciato un sinistro. Contatti il negozio se vuole terminarlo.",
    },
    checking: "Il negozio verifica prima se con questo contratto è stato denunciato un sinistro.",
    acknowledgement: "Conferma di ricezione del Suo recesso",
    received: "Abbiamo ricevuto la Sua dichiarazione di recesso dai seguenti contratti.",
    keep: "Salvi o stampi questa conferma di ricezione: è la Sua prova.",
    save: "Salvare la conferma di ricezione",
    next: "Il negozio fa terminare i contratti e Le rimborsa quanto ha pagato per essi entro 30 giorni.",
    paid: "Ha pagato",
    until: "possibile fino al",
    test: "Questi sono contratti di prova: non assicurano nulla.",
    shop: "Torna a",
  },
  nl: {
    title: "Uw verzekering herroepen",
    gone: [
      "Deze link is niet geldig",
      "Open hem opnieuw vanaf de pagina van uw bestelling, of neem contact op met de winkel.",
    ],
    intro: "U kunt een overeenkomst zonder opgave van redenen herroepen zolang de termijn loopt.",
    choose: "Kies minstens één overeenkomst.",
    check: "U staat op het punt deze overeenkomsten te herroepen. U bent daarna niet meer verzekerd.",
    mailed: [
      "De ontvangstbevestiging wordt meteen per e-mail gestuurd.",
      "U kunt de ontvangstbevestiging op de volgende pagina opslaan, en de winkel stuurt haar naar u.",
    ],
    declarant: "Verklaard door",
    another: "Een andere naam of een ander e-mailadres gebruiken",
    name: "Naam",
    email: "E-mailadres voor de ontvangstbevestiging",
    malformed: "Dit e-mailadres is niet volledig.",
    search: "Hier de overeenkomst herroepen: vul uw bestelling in en het e-mailadres waarmee u hebt besteld.",
    orderNumber: "Bestelnummer, bijvoorbeeld #1001",
    orderEmail: "E-mailadres",
    find: "Verder",
    notFound:
      "Er is geen verzekerde bestelling met dit nummer en dit e-mailadres. Beide staan in de bevestiging van uw bestelling.",
    again: "U kunt dit op elk moment opnieuw lezen:",
    back: "Terug",
    none: "Er is geen overeenkomst die u hier kunt herroepen.",
    product: "voor",
    contract: "Contract",
    order: "Bestelling",
    state: {
      open: "",
      withdrawn: "Door u herroepen op",
      ended: "Al beëindigd",
      late: "De termijn om hier te herroepen is voorbij. Neem contact op met de winkel als u de overeenkomst wilt beëindigen.",
      claimed:
        "Bij deze overeenkomst is schade gemeld. Neem contact op met de winkel als u haar wilt beëindigen.",
    },
    checking: "De winkel controleert eerst of bij deze overeenkomst schade is gemeld.",
    acknowledgement: "Ontvangstbevestiging van uw herroeping",
    received: "Wij hebben uw verklaring ontvangen dat u de volgende overeenkomsten herroept.",
    keep: "Bewaar of print deze ontvangstbevestiging: zij is uw bewijs.",
    save: "Ontvangstbevestiging opslaan",
    next: "De winkel laat de overeenkomsten beëindigen en betaalt binnen 30 dagen terug wat u ervoor hebt betaald.",
    paid: "U hebt betaald:",
    until: "mogelijk tot en met",
    test: "Dit zijn testcontracten: ze verzekeren niets.",
    shop: "Terug naar",
  },
  pt: {
    title: "Retratar-se do seu seguro",
    gone: [
      "Esta ligação não é válida",
      "Abra-a novamente a partir da página da sua encomenda, ou contacte a loja.",
    ],
    intro: "Pode retratar-se de um contrato sem indicar o motivo enquanto o prazo não terminar.",
    choose: "Escolha pelo menos um contrato.",
    check: "Vai retratar-se destes contratos. Deixará de estar segurado.",
    mailed: [
      "O aviso de receção é enviado de imediato por e-mail.",
      "Pode guardar o aviso de receção na página seguinte, e a loja envia-lho.",
    ],
    declarant: "Declarado por",
    another: "Usar outro nome ou outro endereço de e-mail",
    name: "Nome",
    email: "Endereço de e-mail para o aviso de receção",
    malformed: "Este endereço de e-mail não está completo.",
    search: "Retrate-se do contrato aqui: indique a sua encomenda e o endereço de e-mail com que encomendou.",
    orderNumber: "Número da encomenda, por exemplo #1001",
    orderEmail: "Endereço de e-mail",
    find: "Continuar",
    notFound:
      "Não há nenhuma encomenda segurada com este número e este endereço de e-mail. Ambos estão na confirmação da sua encomenda.",
    again: "Pode voltar a ler isto a qualquer momento:",
    back: "Voltar",
    none: "Não há nenhum contrato de que se possa retratar aqui.",
    product: "para",
    contract: "Contrato",
    order: "Encomenda",
    state: {
      open: "",
      withdrawn: "Retratou-se dele em",
      ended: "Já terminado",
      late: "O prazo para se retratar aqui terminou. Contacte a loja se quiser terminar o contrato.",
      claimed: "Foi participado um sinistro com este contrato. Contacte a loja se quiser terminá-lo.",
    },
    checking: "A loja verifica primeiro se foi participado um sinistro com este contrato.",
    acknowledgement: "Aviso de receção da sua retratação",
    received: "Recebemos a sua declaração de retratação dos seguintes contratos.",
    keep: "Guarde ou imprima este aviso de receção: é a sua prova.",
    save: "Guardar o aviso de receção",
    next: "A loja faz terminar os contratos e reembolsa-lhe o que pagou por eles no prazo de 30 dias.",
    paid: "Pagou",
    until: "possível até",
    test: "Estes são contratos de teste: não seguram nada.",
    shop: "Voltar a",
  },
};
