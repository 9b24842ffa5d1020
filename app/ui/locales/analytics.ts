export const en = {
  title: "Analytics",
  tab: { attachment: "Attachment rate", sales: "Sales", commissions: "Commissions" },
  filter: {
    stores: "Point of sale",
    allStores: "All points of sale",
    billing: "Billing",
    allBillings: "Monthly and once",
    monthly: "Monthly",
    annually: "Once",
  },
  noToken: {
    title: "The organisation token is missing",
    body: "Sales and commissions of all your points of sale belong to your organisation at the insurance service. Enter its token on the Connection page.",
    action: "Enter the token",
  },
  copy: {
    running: "Reading from the insurance service: {{rows}} rows so far. You may leave this page.",
    done: "As of {{date}}",
    refresh: "Refresh",
    refused:
      "The insurance service refuses the organisation token. The figures below are those of the last reading.",
    failed: "The last reading did not come to its end; the figures below may be incomplete. {{reason}}",
  },
  sales: {
    figures: {
      sales: "Sales",
      salesHelp: "{{cancelled}} of them cancelled",
      premium: "Contract prices",
      front: "FRONT",
      frontHelp: "Paid once: the whole commission of annual sales, the year-1 advance of monthly ones",
      air: "AIR per month",
      airHelp: "Paid each month by active contracts; {{later}} more from year 2 of contracts with an advance",
    },
    contradictions:
      "{{count}} annual sales carry an AIR amount, which the service's rules exclude. It is in no figure.",
    perMonth: "Sales per month",
    perStore: "Per point of sale",
    list: "All sales",
    column: {
      month: "Month",
      date: "Date",
      contract: "Contract",
      status: "State",
      store: "Point of sale",
      seller: "Seller",
      category: "Category",
      price: "Price",
      front: "FRONT",
      air: "AIR per month",
      airFrom: "{{amount}} from {{date}}",
    },
    status: { active: "Active", cancelled: "Cancelled" },
    cancelledOn: "Cancelled on {{date}}",
  },
  commissions: {
    figures: {
      front: "FRONT",
      air: "AIR",
      net: "After refunds of {{amount}}",
      both: "FRONT and AIR",
      bothHelp: "Commissions paid back to your points of sale",
      count: "Collections and refunds",
    },
    contradictions:
      "{{count}} AIR commissions belong to annual contracts, which the service's rules exclude. They are in no figure.",
    perMonth: "Commissions per month",
    perStore: "Per point of sale",
    list: "All commissions",
    column: {
      month: "Month",
      date: "Date",
      sale: "Contract",
      store: "Point of sale",
      type: "Type",
      billing: "Billing",
      collected: "Amount collected",
      amount: "Commission",
    },
    billing: { collected: "Collected", refunded: "Refunded" },
  },
  empty: {
    title: "Nothing in this selection",
    body: "Choose another period or other points of sale.",
  },
  notYet: {
    title: "Nothing here yet",
    body: "As soon as your points of sale sell insurance, the figures appear here.",
  },
};

export const fr: typeof en = {
  title: "Statistiques",
  tab: { attachment: "Taux d’attachement", sales: "Ventes", commissions: "Commissions" },
  filter: {
    stores: "Point de vente",
    allStores: "Tous les points de vente",
    billing: "Facturation",
    allBillings: "Mensuelle et unique",
    monthly: "Mensuelle",
    annually: "Unique",
  },
  noToken: {
    title: "Le jeton de l’organisation manque",
    body: "Les ventes et commissions de tous vos points de vente appartiennent à votre organisation auprès du service d’assurance. Saisissez son jeton sur la page Connexion.",
    action: "Saisir le jeton",
  },
  copy: {
    running:
      "Lecture auprès du service d’assurance : {{rows}} lignes pour l’instant. Vous pouvez quitter cette page.",
    done: "Au {{date}}",
    refresh: "Actualiser",
    refused:
      "Le service d’assurance refuse le jeton de l’organisation. Les chiffres ci-dessous sont ceux de la dernière lecture.",
    failed:
      "La dernière lecture n’est pas allée à son terme ; les chiffres ci-dessous peuvent être incomplets. {{reason}}",
  },
  sales: {
    figures: {
      sales: "Ventes",
      salesHelp: "dont {{cancelled}} résiliées",
      premium: "Prix des contrats",
      front: "FRONT",
      frontHelp:
        "Versé une fois : la commission totale des ventes annuelles, l’avance de l’année 1 des mensuelles",
      air: "AIR par mois",
      airHelp:
        "Versé chaque mois par les contrats actifs ; {{later}} de plus à partir de l’année 2 des contrats avec avance",
    },
    contradictions:
      "{{count}} ventes annuelles portent un montant AIR, ce que les règles du service excluent. Il n’entre dans aucun chiffre.",
    perMonth: "Ventes par mois",
    perStore: "Par point de vente",
    list: "Toutes les ventes",
    column: {
      month: "Mois",
      date: "Date",
      contract: "Contrat",
      status: "État",
      store: "Point de vente",
      seller: "Vendeur",
      category: "Catégorie",
      price: "Prix",
      front: "FRONT",
      air: "AIR par mois",
      airFrom: "{{amount}} à partir du {{date}}",
    },
    status: { active: "Actif", cancelled: "Résilié" },
    cancelledOn: "Résilié le {{date}}",
  },
  commissions: {
    figures: {
      front: "FRONT",
      air: "AIR",
      net: "Après remboursements de {{amount}}",
      both: "FRONT et AIR",
      bothHelp: "Commissions reversées à vos points de vente",
      count: "Encaissements et remboursements",
    },
    contradictions:
      "{{count}} commissions AIR appartiennent à des contrats annuels, ce que les règles du service excluent. Elles n’entrent dans aucun chiffre.",
    perMonth: "Commissions par mois",
    perStore: "Par point de vente",
    list: "Toutes les commissions",
    column: {
      month: "Mois",
      date: "Date",
      sale: "Contrat",
      store: "Point de vente",
      type: "Type",
      billing: "Facturation",
      collected: "Montant encaissé",
      amount: "Commission",
    },
    billing: { collected: "Encaissé", refunded: "Remboursé" },
  },
  empty: {
    title: "Rien dans cette sélection",
    body: "Choisissez une autre période ou d’autres points de vente.",
  },
  notYet: {
    title: "Encore rien ici",
    body: "Dès que vos points de vente vendront de l’assurance, les chiffres apparaîtront ici.",
  },
};
