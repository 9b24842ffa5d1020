export const en = {
  title: "Home",
  health: {
    fine: "Everything is working",
    attention_one: "One thing needs your attention",
    attention_other: "{{count}} things need your attention",
    service: {
      accepted: "The insurance service is responding ({{environment}} account).",
      refused: "The insurance service rejects the access token ({{environment}} account).",
      unreachable: "The insurance service could not be reached ({{environment}} account).",
      none: "The insurance service is not connected.",
    },
    tasks_one: "{{count}} task needs your attention.",
    tasks_other: "{{count}} tasks need your attention.",
    waiting_one:
      "{{count}} order waits for the insurance service. It continues automatically once the service takes contracts again.",
    waiting_other:
      "{{count}} orders wait for the insurance service. They continue automatically once the service takes contracts again.",
    failing_one: "{{count}} shop event could not be processed yet. It is retried automatically.",
    failing_other: "{{count}} shop events could not be processed yet. They are retried automatically.",
    late_one:
      "{{count}} shop event has been waiting for more than five minutes. If this continues, contact the app’s support.",
    late_other:
      "{{count}} shop events have been waiting for more than five minutes. If this continues, contact the app’s support.",
    sync: {
      done: "The catalogue was synced on {{date}}.",
      failed: "The last catalogue sync failed ({{date}}).",
      cancelled: "The last catalogue sync was stopped ({{date}}).",
      running: "The catalogue is being synced.",
    },
    theme: {
      reading: "The published theme is being read.",
      unknown: "The published theme cannot be read right now.",
      on: "The published theme {{theme}} shows the offer on the product page.",
      off: "The published theme {{theme}} does not show the offer on the product page.",
    },
    switchedOff: "Insurance is switched off on the product page, so shoppers are not offered it there.",
    see: {
      touchpoints: "Open Display in your shop",
      tasks: "View tasks",
      connection: "View connection",
      catalogue: "View catalogue",
      history: "View history",
      settings: "See what to do",
    },
    phone: "The insurance service refuses contracts without the customer’s phone number.",
  },
  access: {
    none: {
      title: "Shopify does not let Parasol read orders yet",
      body: "No paid insurance can be issued until Shopify approves the app for protected customer data. Everything else keeps working: connection, catalogue, offers, quotes.",
    },
    anonymous: {
      title: "Shopify does not let Parasol read who the customers are",
      body: "Orders arrive without name, address, phone number and email address. Each insured order becomes a task in which you enter them. Everything else keeps working.",
    },
    todo: "In the Partner Dashboard, whoever owns the app opens Apps, Parasol, API access requests, Protected customer data access. There they select protected customer data and the fields name, address, phone and e-mail, and give the text below as the reason. For development stores, selecting them is enough. For an app that was created in the shop’s own admin, the four fields depend on the shop’s plan.",
    text: "Text for the request",
    textHelp: "In English, as Shopify’s reviewers read it: which data, why, and how it is protected.",
    then: "Parasol asks Shopify again at every visit of this page and every hour. Orders that were paid meanwhile are then insured automatically; Shopify gives apps the orders of the last 60 days.",
  },
  today: "Today",
  month: "Last 30 days",
  figure: {
    rate: "Attachment rate",
    rateHelp: "Insurable products sold with insurance: {{paid}} of {{eligible}}",
    noRate: "No orders with insurable products yet",
    orders: "Insured orders",
    ordersHelp: "With a contract in force",
    premium: "Premium",
    premiumHelp: "What customers paid for the contracts that are in force",
  },
  orders: { title: "Recent orders", all: "View all orders" },
  tasks: {
    title: "Open tasks",
    all_one: "View task",
    all_other: "View all {{count}} tasks",
    order: "Order {{name}}",
  },
  setup: {
    title: "Set up Parasol",
    progress: "{{done}} of {{total}} steps completed",
    steps: "Steps",
    connect: {
      title: "Connect your account at the insurance service",
      body: "Start with the test environment: in your account at the insurance service, create its access token under Settings > API. The store ID is in the same account; if you do not find it, or have no account yet, ask your contact at the service.",
      action: "Connect",
    },
    map: {
      title: "Choose which products can be insured",
      body: "Parasol suggests a category for each product type. Confirm it or choose another.",
      action: "Choose categories",
      done_one: "{{count}} product is in a category",
      done_other: "{{count}} products are in a category",
    },
    sync: {
      title: "Add the offers to your shop",
      body: "The insurance service’s references become hidden products that shoppers can add to their cart with an offer.",
      action: "Sync catalogue",
      done_one: "{{count}} reference is on sale",
      done_other: "{{count}} references are on sale",
    },
    place: {
      title: "Show the offer on the product page",
      body: "The theme editor opens in a new tab with the block already placed. Save there, close the tab and come back here: this page checks the theme by itself.",
      action: "Open theme editor",
      check: "Check again",
      unknown: "The theme cannot be read right now.",
      also: "Whoever did not choose insurance on the product page can do so in the cart:",
      cart: { action: "Show it on the cart page", done: "The cart page shows it." },
      mini_cart: { action: "Show it in the cart drawer", done: "The cart drawer shows it." },
    },
    order: {
      title: "Place a test order",
      body: "Open a product in your shop, choose insurance and pay. The order appears here within seconds.",
      action: "Open shop",
      noAccess: "Shopify does not let Parasol read orders yet: see the notice at the top.",
    },
    firstOrder: {
      title: "Wait for the first insured order",
      body: "It appears here within seconds. Your shop sells with the production account, so it becomes a real contract.",
    },
    live: {
      title: "Go live",
      body: "Until then your shop sells test insurance, and nobody is insured. The next page shows what has to be ready first, and what happens to your test data.",
      action: "Go live",
    },
  },
};

export const fr: typeof en = {
  title: "Accueil",
  health: {
    fine: "Tout va bien",
    attention_one: "Un point demande votre attention",
    attention_other: "{{count}} points demandent votre attention",
    service: {
      accepted: "Le service d’assurance répond (compte de {{environment}}).",
      refused: "Le service d’assurance refuse le jeton d’accès (compte de {{environment}}).",
      unreachable: "Le service d’assurance n’a pas pu être joint (compte de {{environment}}).",
      none: "Le service d’assurance n’est pas connecté.",
    },
    tasks_one: "{{count}} tâche vous attend.",
    tasks_other: "{{count}} tâches vous attendent.",
    waiting_one:
      "{{count}} commande attend le service d’assurance. Elle sera traitée d’elle-même dès que le service acceptera de nouveau des contrats.",
    waiting_other:
      "{{count}} commandes attendent le service d’assurance. Elles seront traitées d’elles-mêmes dès que le service acceptera de nouveau des contrats.",
    failing_one:
      "{{count}} événement de la boutique n’a pas encore pu être traité. Il est retenté automatiquement.",
    failing_other:
      "{{count}} événements de la boutique n’ont pas encore pu être traités. Ils sont retentés automatiquement.",
    late_one:
      "{{count}} événement de la boutique attend depuis plus de cinq minutes. Si cela persiste, contactez le support de l’application.",
    late_other:
      "{{count}} événements de la boutique attendent depuis plus de cinq minutes. Si cela persiste, contactez le support de l’application.",
    sync: {
      done: "Le catalogue a été synchronisé le {{date}}.",
      failed: "La dernière synchronisation du catalogue a échoué ({{date}}).",
      cancelled: "La dernière synchronisation du catalogue a été arrêtée ({{date}}).",
      running: "Le catalogue est en cours de synchronisation.",
    },
    theme: {
      reading: "Le thème publié est en cours de lecture.",
      unknown: "Le thème publié ne peut pas être lu pour l’instant.",
      on: "Le thème publié {{theme}} affiche l’offre sur la page produit.",
      off: "Le thème publié {{theme}} n’affiche pas l’offre sur la page produit.",
    },
    switchedOff: "L’assurance est désactivée sur la page produit : elle n’y est pas proposée aux acheteurs.",
    see: {
      touchpoints: "Ouvrir « Affichage en boutique »",
      tasks: "Voir les tâches",
      connection: "Voir la connexion",
      catalogue: "Voir le catalogue",
      history: "Voir l’historique",
      settings: "Voir que faire",
    },
    phone: "Le service d’assurance refuse les contrats sans numéro de téléphone du client.",
  },
  access: {
    none: {
      title: "Shopify ne laisse pas encore Parasol lire les commandes",
      body: "Aucune assurance payée ne peut être établie tant que Shopify n’a pas approuvé l’application pour les données client protégées. Tout le reste fonctionne : connexion, catalogue, offres, devis.",
    },
    anonymous: {
      title: "Shopify ne laisse pas Parasol savoir qui sont les clients",
      body: "Les commandes arrivent sans nom, adresse, numéro de téléphone ni adresse e-mail. Chaque commande assurée devient une tâche où vous les saisissez. Tout le reste fonctionne.",
    },
    todo: "Dans le Partner Dashboard, le propriétaire de l’application ouvre Apps, Parasol, API access requests, Protected customer data access. Il y sélectionne les données client protégées et les champs nom, adresse, téléphone et e-mail, et donne le texte ci-dessous comme motif. Pour les boutiques de développement, la sélection suffit. Pour une application créée dans l’interface même de la boutique, ces quatre champs dépendent du forfait de la boutique.",
    text: "Texte de la demande",
    textHelp:
      "En anglais, tel que Shopify l’examine : quelles données, pourquoi, et comment elles sont protégées.",
    then: "Parasol redemande à Shopify à chaque visite de cette page et toutes les heures. Les commandes payées entre-temps sont alors assurées d’elles-mêmes ; Shopify donne aux applications les commandes des 60 derniers jours.",
  },
  today: "Aujourd’hui",
  month: "30 derniers jours",
  figure: {
    rate: "Taux d’attachement",
    rateHelp: "Produits assurables vendus avec une assurance : {{paid}} sur {{eligible}}",
    noRate: "Pas encore de commande avec un produit assurable",
    orders: "Commandes assurées",
    ordersHelp: "Avec un contrat en vigueur",
    premium: "Primes",
    premiumHelp: "Ce que les clients ont payé pour les contrats en vigueur",
  },
  orders: { title: "Dernières commandes", all: "Toutes les commandes" },
  tasks: {
    title: "Tâches ouvertes",
    all_one: "Voir la tâche",
    all_other: "Voir les {{count}} tâches",
    order: "Commande {{name}}",
  },
  setup: {
    title: "Configurer Parasol",
    progress: "Avancement : {{done}} sur {{total}}",
    steps: "Étapes",
    connect: {
      title: "Connectez votre compte auprès du service d’assurance",
      body: "Commencez par l’environnement de test : dans votre compte auprès du service d’assurance, créez son jeton d’accès dans Paramètres > API. L’identifiant du magasin figure dans le même compte ; si vous ne le trouvez pas, ou si vous n’avez pas encore de compte, demandez-le à votre interlocuteur du service.",
      action: "Connecter",
    },
    map: {
      title: "Choisissez les produits assurables",
      body: "Parasol suggère une catégorie pour chaque type de produit. Confirmez-la ou choisissez-en une autre.",
      action: "Choisir les catégories",
      done_one: "{{count}} produit est dans une catégorie",
      done_other: "{{count}} produits sont dans une catégorie",
    },
    sync: {
      title: "Ajoutez les offres à votre boutique",
      body: "Les références du service d’assurance deviennent des produits masqués, que l’acheteur ajoute au panier avec une offre.",
      action: "Synchroniser le catalogue",
      done_one: "{{count}} référence est en vente",
      done_other: "{{count}} références sont en vente",
    },
    place: {
      title: "Affichez l’offre sur la page produit",
      body: "L’éditeur de thème s’ouvre dans un nouvel onglet avec le bloc déjà placé. Enregistrez, fermez l’onglet et revenez ici : cette page vérifie le thème d’elle-même.",
      action: "Ouvrir l’éditeur de thème",
      check: "Vérifier à nouveau",
      unknown: "Le thème ne peut pas être lu pour l’instant.",
      also: "Qui n’a pas choisi d’assurance sur la page produit peut le faire dans le panier :",
      cart: { action: "L’afficher sur la page du panier", done: "La page du panier l’affiche." },
      mini_cart: { action: "L’afficher dans le panier latéral", done: "Le panier latéral l’affiche." },
    },
    order: {
      title: "Passez une commande de test",
      body: "Ouvrez un produit de votre boutique, choisissez une assurance et payez. La commande apparaît ici en quelques secondes.",
      action: "Ouvrir la boutique",
      noAccess: "Shopify ne laisse pas encore Parasol lire les commandes : voir l’avis en haut de la page.",
    },
    firstOrder: {
      title: "Attendez la première commande assurée",
      body: "Elle apparaît ici en quelques secondes. Votre boutique vend avec le compte de production : elle devient un vrai contrat.",
    },
    live: {
      title: "Passez en production",
      body: "D’ici là, votre boutique vend des assurances de test, et personne n’est assuré. La page suivante montre ce qui doit être prêt et ce que deviennent vos données de test.",
      action: "Passer en production",
    },
  },
};
