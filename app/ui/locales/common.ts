/** What several pages say. */

export const en = {
  nav: {
    home: "Home",
    orders: "Orders and contracts",
    tasks: "Tasks",
    openTasks: "Tasks ({{count}})",
    products: "Insured products",
    catalogue: "Insurance catalogue",
    touchpoints: "Display in your shop",
    analytics: "Analytics",
    settings: "Settings",
  },
  tab: {
    orders: "Orders",
    leads: "Quotes",
    automaticLeads: "Automatic quotes",
    claims: "Claims",
    general: "General",
    connection: "Connection",
    history: "History",
  },
  technicalDetail: "Technical details",
  learnMore: "Learn more",
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
    saved: "Settings saved",
    copied: "Copied to the clipboard",
    notCopied: "The browser did not allow copying. Select the text and copy it yourself",
    exported: "{{file}} was downloaded",
    notExported: "{{file}} could not be downloaded. Try again in a few minutes",
  },
  unknown: {
    state: "Unknown state ({{raw}})",
    claim: "Other kind of claim ({{raw}})",
    topic: "other shop event ({{raw}})",
    payment: "Other payment method ({{raw}})",
    channel: "Other sales channel ({{raw}})",
    reason: "Other reason ({{raw}})",
    problem: "Other problem ({{raw}})",
  },
  elsewhere: {
    title: "Other settings were saved in the meantime",
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
    body: "Nothing you sell now insures anybody.",
    ending: "Your shop is going live. It sells test insurance until the production catalogue is synced.",
    progress: "View progress",
    action: "Go live",
  },
  selling: {
    title: "Sale of insurance",
    state: {
      on: "On sale",
      paused: "Selling paused",
      disconnected: "Not sold: no account",
      refused: "Not sold: token rejected",
    },
    pause: "Pause selling",
    resume: "Resume selling",
    confirm: {
      pause: {
        title: "Pause the sale of insurance?",
        body: "The offers leave your shop, the cart and the checkout at once, and insurance that is in a cart is taken out. The insurance products become drafts. Paid orders still get their contracts. You can resume at any time.",
      },
      resume: {
        title: "Resume the sale of insurance?",
        body: "The catalogue is synced, and the offers come back with today’s prices once that is done, usually within a minute.",
      },
    },
  },
  serviceAccount: "Open your account at the insurance service",
  banner: {
    waiting_one: "{{count}} paid contract waits.",
    waiting_other: "{{count}} paid contracts wait.",
    stopSelling: "Keep selling paused",
    disconnected: {
      title: "Your shop sells no insurance: no account is connected",
      body: "The offers have left your shop, because their contracts could not be created. Once an account is connected, paid contracts are created and the offers come back by themselves.",
      action: "Connect",
    },
    refused: {
      title: "Your shop sells no insurance: the insurance service rejects your access token",
      body: "The offers have left your shop, because their contracts could not be created. Once you enter a valid token, paid contracts are created and the offers come back by themselves.",
      action: "Replace token",
    },
    paused: {
      title: "Selling is paused",
      body: "Shoppers see no insurance until you resume. Paid orders still get their contracts.",
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
    annually: "paid once",
    monthly: "per month, the first paid now",
  },
  /** A member of staff asks for what the shop does not let them do. */
  refusal: {
    title: "Your Shopify permissions do not include this",
    orders:
      "To see orders, contracts, quotes, tasks and sales you need the permission to view orders. The shop’s owner gives it in Shopify, Settings, Users. It can take an hour until Parasol knows of it.",
    order_actions:
      "To change orders, contracts, quotes, tasks or these settings you need the permission to edit orders. The shop’s owner gives it in Shopify, Settings, Users. It can take an hour until Parasol knows of it.",
    draft_orders:
      "To sell insurance on draft orders you need the permission to create and edit draft orders. The shop’s owner gives it in Shopify, Settings, Users. It can take an hour until Parasol knows of it.",
    products:
      "To change the catalogue, insured products or the display of offers you need the permission to edit products. The shop’s owner gives it in Shopify, Settings, Users. It can take an hour until Parasol knows of it.",
    connection:
      "The shop’s owner decides who changes the connection to the insurance service: in Parasol, Settings, “Who can change the connection”.",
    unknown:
      "Shopify did not say what you may do, so for now you can only look. Nothing was changed. Reload the page to try again.",
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
  textGaps: {
    title: "Your shop is in {{languages}} too: shoppers read no cover there",
    write_one: "Write it in {{language}} ({{count}} text)",
    write_other: "Write it in {{language}} ({{count}} texts)",
  },
  table: {
    filter: "{{label}}: {{chosen}}",
    loading: "Loading",
    pages: "Pages",
    rows: "{{from}}–{{to}}",
    rowsOf: "{{from}}–{{to}} of {{total}}",
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
    openTasks: "Tâches ({{count}})",
    products: "Produits assurés",
    catalogue: "Catalogue d’assurance",
    touchpoints: "Affichage en boutique",
    analytics: "Statistiques",
    settings: "Paramètres",
  },
  tab: {
    orders: "Commandes",
    leads: "Devis",
    automaticLeads: "Devis automatiques",
    claims: "Sinistres",
    general: "Général",
    connection: "Connexion",
    history: "Historique",
  },
  technicalDetail: "Détails techniques (en anglais)",
  learnMore: "En savoir plus",
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
    saved: "Paramètres enregistrés",
    copied: "Copié dans le presse-papiers",
    notCopied: "Le navigateur n’a pas autorisé la copie. Sélectionnez le texte et copiez-le vous-même",
    exported: "{{file}} a été téléchargé",
    notExported: "{{file}} n’a pas pu être téléchargé. Réessayez dans quelques minutes",
  },
  unknown: {
    state: "État inconnu ({{raw}})",
    claim: "Autre sinistre ({{raw}})",
    topic: "autre événement de la boutique ({{raw}})",
    payment: "Autre moyen de paiement ({{raw}})",
    channel: "Autre canal de vente ({{raw}})",
    reason: "Autre motif ({{raw}})",
    problem: "Autre problème ({{raw}})",
  },
  elsewhere: {
    title: "D’autres paramètres ont été enregistrés entre-temps",
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
    body: "Rien de ce que vous vendez maintenant n’assure qui que ce soit.",
    ending:
      "Votre boutique passe en production. Elle vend des assurances de test jusqu’à la fin de la synchronisation du catalogue de production.",
    progress: "Voir l’avancement",
    action: "Passer en production",
  },
  selling: {
    title: "Vente d’assurances",
    state: {
      on: "En vente",
      paused: "Vente suspendue",
      disconnected: "Hors vente : aucun compte",
      refused: "Hors vente : jeton refusé",
    },
    pause: "Suspendre la vente",
    resume: "Reprendre la vente",
    confirm: {
      pause: {
        title: "Suspendre la vente d’assurances ?",
        body: "Les offres quittent aussitôt votre boutique, le panier et le paiement, et les assurances présentes dans un panier en sont retirées. Les produits d’assurance deviennent des brouillons. Les commandes payées reçoivent tout de même leurs contrats. Vous pouvez reprendre à tout moment.",
      },
      resume: {
        title: "Reprendre la vente d’assurances ?",
        body: "Le catalogue est synchronisé, puis les offres reviennent aux prix du jour, en général en moins d’une minute.",
      },
    },
  },
  serviceAccount: "Ouvrir votre compte auprès du service d’assurance",
  banner: {
    waiting_one: "{{count}} contrat payé attend.",
    waiting_other: "{{count}} contrats payés attendent.",
    stopSelling: "Maintenir la vente suspendue",
    disconnected: {
      title: "Votre boutique ne vend pas d’assurance : aucun compte n’est connecté",
      body: "Les offres ont quitté votre boutique, car leurs contrats ne pourraient pas être créés. Dès qu’un compte est connecté, les contrats payés sont créés et les offres reviennent d’elles-mêmes.",
      action: "Connecter",
    },
    refused: {
      title: "Votre boutique ne vend pas d’assurance : le service d’assurance refuse votre jeton d’accès",
      body: "Les offres ont quitté votre boutique, car leurs contrats ne pourraient pas être créés. Dès que vous aurez saisi un jeton valide, les contrats payés seront créés et les offres reviendront d’elles-mêmes.",
      action: "Remplacer le jeton",
    },
    paused: {
      title: "La vente est suspendue",
      body: "Les acheteurs ne voient aucune assurance jusqu’à la reprise. Les commandes payées reçoivent tout de même leurs contrats.",
    },
    unreachable: {
      title: "Le service d’assurance n’a pas pu être joint",
      body: "Les offres synchronisées restent en vente. Les commandes payées attendent ; leurs contrats seront créés dès que le service répondra.",
      action: "Vérifier maintenant",
    },
  },
  environment: { test: "test", production: "production" },
  payment: {
    annually: "payé en une fois",
    monthly: "par mois, le premier payé maintenant",
  },
  refusal: {
    title: "Vos autorisations Shopify ne le permettent pas",
    orders:
      "Pour voir les commandes, contrats, devis, tâches et ventes, il vous faut l’autorisation de consulter les commandes. Le propriétaire de la boutique la donne dans Shopify, Paramètres, Utilisateurs. Parasol peut mettre une heure à le savoir.",
    order_actions:
      "Pour modifier des commandes, contrats, devis, tâches ou ces paramètres, il vous faut l’autorisation de modifier les commandes. Le propriétaire de la boutique la donne dans Shopify, Paramètres, Utilisateurs. Parasol peut mettre une heure à le savoir.",
    draft_orders:
      "Pour vendre l’assurance sur les commandes provisoires, il vous faut l’autorisation de créer et modifier des commandes provisoires. Le propriétaire de la boutique la donne dans Shopify, Paramètres, Utilisateurs. Parasol peut mettre une heure à le savoir.",
    products:
      "Pour modifier le catalogue, les produits assurés ou l’affichage des offres, il vous faut l’autorisation de modifier les produits. Le propriétaire de la boutique la donne dans Shopify, Paramètres, Utilisateurs. Parasol peut mettre une heure à le savoir.",
    connection:
      "Le propriétaire de la boutique décide qui modifie la connexion au service d’assurance : dans Parasol, Paramètres, « Qui peut modifier la connexion ».",
    unknown:
      "Shopify n’a pas dit ce que vous pouvez faire : pour l’instant, vous pouvez seulement consulter. Rien n’a été modifié. Rechargez la page pour réessayer.",
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
  textGaps: {
    title: "Votre boutique est aussi en {{languages}} : les clients n’y lisent aucune garantie",
    write_one: "Écrire le texte en {{language}}",
    write_other: "Écrire les {{count}} textes en {{language}}",
  },
  table: {
    filter: "{{label}} : {{chosen}}",
    loading: "Chargement",
    pages: "Pages",
    rows: "{{from}} à {{to}}",
    rowsOf: "{{from}} à {{to}} sur {{total}}",
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
  },
  period: { start: "Du", end: "Au", month: "30 jours", year: "12 mois", all: "Toute la période" },
};
