export const en = {
  title: "Settings",
  languages: {
    title: "Languages",
    admin: "Parasol speaks the language in which you use Shopify: English or French.",
    shop: "In the shop, offers are in the shopper’s language. Your own words for each language are under Touchpoints.",
    link: "Texts in the shop",
  },
  markets: {
    title: "Markets",
    body: "Offers are shown in markets that sell in {{currency}}, the currency of your shop. In a market with another currency nothing is offered, because the references of the insurance service have one price in one currency.",
  },
  consent: {
    title: "Consent",
    body: "Version {{version}} of the consent text is in use. It is recorded with every plan.",
    link: "Change text and version",
  },
  mail: {
    title: "E-mail for quotes",
    help: "Fields that are filled in: {{fields}}. Leave both empty for Parasol’s own text.",
    language: "Language",
    subject: "Subject",
    body: "Text",
  },
  retention: {
    title: "Personal data",
    label: "Delete customers’ personal data after",
    help: "Names, addresses, e-mail addresses and phone numbers of orders and quotes, and the events that Shopify sent. Contracts and figures stay. An order with something left to do keeps its data until that is done.",
    choice: {
      "0": "Keep until the customer asks",
      "6": "6 months",
      "12": "1 year",
      "24": "2 years",
      "36": "3 years",
      "60": "5 years",
    },
    warning: "What is older is deleted within an hour of saving, and cannot be brought back.",
    confirm: { title: "Delete older personal data?", action: "Save and delete" },
  },
  backfill: {
    title: "Past orders",
    body: "Tells the insurance service of orders from before you used Parasol, so that its statistics are complete. No plan is created for them. Shopify gives apps the orders of the last 60 days unless it allowed more.",
    from: "Orders since",
    start: "Send past orders",
    stop: "Stop",
    confirm: {
      title: "Send past orders to the insurance service?",
      body: "All paid orders since {{date}} are recorded there with their products. No plan is created, nothing is charged.",
    },
    state: {
      queued: "About to start.",
      running: "Running: {{orders}} orders so far. You may leave this page.",
      done: "Done on {{date}}: {{orders}} orders looked at, {{missed}} of them new.",
      stopped: "Stopped on {{date}} after {{orders}} orders.",
    },
    waiting: "Waiting to go on: {{error}}",
    notConnected: "Connect the insurance service first.",
    problem: "Choose a day of the last two years",
  },
  invalid: "Some fields need your attention.",
};

export const fr: typeof en = {
  title: "Paramètres",
  languages: {
    title: "Langues",
    admin: "Parasol parle la langue dans laquelle vous utilisez Shopify : français ou anglais.",
    shop: "Dans la boutique, les offres sont dans la langue de l’acheteur. Vos propres mots pour chaque langue se trouvent dans Points de contact.",
    link: "Textes dans la boutique",
  },
  markets: {
    title: "Marchés",
    body: "Les offres sont affichées sur les marchés qui vendent en {{currency}}, la devise de votre boutique. Sur un marché d’une autre devise, rien n’est proposé, car les références du service d’assurance ont un seul prix dans une seule devise.",
  },
  consent: {
    title: "Consentement",
    body: "La version {{version}} du texte de consentement est utilisée. Elle est enregistrée avec chaque contrat.",
    link: "Changer le texte et la version",
  },
  mail: {
    title: "E-mail pour les devis",
    help: "Champs remplis automatiquement : {{fields}}. Laissez les deux vides pour le texte de Parasol.",
    language: "Langue",
    subject: "Objet",
    body: "Texte",
  },
  retention: {
    title: "Données personnelles",
    label: "Supprimer les données personnelles des clients après",
    help: "Noms, adresses, e-mails et téléphones des commandes et devis, ainsi que les événements envoyés par Shopify. Les contrats et les chiffres restent. Une commande qui a encore quelque chose à faire garde ses données jusque-là.",
    choice: {
      "0": "Conserver jusqu’à la demande du client",
      "6": "6 mois",
      "12": "1 an",
      "24": "2 ans",
      "36": "3 ans",
      "60": "5 ans",
    },
    warning:
      "Ce qui est plus ancien est supprimé dans l’heure qui suit l’enregistrement, sans retour possible.",
    confirm: {
      title: "Supprimer les données personnelles plus anciennes ?",
      action: "Enregistrer et supprimer",
    },
  },
  backfill: {
    title: "Commandes passées",
    body: "Informe le service d’assurance des commandes d’avant l’utilisation de Parasol, afin que ses statistiques soient complètes. Aucun contrat n’est créé. Shopify donne aux applications les commandes des 60 derniers jours, sauf autorisation plus large.",
    from: "Commandes depuis le",
    start: "Envoyer les commandes passées",
    stop: "Arrêter",
    confirm: {
      title: "Envoyer les commandes passées au service d’assurance ?",
      body: "Toutes les commandes payées depuis le {{date}} y sont enregistrées avec leurs produits. Aucun contrat n’est créé, rien n’est débité.",
    },
    state: {
      queued: "Sur le point de commencer.",
      running: "En cours : {{orders}} commandes pour l’instant. Vous pouvez quitter cette page.",
      done: "Terminé le {{date}} : {{orders}} commandes examinées, dont {{missed}} nouvelles.",
      stopped: "Arrêté le {{date}} après {{orders}} commandes.",
    },
    waiting: "En attente avant de continuer : {{error}}",
    notConnected: "Connectez d’abord le service d’assurance.",
    problem: "Choisissez un jour des deux dernières années",
  },
  invalid: "Certains champs demandent votre attention.",
};
