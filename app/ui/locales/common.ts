/** What several pages say. */
export const en = {
  nav: {
    home: "Home",
    connection: "Connection",
    products: "Products and categories",
    catalogue: "Catalogue",
    touchpoints: "Touchpoints",
    orders: "Orders and plans",
    claims: "Claims",
    leads: "Leads",
    analytics: "Analytics",
    tasks: "Tasks",
    jobs: "Jobs",
    activity: "Activity",
    settings: "Settings",
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
    failed: "That did not work. Try again.",
    exported: "Export ready",
  },
  banner: {
    refused: {
      title: "The insurance service refuses your access token",
      body: "Until you enter a valid token for the {{environment}} environment, no new plans are created and prices are not refreshed. Shoppers still see the synced offers; paid orders wait and are processed as soon as the token is accepted.",
      action: "Replace the token",
    },
    unreachable: {
      title: "The insurance service could not be reached",
      body: "Synced offers still sell. Paid orders wait and become plans as soon as the service answers.",
      action: "Check now",
    },
  },
  environment: { test: "test", production: "production" },
  error: {
    title: "Something went wrong",
    body: "The page could not be shown. Nothing was lost. If it happens again, tell support the time and the page.",
    forbidden: {
      title: "Parasol is not allowed to show this",
      body: "The app needs permissions that this shop has not granted yet: {{missing}}. Open the app again from Settings, Apps, and accept the request, or ask the owner of the shop to do it.",
    },
    missing: {
      title: "There is nothing here",
      body: "What you are looking for does not exist, or is not in this shop.",
    },
    session: {
      title: "Your session has ended",
      body: "Reload the page to go on.",
    },
  },
  table: {
    loading: "Loading",
    pages: "Pages",
    filtered: "The list is filtered",
    noneFits: { title: "Nothing fits", body: "Change or clear the filters to see more." },
  },
  service: {
    notConnected: {
      title: "The insurance service is not connected",
      body: "Connect your account first; then this page shows what the service knows.",
      action: "Connect",
    },
    refused: {
      title: "The insurance service refuses your access token",
      body: "This page cannot be shown until you enter a valid token.",
    },
    failed: {
      title: "The insurance service did not give an answer that can be used",
      body: "Try again in a few minutes. Nothing was changed.",
    },
    answer: "What the service answered: {{reason}}",
  },
  period: {
    start: "From",
    end: "To",
    month: "30 days",
    year: "12 months",
    all: "Everything",
  },
};

export const fr: typeof en = {
  nav: {
    home: "Accueil",
    connection: "Connexion",
    products: "Produits et catégories",
    catalogue: "Catalogue",
    touchpoints: "Points de contact",
    orders: "Commandes et contrats",
    claims: "Sinistres",
    leads: "Devis",
    analytics: "Statistiques",
    tasks: "Tâches",
    jobs: "Traitements",
    activity: "Activité",
    settings: "Paramètres",
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
  banner: {
    refused: {
      title: "Le service d’assurance refuse votre jeton d’accès",
      body: "Tant que vous n’avez pas saisi un jeton valide pour l’environnement de {{environment}}, aucun nouveau contrat n’est créé et les prix ne sont pas actualisés. Les acheteurs voient toujours les offres synchronisées ; les commandes payées attendent et seront traitées dès que le jeton sera accepté.",
      action: "Remplacer le jeton",
    },
    unreachable: {
      title: "Le service d’assurance n’a pas pu être joint",
      body: "Les offres synchronisées restent en vente. Les commandes payées attendent et deviendront des contrats dès que le service répondra.",
      action: "Vérifier maintenant",
    },
  },
  environment: { test: "test", production: "production" },
  error: {
    title: "Une erreur est survenue",
    body: "La page n’a pas pu s’afficher. Rien n’est perdu. Si cela se reproduit, indiquez au support l’heure et la page.",
    forbidden: {
      title: "Parasol n’a pas le droit d’afficher ceci",
      body: "L’application a besoin d’autorisations que cette boutique n’a pas encore accordées : {{missing}}. Rouvrez l’application depuis Paramètres, Applications, et acceptez la demande, ou demandez-le au propriétaire de la boutique.",
    },
    missing: {
      title: "Il n’y a rien ici",
      body: "Ce que vous cherchez n’existe pas, ou pas dans cette boutique.",
    },
    session: { title: "Votre session est terminée", body: "Rechargez la page pour continuer." },
  },
  table: {
    loading: "Chargement",
    pages: "Pages",
    filtered: "La liste est filtrée",
    noneFits: {
      title: "Rien ne correspond",
      body: "Modifiez ou effacez les filtres pour en voir davantage.",
    },
  },
  service: {
    notConnected: {
      title: "Le service d’assurance n’est pas connecté",
      body: "Connectez d’abord votre compte ; cette page affichera alors ce que le service connaît.",
      action: "Connecter",
    },
    refused: {
      title: "Le service d’assurance refuse votre jeton d’accès",
      body: "Cette page ne peut pas s’afficher tant que vous n’avez pas saisi un jeton valide.",
    },
    failed: {
      title: "Le service d’assurance n’a pas donné de réponse utilisable",
      body: "Réessayez dans quelques minutes. Rien n’a été modifié.",
    },
    answer: "Réponse du service : {{reason}}",
  },
  period: { start: "Du", end: "Au", month: "30 jours", year: "12 mois", all: "Tout" },
};
