export const en = {
  languages: {
    title: "Languages",
    admin: "Parasol uses the language of your Shopify admin: English or French.",
    shop: "Shoppers see offers in their own language. Set your own texts for each language under “Display in your shop”.",
    link: "Texts in the shop",
  },
  markets: {
    title: "Markets",
    body: "Offers are shown in markets that sell in {{currency}}, your shop’s currency. They are not shown in markets with another currency, because the insurance service’s references have a single price in a single currency.",
    reading: "Reading your shop’s markets.",
    unknown: "Your shop’s markets cannot be read right now.",
    market: "Market",
    currency: "Currency",
    offers: "Offers",
    state: { shown: "Shown", some: "Shown to shoppers who pay in {{currency}}", none: "Not shown" },
  },
  phone: {
    title: "Make the phone number required at checkout",
    body: "The insurance service refuses contracts without the customer’s phone number, and your checkout does not always ask for it. In Shopify’s checkout settings, under Customer information, set the shipping address phone number to Required. Until then, contracts of orders without a number wait as tasks.",
    open: "Open checkout settings",
    done: "It is required now",
  },
  consent: {
    title: "Consent",
    body: "The text that the customer agreed to is kept with every contract. When you change it, earlier contracts keep theirs.",
    link: "Edit the text",
  },
  mail: {
    title: "Email for quotes",
    help: "Available fields: {{fields}}. Leave both empty to use Parasol’s text.",
    language: "Language",
    subject: "Subject",
    body: "Text",
  },
  orders: {
    title: "Orders",
    fulfilsPlans: "Fulfil the line of a contract in Shopify once the contract exists",
    fulfilsPlansHelp:
      "An order stays open in Shopify until every line is fulfilled, insurance too. Customers are not notified. A contract that is cancelled later stays fulfilled: nothing has to be sent back.",
    showsCover: "Show customers the cover of their order",
    showsCoverHelp:
      "On the order’s page and in the customer’s account: whether the contract exists, its number, its end and its documents. It is kept in a metafield of the order without any personal data. Place the block “Insurance cover” in the checkout and accounts editor.",
    sellsOnDrafts: "Staff sell insurance on draft orders, such as on the phone",
    sellsOnDraftsHelp:
      "The block “Insurance” on the page of a draft order in Shopify shows the offers for its products and adds the insurance that the customer agreed to. The consent is noted with the name of the seller.",
    connectionManagers: "Who can change the connection",
    connectionManagersHelp:
      "Enter tokens, go live, disconnect. Everything else follows each person’s Shopify permissions. Only the shop’s owner can change this.",
    connectionManagersChoice: {
      owner: "Only the shop’s owner",
      managers: "Staff who can edit orders and products",
      all: "All staff",
    },
    withdrawal: "Customers can withdraw from insurance on the order’s page",
    withdrawalHelp:
      "The link “Withdraw from contract here” is shown with the cover, for guests too. The time runs from the day of the contract. 14 days are the European minimum for distance selling; French law gives 30 days for insurance sold with a product (code des assurances, article L. 112-10). Ask your insurer.",
    withdrawalChoice: {
      "0": "Not on this page",
      "14": "Within 14 days",
      "30": "Within 30 days",
      "60": "Within 60 days",
    },
    permission: {
      title: "This needs your permission in Shopify",
      fulfilment:
        "Manage fulfilment. Without it everything else works, and you fulfil the lines of contracts yourself.",
      orderCover:
        "Edit orders: Parasol writes one metafield and nothing else. Without it everything else works, and customers do not see their cover on the order’s page.",
      quotes:
        "Edit orders: Parasol writes the quotes’ links into one metafield and nothing else. Without it no quotes are made, because nobody would see them.",
      draftOrders:
        "Edit draft orders: Parasol adds the line of an insurance to a draft order when your staff choose one there, and changes nothing else.",
      action: "Allow in Shopify",
      granted: "Permission granted",
      declined: "Shopify did not give the permission",
      whatNow:
        "The permission stays open: click “Allow in Shopify” again and accept. If Shopify shows you no button to accept, ask the shop’s owner, or a member of staff who may manage apps, to open this page and do it.",
      unavailable: "Shopify does not answer: reload this page in a few minutes",
    },
    discountedPlans: "When a discount is meant for a contract",
    discountedPlansHelp:
      "The insurance service is owed the offer’s price whatever the customer paid, so you bear the difference. A discount on the whole order never holds a contract back. A contract that ended at 0 always becomes a task.",
    discountedPlansChoice: { issue: "Issue the contract", task: "Create a task and wait for my decision" },
  },
  retention: {
    title: "Personal data",
    label: "Delete customers’ personal data after",
    help: "Names, addresses, email addresses and phone numbers in insured orders and quotes. What Shopify sent about an order is deleted earlier, a few days after it was processed. Contracts and figures are kept. An order with work left to do keeps its data until that work is done.",
    choice: {
      "0": "Keep until the customer asks for deletion",
      "6": "6 months",
      "12": "1 year",
      "24": "2 years",
      "36": "3 years",
      "60": "5 years",
    },
    warning: "Older data is deleted within an hour of saving and cannot be restored.",
    confirm: { title: "Delete personal data older than {{age}}?", action: "Save and delete" },
  },
  backfill: {
    title: "Past orders",
    body: "Sends orders from before you used Parasol to the insurance service, so that its statistics are complete. No contracts are created. Shopify only gives apps the orders of the last 60 days, unless it has granted more.",
    from: "Orders since",
    start: "Send past orders",
    stop: "Stop",
    confirm: {
      title: "Send past orders to the insurance service?",
      body: "All paid orders since {{date}} are recorded there with their products. No contracts are created and nothing is charged.",
    },
    state: {
      queued: "Starting soon.",
      running: "Running: {{orders}} orders so far. You can leave this page.",
      done: "Completed on {{date}}: {{orders}} orders checked, {{missed}} of them new.",
      stopped: "Stopped on {{date}} after {{orders}} orders.",
    },
    waiting: "Waiting to continue.",
    notConnected: "Connect the insurance service first.",
    problem: "Choose a date within the last two years",
  },
  invalid: "Check the highlighted fields.",
};

export const fr: typeof en = {
  languages: {
    title: "Langues",
    admin: "Parasol utilise la langue de votre interface Shopify : français ou anglais.",
    shop: "Les acheteurs voient les offres dans leur langue. Saisissez vos propres textes pour chaque langue dans « Affichage en boutique ».",
    link: "Textes dans la boutique",
  },
  markets: {
    title: "Marchés",
    body: "Les offres sont affichées sur les marchés qui vendent en {{currency}}, la devise de votre boutique. Elles ne sont pas affichées sur les marchés d’une autre devise, car les références du service d’assurance ont un seul prix dans une seule devise.",
    reading: "Les marchés de votre boutique sont en cours de lecture.",
    unknown: "Les marchés de votre boutique ne peuvent pas être lus pour l’instant.",
    market: "Marché",
    currency: "Devise",
    offers: "Offres",
    state: { shown: "Affichées", some: "Aux acheteurs qui paient en {{currency}}", none: "Non affichées" },
  },
  phone: {
    title: "Rendez le numéro de téléphone obligatoire au paiement",
    body: "Le service d’assurance refuse les contrats sans numéro de téléphone du client, et votre page de paiement ne le demande pas toujours. Dans les paramètres de paiement de Shopify, sous Informations client, rendez obligatoire le téléphone de l’adresse de livraison. D’ici là, les contrats des commandes sans numéro attendent sous forme de tâches.",
    open: "Ouvrir les paramètres de paiement",
    done: "Il est obligatoire désormais",
  },
  consent: {
    title: "Consentement",
    body: "Le texte accepté par le client est conservé avec chaque contrat. Si vous le modifiez, les contrats antérieurs gardent le leur.",
    link: "Modifier le texte",
  },
  mail: {
    title: "E-mail pour les devis",
    help: "Champs disponibles : {{fields}}. Laissez les deux vides pour utiliser le texte de Parasol.",
    language: "Langue",
    subject: "Objet",
    body: "Texte",
  },
  orders: {
    title: "Commandes",
    fulfilsPlans: "Marquer la ligne d’un contrat comme traitée dans Shopify dès que le contrat existe",
    fulfilsPlansHelp:
      "Une commande reste ouverte dans Shopify tant que toutes ses lignes ne sont pas traitées, assurance comprise. Les clients ne sont pas avertis. Un contrat annulé ensuite reste traité : rien n’est à renvoyer.",
    showsCover: "Montrer aux clients l’assurance de leur commande",
    showsCoverHelp:
      "Sur la page de la commande et dans le compte du client : l’existence du contrat, son numéro, sa fin et ses documents. Ces informations sont dans un métachamp de la commande, sans aucune donnée personnelle. Placez le bloc « Assurance » dans l’éditeur du paiement et des comptes.",
    sellsOnDrafts: "L’équipe vend l’assurance sur les commandes provisoires, par exemple au téléphone",
    sellsOnDraftsHelp:
      "Le bloc « Assurance » sur la page d’une commande provisoire dans Shopify montre les offres pour ses produits et ajoute le contrat que le client a accepté. L’accord est noté avec le nom du vendeur.",
    connectionManagers: "Qui peut modifier la connexion",
    connectionManagersHelp:
      "Saisir les jetons, passer en production, déconnecter. Tout le reste suit les autorisations Shopify de chacun. Seul le propriétaire de la boutique peut modifier ce choix.",
    connectionManagersChoice: {
      owner: "Seulement le propriétaire de la boutique",
      managers: "Les membres de l’équipe qui peuvent modifier commandes et produits",
      all: "Toute l’équipe",
    },
    withdrawal: "Les clients peuvent renoncer à l’assurance sur la page de la commande",
    withdrawalHelp:
      "Le lien « Renoncer au contrat ici » se trouve avec l’assurance, aussi pour les clients sans compte. Le délai court à partir du jour du contrat. 14 jours sont le minimum européen pour la vente à distance ; la loi française donne 30 jours pour une assurance vendue avec un produit (code des assurances, article L. 112-10). Demandez à votre assureur.",
    withdrawalChoice: {
      "0": "Pas sur cette page",
      "14": "Dans les 14 jours",
      "30": "Dans les 30 jours",
      "60": "Dans les 60 jours",
    },
    permission: {
      title: "Votre autorisation est nécessaire dans Shopify",
      fulfilment:
        "Gérer le traitement des commandes. Sans elle, tout le reste fonctionne, et vous traitez vous-même les lignes des contrats.",
      orderCover:
        "Modifier les commandes : Parasol y écrit un métachamp et rien d’autre. Sans elle, tout le reste fonctionne, et les clients ne voient pas leur assurance sur la page de la commande.",
      quotes:
        "Modifier les commandes : Parasol y écrit les liens des devis dans un seul métachamp, et rien d’autre. Sans elle, aucun devis n’est créé, car personne ne le verrait.",
      draftOrders:
        "Modifier les commandes provisoires : Parasol y ajoute la ligne d’un contrat quand votre équipe en choisit un, et n’y change rien d’autre.",
      action: "Autoriser dans Shopify",
      granted: "Autorisation accordée",
      declined: "Shopify n’a pas accordé l’autorisation",
      whatNow:
        "Vous pouvez encore la donner : cliquez à nouveau sur « Autoriser dans Shopify » et acceptez. Si Shopify ne vous propose pas de bouton pour accepter, demandez au propriétaire de la boutique, ou à un membre de l’équipe qui gère les applications, d’ouvrir cette page et de le faire.",
      unavailable: "Shopify ne répond pas : rechargez cette page dans quelques minutes",
    },
    discountedPlans: "Quand une réduction vise un contrat",
    discountedPlansHelp:
      "Le prix de l’offre est dû au service d’assurance quel que soit le montant payé : la différence est à votre charge. Une réduction sur toute la commande ne retient jamais un contrat. Un contrat ramené à 0 devient toujours une tâche.",
    discountedPlansChoice: { issue: "Émettre le contrat", task: "Créer une tâche et attendre ma décision" },
  },
  retention: {
    title: "Données personnelles",
    label: "Supprimer les données personnelles des clients après",
    help: "Noms, adresses, e-mails et téléphones des commandes assurées et des devis. Ce que Shopify a envoyé au sujet d’une commande est supprimé plus tôt, quelques jours après son traitement. Les contrats et les chiffres sont conservés. Une commande dont le traitement n’est pas terminé garde ses données jusque-là.",
    choice: {
      "0": "Conserver jusqu’à la demande du client",
      "6": "6 mois",
      "12": "1 an",
      "24": "2 ans",
      "36": "3 ans",
      "60": "5 ans",
    },
    warning:
      "Les données plus anciennes sont supprimées définitivement dans l’heure qui suit l’enregistrement.",
    confirm: {
      title: "Supprimer les données personnelles de plus de {{age}} ?",
      action: "Enregistrer et supprimer",
    },
  },
  backfill: {
    title: "Commandes passées",
    body: "Envoie au service d’assurance les commandes antérieures à l’utilisation de Parasol, afin que ses statistiques soient complètes. Aucun contrat n’est créé. Shopify ne donne aux applications que les commandes des 60 derniers jours, sauf autorisation plus large.",
    from: "Commandes depuis le",
    start: "Envoyer les commandes passées",
    stop: "Arrêter",
    confirm: {
      title: "Envoyer les commandes passées au service d’assurance ?",
      body: "Toutes les commandes payées depuis le {{date}} y sont enregistrées avec leurs produits. Aucun contrat n’est créé, rien n’est débité.",
    },
    state: {
      queued: "Démarrage imminent.",
      running: "En cours : {{orders}} commandes pour l’instant. Vous pouvez quitter cette page.",
      done: "Terminé le {{date}} : {{orders}} commandes examinées, dont {{missed}} nouvelles.",
      stopped: "Arrêté le {{date}} après {{orders}} commandes.",
    },
    waiting: "En attente avant de continuer.",
    notConnected: "Connectez d’abord le service d’assurance.",
    problem: "Choisissez une date des deux dernières années",
  },
  invalid: "Vérifiez les champs signalés.",
};
