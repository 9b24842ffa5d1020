import type { ActivityKind } from "#app/merchants/activity.ts";

const kinds: Record<ActivityKind, string> = {
  connected: "The {{subject}} account was connected",
  disconnected: "The {{subject}} account was disconnected",
  environment_used: "The {{subject}} account is in use",
  token_refused: "The insurance service refused the token of the {{subject}} account",
  organisation_removed: "The organisation token of the {{subject}} account was removed",
  touchpoints_saved: "The touchpoints were changed",
  settings_saved: "The settings were changed",
  lead_created: "Quote {{subject}} was created",
};

export const en = {
  title: "Activity",
  subtitle: "What Parasol did and saw",
  search: "Order, contract, event, quote",
  source: {
    label: "About",
    plan: "Plans",
    event: "Events of the shop",
    catalogue: "Catalogue",
    app: "Connection and settings",
  },
  column: { when: "When", what: "What", about: "About" },
  kind: kinds,
  plan: "{{order}}: {{cause}}",
  event: {
    received: "Event “{{topic}}” is waiting",
    done: "Event “{{topic}}” was worked off",
    failed: "Event “{{topic}}” could not be worked off yet",
  },
  run: {
    catalogue: {
      queued: "The catalogue is about to be synced",
      running: "The catalogue is being synced",
      done: "The catalogue was synced",
      failed: "The sync of the catalogue failed",
      cancelled: "The sync of the catalogue was stopped",
    },
    products: {
      queued: "The products are about to be read",
      running: "The products are being read",
      done: "The products were read and their categories applied",
      failed: "The reading of the products failed",
      cancelled: "The reading of the products was stopped",
    },
  },
  empty: {
    title: "Nothing has happened yet",
    body: "Everything that Parasol does for your shop appears here.",
  },
};

export const fr: typeof en = {
  title: "Activité",
  subtitle: "Ce que Parasol a fait et vu",
  search: "Commande, contrat, événement, devis",
  source: {
    label: "Sujet",
    plan: "Contrats",
    event: "Événements de la boutique",
    catalogue: "Catalogue",
    app: "Connexion et paramètres",
  },
  column: { when: "Quand", what: "Quoi", about: "Sujet" },
  kind: {
    connected: "Le compte de {{subject}} a été connecté",
    disconnected: "Le compte de {{subject}} a été déconnecté",
    environment_used: "Le compte de {{subject}} est utilisé",
    token_refused: "Le service d’assurance a refusé le jeton du compte de {{subject}}",
    organisation_removed: "Le jeton d’organisation du compte de {{subject}} a été retiré",
    touchpoints_saved: "Les points de contact ont été modifiés",
    settings_saved: "Les paramètres ont été modifiés",
    lead_created: "Le devis {{subject}} a été créé",
  },
  plan: "{{order}} : {{cause}}",
  event: {
    received: "L’événement « {{topic}} » attend",
    done: "L’événement « {{topic}} » a été traité",
    failed: "L’événement « {{topic}} » n’a pas encore pu être traité",
  },
  run: {
    catalogue: {
      queued: "Le catalogue va être synchronisé",
      running: "Le catalogue est en cours de synchronisation",
      done: "Le catalogue a été synchronisé",
      failed: "La synchronisation du catalogue a échoué",
      cancelled: "La synchronisation du catalogue a été arrêtée",
    },
    products: {
      queued: "Les produits vont être lus",
      running: "Les produits sont en cours de lecture",
      done: "Les produits ont été lus et leurs catégories appliquées",
      failed: "La lecture des produits a échoué",
      cancelled: "La lecture des produits a été arrêtée",
    },
  },
  empty: {
    title: "Rien ne s’est encore passé",
    body: "Tout ce que Parasol fait pour votre boutique apparaît ici.",
  },
};
