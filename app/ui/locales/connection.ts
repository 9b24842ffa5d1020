import type { ConnectionField, FieldProblem } from "#app/merchants/connection.ts";

const problems: Record<FieldProblem, string> = {
  missing: "Enter the store id that the insurance service gave you",
  malformed: "This holds characters that cannot be part of it, such as spaces. Copy it again as a whole",
  too_long: "This is too long. Copy it again",
};
const labels: Record<ConnectionField, string> = {
  storeId: "Store id",
  token: "Access token",
  organisationToken: "Organisation token (optional)",
};

export const en = {
  title: "Connection",
  subtitle: "Your accounts at the insurance service",
  environment: { test: "Test", production: "Production" },
  about: {
    test: "For trying things out: contracts made here insure nobody.",
    production: "For real customers: contracts made here are real.",
  },
  inUse: "In use",
  state: {
    none: "Not connected",
    accepted: "Connected",
    refused: "Token refused",
    unreachable: "Not reached",
  },
  label: labels,
  help: {
    storeId: "The identifier of your shop at the insurance service.",
    token: "In your account at the insurance service: Settings, API, {{environment}} environment.",
    tokenSet: "Set on {{date}}. It cannot be shown again; leave this empty to keep it.",
    organisationToken: "Needed for sales and commissions in Analytics.",
    organisationTokenSet: "Set on {{date}}. Leave this empty to keep it.",
  },
  problem: problems,
  checked: "Last checked on {{date}}",
  connect: "Connect",
  saveChanges: "Check and save",
  check: "Check now",
  use: "Use this account",
  disconnect: "Disconnect",
  removeOrganisation: "Remove the organisation token",
  result: {
    accepted: "The service accepts the token. Everything works.",
    connected: "Connected. The service accepts the token.",
    refused:
      "The service refuses this token, so nothing was saved. Check that it is the token of the {{environment}} environment and that it belongs to this store, or make a new one in your account at the insurance service (Settings, API).",
    refusedNow:
      "The service refuses the token that is set. Make a new one in your account at the insurance service (Settings, API) and enter it here. Until then no new plans are created, prices are not refreshed and claims are not shown; paid orders wait.",
    unknown_store:
      "The service takes the token but does not know this store id. Copy the store id from your account at the insurance service.",
    unreachable:
      "The service did not answer, so nothing was changed. Try again in a few minutes; what you entered is kept on this page.",
    token_needed: "Enter the access token.",
    organisation_refused:
      "The service refuses the organisation token, so nothing was saved. Check it, or leave it empty.",
    not_connected: "Connect this account before you use it.",
    switched: "This account is in use now.",
    disconnected: "Disconnected.",
    removed: "The organisation token is removed.",
    answer: "What the service answered: {{reason}}",
    next: "Choose categories",
  },
  confirm: {
    use: {
      title: "Use the {{environment}} account?",
      body: {
        test: "New orders will create contracts in the test environment: they insure nobody. The catalogue has to be synced again, so that the shop sells the references of that account. Plans that exist in production stay there and are still cancelled there.",
        production:
          "New orders will create real contracts for real customers. The catalogue has to be synced again, so that the shop sells the references of that account. Plans that exist in test stay there.",
      },
    },
    removeOrganisation: {
      title: "Remove the organisation token?",
      body: "Sales and commissions under Analytics are no longer shown or renewed until you enter a token again. Orders and plans go on as before.",
      action: "Remove",
    },
    disconnect: {
      title: "Disconnect the {{environment}} account?",
      body: "The tokens are deleted here. If this account is in use: no new plans are created, prices are not refreshed, cancelled orders do not cancel their plans, and claims and leads are not available. Plans that exist stay valid at the insurance service.",
    },
  },
};

export const fr: typeof en = {
  title: "Connexion",
  subtitle: "Vos comptes auprès du service d’assurance",
  environment: { test: "Test", production: "Production" },
  about: {
    test: "Pour essayer : les contrats créés ici n’assurent personne.",
    production: "Pour de vrais clients : les contrats créés ici sont réels.",
  },
  inUse: "Utilisé",
  state: {
    none: "Non connecté",
    accepted: "Connecté",
    refused: "Jeton refusé",
    unreachable: "Injoignable",
  },
  label: {
    storeId: "Identifiant du magasin",
    token: "Jeton d’accès",
    organisationToken: "Jeton de l’organisation (facultatif)",
  },
  help: {
    storeId: "L’identifiant de votre boutique auprès du service d’assurance.",
    token:
      "Dans votre compte auprès du service d’assurance : Paramètres, API, environnement de {{environment}}.",
    tokenSet: "Défini le {{date}}. Il ne peut plus être affiché ; laissez ce champ vide pour le conserver.",
    organisationToken: "Nécessaire pour les ventes et commissions dans Statistiques.",
    organisationTokenSet: "Défini le {{date}}. Laissez ce champ vide pour le conserver.",
  },
  problem: {
    missing: "Saisissez l’identifiant de magasin que le service d’assurance vous a donné",
    malformed:
      "Ceci contient des caractères impossibles à cet endroit, comme des espaces. Copiez-le de nouveau en entier",
    too_long: "C’est trop long. Copiez-le de nouveau",
  },
  checked: "Dernière vérification le {{date}}",
  connect: "Connecter",
  saveChanges: "Vérifier et enregistrer",
  check: "Vérifier maintenant",
  use: "Utiliser ce compte",
  disconnect: "Déconnecter",
  removeOrganisation: "Retirer le jeton de l’organisation",
  result: {
    accepted: "Le service accepte le jeton. Tout fonctionne.",
    connected: "Connecté. Le service accepte le jeton.",
    refused:
      "Le service refuse ce jeton, rien n’a donc été enregistré. Vérifiez qu’il s’agit du jeton de l’environnement de {{environment}} et qu’il appartient à ce magasin, ou créez-en un nouveau dans votre compte auprès du service d’assurance (Paramètres, API).",
    refusedNow:
      "Le service refuse le jeton défini. Créez-en un nouveau dans votre compte auprès du service d’assurance (Paramètres, API) et saisissez-le ici. En attendant, aucun nouveau contrat n’est créé, les prix ne sont pas actualisés et les sinistres ne sont pas affichés ; les commandes payées attendent.",
    unknown_store:
      "Le service accepte le jeton mais ne connaît pas cet identifiant de magasin. Copiez-le depuis votre compte auprès du service d’assurance.",
    unreachable:
      "Le service n’a pas répondu, rien n’a donc été modifié. Réessayez dans quelques minutes ; votre saisie est conservée sur cette page.",
    token_needed: "Saisissez le jeton d’accès.",
    organisation_refused:
      "Le service refuse le jeton de l’organisation, rien n’a donc été enregistré. Vérifiez-le, ou laissez-le vide.",
    not_connected: "Connectez ce compte avant de l’utiliser.",
    switched: "Ce compte est maintenant utilisé.",
    disconnected: "Déconnecté.",
    removed: "Le jeton de l’organisation est retiré.",
    answer: "Réponse du service : {{reason}}",
    next: "Choisir les catégories",
  },
  confirm: {
    use: {
      title: "Utiliser le compte de {{environment}} ?",
      body: {
        test: "Les nouvelles commandes créeront des contrats dans l’environnement de test : ils n’assurent personne. Le catalogue doit être synchronisé de nouveau, afin que la boutique vende les références de ce compte. Les contrats existants en production y restent et y sont toujours annulés.",
        production:
          "Les nouvelles commandes créeront de vrais contrats pour de vrais clients. Le catalogue doit être synchronisé de nouveau, afin que la boutique vende les références de ce compte. Les contrats existants en test y restent.",
      },
    },
    removeOrganisation: {
      title: "Retirer le jeton de l’organisation ?",
      body: "Les ventes et commissions des Statistiques ne sont plus affichées ni actualisées jusqu’à ce que vous saisissiez un nouveau jeton. Commandes et contrats continuent comme avant.",
      action: "Retirer",
    },
    disconnect: {
      title: "Déconnecter le compte de {{environment}} ?",
      body: "Les jetons sont supprimés ici. Si ce compte est utilisé : aucun nouveau contrat n’est créé, les prix ne sont pas actualisés, les commandes annulées n’annulent pas leurs contrats, et les sinistres et devis ne sont plus disponibles. Les contrats existants restent valables auprès du service d’assurance.",
    },
  },
};
