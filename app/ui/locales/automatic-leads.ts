export const en = {
  subtitle: "Quotes for paid orders with products that were bought without insurance",
  settings: {
    title: "Automatic quotes",
    on: "Make a quote for each product that was bought without insurance",
    onHelp:
      "Only for customers who agreed to receive marketing emails from your shop when they bought, and who have not opted out of quotes since: the law requires this consent for offers by email. Orders from before you turn this on get none.",
    delay: "How long after the payment",
    delays: { h0: "By staff", h1: "1 hour", h24: "1 day", h72: "3 days", h168: "7 days" },
    flow: "Start Shopify Flow workflows when a quote is ready",
    flowHelp:
      "The trigger “Insurance quote ready” starts once for each quote, as soon as it is on the order, with its link, product, price and last day: for an email of your marketing tool. Quotes made before you turn this on are not announced. If Shopify does not confirm one, it is not repeated, so that nobody gets two emails.",
    rules:
      "A quote is for one product, can be used once, and expires on the date that the insurer sets. It is withdrawn when the order is cancelled, the product refunded or insured otherwise. The insurer collects the payment. Where the insurance service does not confirm a quote, Parasol never asks for it again, so that no customer gets two.",
  },
  restored:
    "On {{at}}, Parasol’s data was restored from a backup. Orders that were paid before get no further automatic quotes: theirs may have been made in the time that the backup does not cover, and no customer should get two.",
  figures: {
    title: "Results",
    help: "Openings are counted by the quote’s link, without knowing who opened it; some mail programs open links by themselves. The insurance service does not say what became of a quote, so sales are found among your contracts: by the quote’s number, or by customer, category and price.",
    empty: "No automatic quotes yet.",
    column: {
      product: "Product",
      delay: "Delay",
      made: "Made",
      opened: "Opened",
      sold: "Sold",
      amount: "Sold for",
      expired: "Expired",
      withdrawn: "Withdrawn",
      unknown: "Not confirmed",
    },
  },
  suppressions: {
    title: "Customers who want no quotes",
    help: "Parasol keeps an unreadable mark instead of the email address, and recognises the customer with every later order. Customers can say so themselves by the link in each email.",
    email: "Email address",
    add: "No more quotes",
    remove: "Allow quotes again",
    problem: "Enter a complete email address, such as name@example.com",
    none: "Nobody so far.",
    total_one: "{{count}} customer. Latest entries:",
    total_other: "{{count}} customers. Latest entries:",
    suppressed: "Noted: no more quotes",
    allowed: "Noted: quotes are allowed again",
    unknown: "This address is not among them",
  },
};

export const fr: typeof en = {
  subtitle: "Des devis pour les commandes payées dont des produits n’ont pas été assurés",
  settings: {
    title: "Devis automatiques",
    on: "Créer un devis pour chaque produit acheté sans assurance",
    onHelp:
      "Uniquement pour les clients qui ont accepté de recevoir les e-mails marketing de votre boutique lors de leur achat, et qui n’ont pas refusé les devis depuis : la loi exige cet accord pour une offre par e-mail. Les commandes antérieures à l’activation n’en reçoivent pas.",
    delay: "Combien de temps après le paiement",
    delays: { h0: "Par l’équipe", h1: "1 heure", h24: "1 jour", h72: "3 jours", h168: "7 jours" },
    flow: "Lancer des workflows Shopify Flow lorsqu’un devis est prêt",
    flowHelp:
      "Le déclencheur « Insurance quote ready » part une fois par devis, dès que celui-ci figure sur la commande, avec son lien, le produit, le prix et le dernier jour : pour un e-mail de votre outil marketing. Les devis créés avant l’activation ne sont pas annoncés. Si Shopify ne confirme pas un envoi, il n’est pas répété, pour que personne ne reçoive deux e-mails.",
    rules:
      "Un devis vaut pour un seul produit, ne sert qu’une fois et expire à la date fixée par l’assureur. Il est retiré si la commande est annulée, ou si le produit est remboursé ou assuré autrement. L’assureur encaisse le paiement. Si le service d’assurance ne confirme pas un devis, Parasol ne le redemande jamais, pour qu’aucun client n’en reçoive deux.",
  },
  restored:
    "Le {{at}}, les données de Parasol ont été restaurées depuis une sauvegarde. Les commandes payées avant ne reçoivent plus de devis automatique : les leurs ont pu être créés pendant la période que la sauvegarde ne couvre pas, et aucun client ne doit en recevoir deux.",
  figures: {
    title: "Résultats",
    help: "Les ouvertures sont comptées par le lien du devis, sans savoir qui l’a ouvert ; certaines messageries ouvrent les liens d’elles-mêmes. Le service d’assurance n’indique pas ce que devient un devis : les ventes sont retrouvées parmi vos contrats, par le numéro du devis, ou par le client, la catégorie et le prix.",
    empty: "Aucun devis automatique pour l’instant.",
    column: {
      product: "Produit",
      delay: "Délai",
      made: "Créés",
      opened: "Ouverts",
      sold: "Vendus",
      amount: "Montant vendu",
      expired: "Expirés",
      withdrawn: "Retirés",
      unknown: "Non confirmés",
    },
  },
  suppressions: {
    title: "Clients qui ne veulent pas de devis",
    help: "Parasol garde une empreinte illisible au lieu de l’adresse e-mail et reconnaît le client à chaque commande suivante. Les clients peuvent le dire eux-mêmes par le lien présent dans chaque e-mail.",
    email: "Adresse e-mail",
    add: "Ne plus envoyer de devis",
    remove: "Autoriser à nouveau",
    problem: "Saisissez une adresse e-mail complète, comme nom@exemple.fr",
    none: "Personne pour l’instant.",
    total_one: "{{count}} client. Dernières entrées :",
    total_other: "{{count}} clients. Dernières entrées :",
    suppressed: "C’est noté : plus de devis",
    allowed: "C’est noté : les devis sont à nouveau autorisés",
    unknown: "Cette adresse n’en fait pas partie",
  },
};
