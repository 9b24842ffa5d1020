export const en = {
  title: "Home",
  health: {
    fine: "Everything is all right",
    attention: "Something needs your attention",
    service: {
      accepted: "The insurance service answers ({{environment}} account).",
      refused: "The insurance service refuses the access token ({{environment}} account).",
      unreachable: "The insurance service could not be reached ({{environment}} account).",
      none: "The insurance service is not connected.",
    },
    tasks_one: "{{count}} task waits for you.",
    tasks_other: "{{count}} tasks wait for you.",
    failing_one: "{{count}} event of the shop could not be processed yet. It is tried again automatically.",
    failing_other:
      "{{count}} events of the shop could not be processed yet. They are tried again automatically.",
    late_one:
      "{{count}} event of the shop has been waiting for more than five minutes. If this stays, ask whoever runs the app.",
    late_other:
      "{{count}} events of the shop have been waiting for more than five minutes. If this stays, ask whoever runs the app.",
    sync: {
      done: "The catalogue was synced on {{date}}.",
      failed: "The last sync of the catalogue failed ({{date}}).",
      cancelled: "The last sync of the catalogue was stopped ({{date}}).",
      running: "The catalogue is being synced.",
    },
    theme: {
      reading: "The published theme is being read.",
      unknown: "The published theme cannot be read now.",
      on: "The published theme {{theme}} shows the offer on the product page.",
      off: "The published theme {{theme}} does not show the offer on the product page.",
    },
    see: {
      tasks: "See the tasks",
      connection: "See the connection",
      catalogue: "See the catalogue",
      activity: "See the activity",
    },
  },
  today: "Today",
  month: "Last 30 days",
  figure: {
    rate: "Attachment rate",
    rateHelp: "Products insured: {{paid}} of {{eligible}} that can be",
    noRate: "No order with a product that can be insured yet",
    orders: "Insured orders",
    premium: "Premium",
    premiumHelp: "What customers paid for insurance, without cancelled plans",
  },
  orders: { title: "Last orders", all: "All orders" },
  tasks: {
    title: "Open tasks",
    all_one: "See the task",
    all_other: "All {{count}} tasks",
    order: "Order {{name}}",
  },
  setup: {
    title: "Set up Parasol",
    progress: "Steps done: {{done}} of {{total}}",
    connect: {
      title: "Connect your account at the insurance service",
      body: "Paste the store id and the token from your account there. Begin with the test environment.",
      action: "Connect",
    },
    map: {
      title: "Say which products can be insured",
      body: "Parasol proposes a category for each kind of product; you confirm or change it.",
      action: "Choose categories",
      done_one: "{{count}} product is in a category",
      done_other: "{{count}} products are in a category",
    },
    sync: {
      title: "Bring the offers into your shop",
      body: "The references of the insurance service become hidden products that the cart can hold.",
      action: "Sync the catalogue",
      done_one: "{{count}} reference is on sale",
      done_other: "{{count}} references are on sale",
    },
    place: {
      title: "Show the offer on the product page",
      body: "The theme editor opens with the block placed: only save.",
      action: "Open the theme editor",
      check: "Check again",
      unknown: "The theme cannot be read now.",
    },
    order: {
      title: "Place a test order",
      body: "Open a product in your shop, choose insurance and pay. The order appears here within seconds.",
      action: "Open the shop",
    },
  },
};

export const fr: typeof en = {
  title: "Accueil",
  health: {
    fine: "Tout va bien",
    attention: "Quelque chose demande votre attention",
    service: {
      accepted: "Le service d’assurance répond (compte de {{environment}}).",
      refused: "Le service d’assurance refuse le jeton d’accès (compte de {{environment}}).",
      unreachable: "Le service d’assurance n’a pas pu être joint (compte de {{environment}}).",
      none: "Le service d’assurance n’est pas connecté.",
    },
    tasks_one: "{{count}} tâche vous attend.",
    tasks_other: "{{count}} tâches vous attendent.",
    failing_one:
      "{{count}} événement de la boutique n’a pas encore pu être traité. Il est retenté automatiquement.",
    failing_other:
      "{{count}} événements de la boutique n’ont pas encore pu être traités. Ils sont retentés automatiquement.",
    late_one:
      "{{count}} événement de la boutique attend depuis plus de cinq minutes. Si cela persiste, demandez à la personne qui exploite l’application.",
    late_other:
      "{{count}} événements de la boutique attendent depuis plus de cinq minutes. Si cela persiste, demandez à la personne qui exploite l’application.",
    sync: {
      done: "Le catalogue a été synchronisé le {{date}}.",
      failed: "La dernière synchronisation du catalogue a échoué ({{date}}).",
      cancelled: "La dernière synchronisation du catalogue a été arrêtée ({{date}}).",
      running: "Le catalogue est en cours de synchronisation.",
    },
    theme: {
      reading: "Le thème publié est en cours de lecture.",
      unknown: "Le thème publié ne peut pas être lu pour l’instant.",
      on: "Le thème publié {{theme}} montre l’offre sur la page produit.",
      off: "Le thème publié {{theme}} ne montre pas l’offre sur la page produit.",
    },
    see: {
      tasks: "Voir les tâches",
      connection: "Voir la connexion",
      catalogue: "Voir le catalogue",
      activity: "Voir l’activité",
    },
  },
  today: "Aujourd’hui",
  month: "30 derniers jours",
  figure: {
    rate: "Taux d’attachement",
    rateHelp: "Produits assurés : {{paid}} sur {{eligible}} assurables",
    noRate: "Pas encore de commande avec un produit assurable",
    orders: "Commandes assurées",
    premium: "Primes",
    premiumHelp: "Ce que les clients ont payé pour l’assurance, sans les contrats annulés",
  },
  orders: { title: "Dernières commandes", all: "Toutes les commandes" },
  tasks: {
    title: "Tâches ouvertes",
    all_one: "Voir la tâche",
    all_other: "Les {{count}} tâches",
    order: "Commande {{name}}",
  },
  setup: {
    title: "Configurer Parasol",
    progress: "Étapes faites : {{done}} sur {{total}}",
    connect: {
      title: "Connectez votre compte auprès du service d’assurance",
      body: "Collez l’identifiant du magasin et le jeton depuis votre compte. Commencez par l’environnement de test.",
      action: "Connecter",
    },
    map: {
      title: "Dites quels produits peuvent être assurés",
      body: "Parasol propose une catégorie pour chaque sorte de produit ; vous confirmez ou modifiez.",
      action: "Choisir les catégories",
      done_one: "{{count}} produit est dans une catégorie",
      done_other: "{{count}} produits sont dans une catégorie",
    },
    sync: {
      title: "Faites entrer les offres dans votre boutique",
      body: "Les références du service d’assurance deviennent des produits masqués que le panier peut contenir.",
      action: "Synchroniser le catalogue",
      done_one: "{{count}} référence est en vente",
      done_other: "{{count}} références sont en vente",
    },
    place: {
      title: "Montrez l’offre sur la page produit",
      body: "L’éditeur de thème s’ouvre avec le bloc placé : il suffit d’enregistrer.",
      action: "Ouvrir l’éditeur de thème",
      check: "Vérifier à nouveau",
      unknown: "Le thème ne peut pas être lu pour l’instant.",
    },
    order: {
      title: "Passez une commande de test",
      body: "Ouvrez un produit de votre boutique, choisissez une assurance et payez. La commande apparaît ici en quelques secondes.",
      action: "Ouvrir la boutique",
    },
  },
};
