/** What several pages say. */
export const en = {
  nav: {
    home: "Home",
    orders: "Orders and contracts",
    tasks: "Tasks",
    products: "Insured products",
    catalogue: "Insurance catalogue",
    touchpoints: "Display in your shop",
    analytics: "Analytics",
    settings: "Settings",
  },
  tab: {
    orders: "Orders",
    leads: "Quotes",
    claims: "Claims",
    general: "General",
    connection: "Connection",
    activity: "Activity",
    audit: "Audit log",
    jobs: "Jobs",
    reconciliation: "Reconciliation",
  },
  action: {
    save: "Save",
    discard: "Discard",
    cancel: "Cancel",
    copy: "Copy",
    download: "Export as CSV",
    retry: "Try again",
    reload: "Reload the page",
    clear: "Clear filters",
  },
  said: {
    saved: "Saved",
    copied: "Copied",
    failed: "Something went wrong. Try again.",
    exported: "Export ready",
  },
  elsewhere: {
    title: "Others were saved meanwhile",
    body: "While you were making changes here, something was saved in another window or by a colleague. Nothing is lost: your changes are still on this page, not saved yet.",
    theirs: "{{name}}: now “{{theirs}}”, you changed nothing there",
    both: "{{name}}: now “{{theirs}}”, here “{{mine}}”",
    nothing: "empty",
    on: "on",
    off: "off",
    keep: "Keep my changes",
    take: "Use what was saved",
  },
  testMode: {
    title: "Test mode",
    body: "Your shop sells test insurance. Contracts created now insure nobody.",
    action: "Go live",
  },
  banner: {
    refused: {
      title: "The insurance service rejects your access token",
      body: "Until you enter a valid token for the {{environment}} environment, no new contracts are created and prices are not refreshed. Shoppers still see the synced offers. Paid orders wait and are processed once the token is accepted.",
      action: "Replace token",
    },
    unreachable: {
      title: "The insurance service could not be reached",
      body: "Synced offers stay on sale. Paid orders wait, and their contracts are created once the service responds.",
      action: "Check now",
    },
  },
  environment: { test: "test", production: "production" },
  /** After a price; the storefront's words. */
  payment: {
    annually: "once, for {{months}} months",
    monthly: "per month for {{months}} months, the first paid now",
  },
  error: {
    title: "Something went wrong",
    body: "The page could not be shown. Nothing was lost. If this happens again, contact support with the time and the page.",
    forbidden: {
      title: "Parasol does not have permission to show this",
      body: "The app needs permissions this shop has not granted yet: {{missing}}. Open the app again from Settings > Apps and accept the request, or ask the shop owner to do so.",
    },
    missing: {
      title: "Page not found",
      body: "This page does not exist, or belongs to another shop.",
      home: "Back to Home",
    },
    session: {
      title: "Your session has ended",
      body: "Reload the page to continue.",
    },
  },
  table: {
    loading: "Loading",
    pages: "Pages",
    filtered: "Filtered",
    noneFits: { title: "No results", body: "Try changing or clearing the filters." },
  },
  service: {
    notConnected: {
      title: "The insurance service is not connected",
      body: "Connect your account to see the service’s data on this page.",
      action: "Connect",
    },
    refused: {
      title: "The insurance service rejects your access token",
      body: "This page cannot be shown until you enter a valid token.",
    },
    failed: {
      title: "The insurance service did not send a usable response",
      body: "Try again in a few minutes. Nothing was changed.",
    },
    answer: "Technical details: {{reason}}",
  },
  period: {
    start: "From",
    end: "To",
    month: "30 days",
    year: "12 months",
    all: "All time",
  },
};

export const fr: typeof en = {
  nav: {
    home: "Accueil",
    orders: "Commandes et contrats",
    tasks: "Tâches",
    products: "Produits assurés",
    catalogue: "Catalogue d’assurance",
    touchpoints: "Affichage en boutique",
    analytics: "Statistiques",
    settings: "Paramètres",
  },
  tab: {
    orders: "Commandes",
    leads: "Devis",
    claims: "Sinistres",
    general: "Général",
    connection: "Connexion",
    activity: "Activité",
    audit: "Journal d’audit",
    jobs: "Traitements",
    reconciliation: "Rapprochement",
  },
  action: {
    save: "Enregistrer",
    discard: "Ignorer",
    cancel: "Annuler",
    copy: "Copier",
    download: "Exporter en CSV",
    retry: "Réessayer",
    reload: "Recharger la page",
    clear: "Effacer les filtres",
  },
  said: {
    saved: "Enregistré",
    copied: "Copié",
    failed: "Cela n’a pas fonctionné. Réessayez.",
    exported: "Export prêt",
  },
  elsewhere: {
    title: "D’autres réglages ont été enregistrés entre-temps",
    body: "Pendant que vous faisiez des modifications ici, un enregistrement a eu lieu dans une autre fenêtre ou par un collègue. Rien n’est perdu : vos modifications sont toujours sur cette page, pas encore enregistrées.",
    theirs: "{{name}} : désormais « {{theirs}} », vous n’y avez rien changé",
    both: "{{name}} : désormais « {{theirs}} », ici « {{mine}} »",
    nothing: "vide",
    on: "activé",
    off: "désactivé",
    keep: "Garder mes modifications",
    take: "Prendre ce qui a été enregistré",
  },
  testMode: {
    title: "Mode test",
    body: "Votre boutique vend des assurances de test. Les contrats créés maintenant n’assurent personne.",
    action: "Passer en production",
  },
  banner: {
    refused: {
      title: "Le service d’assurance refuse votre jeton d’accès",
      body: "Tant que vous n’avez pas saisi un jeton valide pour l’environnement de {{environment}}, aucun nouveau contrat n’est créé et les prix ne sont pas actualisés. Les acheteurs voient toujours les offres synchronisées ; les commandes payées attendent et seront traitées dès que le jeton sera accepté.",
      action: "Remplacer le jeton",
    },
    unreachable: {
      title: "Le service d’assurance n’a pas pu être joint",
      body: "Les offres synchronisées restent en vente. Les commandes payées attendent ; leurs contrats seront créés dès que le service répondra.",
      action: "Vérifier maintenant",
    },
  },
  environment: { test: "test", production: "production" },
  payment: {
    annually: "une fois, pour {{months}} mois",
    monthly: "par mois pendant {{months}} mois, le premier payé maintenant",
  },
  error: {
    title: "Une erreur est survenue",
    body: "La page n’a pas pu s’afficher. Rien n’est perdu. Si cela se reproduit, contactez le support en indiquant l’heure et la page.",
    forbidden: {
      title: "Parasol n’a pas l’autorisation d’afficher cette page",
      body: "L’application a besoin d’autorisations que cette boutique n’a pas encore accordées : {{missing}}. Rouvrez l’application depuis Paramètres > Applications et acceptez la demande, ou demandez au propriétaire de la boutique de le faire.",
    },
    missing: {
      title: "Page introuvable",
      body: "Cette page n’existe pas ou appartient à une autre boutique.",
      home: "Retour à l’accueil",
    },
    session: { title: "Votre session est terminée", body: "Rechargez la page pour continuer." },
  },
  table: {
    loading: "Chargement",
    pages: "Pages",
    filtered: "Liste filtrée",
    noneFits: {
      title: "Aucun résultat",
      body: "Essayez de modifier ou d’effacer les filtres.",
    },
  },
  service: {
    notConnected: {
      title: "Le service d’assurance n’est pas connecté",
      body: "Connectez votre compte pour voir ici les données du service.",
      action: "Connecter",
    },
    refused: {
      title: "Le service d’assurance refuse votre jeton d’accès",
      body: "Cette page ne peut pas s’afficher tant que vous n’avez pas saisi un jeton valide.",
    },
    failed: {
      title: "Le service d’assurance n’a pas renvoyé de réponse exploitable",
      body: "Réessayez dans quelques minutes. Rien n’a été modifié.",
    },
    answer: "Détail technique : {{reason}}",
  },
  period: { start: "Du", end: "Au", month: "30 jours", year: "12 mois", all: "Toute la période" },
};
