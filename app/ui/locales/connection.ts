import type { ConnectionField, ConnectionProblem } from "#app/merchants/connection.ts";

const problems: Record<ConnectionProblem, string> = {
  missing: "Enter the store ID you received from the insurance service",
  token_missing: "Enter the access token",
  malformed: "This contains characters that are not allowed, such as spaces. Copy the whole value again",
  too_long: "This is too long. Copy it again",
};
const labels: Record<ConnectionField, string> = {
  storeId: "Store ID",
  token: "Access token",
  organisationToken: "Organisation token (optional)",
};

export const en = {
  subtitle: "Your accounts at the insurance service",
  environment: { test: "Test", production: "Production" },
  about: {
    test: "For testing: contracts created here do not insure anyone. The token decides that, so enter the one of the test environment.",
    production: "For real customers: contracts created here are real.",
  },
  inUse: "Your shop sells with it",
  isNext: "In use once synced",
  stop: "Stop the switch",
  state: {
    none: "Not connected",
    accepted: "Connected",
    refused: "Token rejected",
    unreachable: "Unreachable",
  },
  label: labels,
  help: {
    storeId: "It is in your account at the insurance service. If you do not find it, ask your contact there.",
    token: "In your account at the insurance service: Settings > API > {{environment}} environment.",
    keepsToken: "Leave empty to keep the current one. It cannot be shown again.",
    organisationToken: "Needed for sales and commissions in Analytics.",
  },
  problem: problems,
  summary: {
    set: "Set on {{date}}",
    organisationToken: "Organisation token",
    noOrganisationToken: "Not set: Analytics shows no sales and commissions",
    checked: "Last checked",
  },
  open: { test: "Connect your test account", production: "Connect your production account" },
  address: {
    title: "Your account’s web address",
    label: "Where you open your account at the insurance service (optional)",
    help: "Tasks and orders link to it, for what has to be done there.",
    problem: { not_https: "Enter a complete address that begins with https://" },
  },
  leaving: {
    title: "Before you leave",
    contracts:
      "If you uninstall Parasol, contracts that exist stay valid at the insurance service. They are no longer cancelled with their orders, and paid insurance without a contract gets none: close your tasks first.",
    products:
      "Pause selling first, at the top of the page: the offers leave your shop and the insurance products become drafts. Once Parasol is gone, delete the products with the tag “parasol-insurance” in Shopify.",
    data: "Export your orders, tasks and figures first. Parasol’s access ends at once. Nine days later all data of your shop is erased from Parasol; if you install it again before, everything is still there.",
  },
  connect: "Connect",
  saveChanges: "Check and save",
  change: "Change",
  check: "Check now",
  use: "Go back to the test account",
  goLive: "Go live",
  disconnect: "Disconnect",
  removeOrganisation: "Remove organisation token",
  result: {
    accepted: "The service accepts the token. Everything works.",
    connected: "Connected. The service accepts the token.",
    refused:
      "The service rejects this token, so nothing was saved. Check that it is the token of the {{environment}} environment and that it belongs to this store, or create a new one in your account at the insurance service (Settings > API).",
    refusedNow:
      "The service rejects the current token. Create a new one in your account at the insurance service (Settings > API) and enter it here. Until then, no new contracts are created, prices are not refreshed, claims are not shown, and paid orders wait.",
    other_environment:
      "This is the token of your other account, so nothing was saved. Copy the token of the {{environment}} environment.",
    unknown_store:
      "The service accepts the token but does not know this store ID. Copy the store ID from your account at the insurance service.",
    unreachable:
      "The service did not respond, so nothing was changed. Try again in a few minutes. Your entries are kept on this page.",
    other_store:
      "Nothing was changed yet: your shop sells, or has sold, contracts of store {{store}}. Confirm that this store takes its place.",
    organisation_refused:
      "The service rejects the organisation token, so nothing was saved. Check it, or leave the field empty.",
    stopped: "Your shop stays with the account it uses.",
    already_live: "Too late to stop: the {{environment}} account is in use already.",
    not_connected: "Connect this account before you use it.",
    switched: "This account is now in use.",
    switching:
      "This account’s catalogue is being synced. The shop uses the account as soon as it has the catalogue; until then it sells with the other one.",
    disconnected: "The {{environment}} account is disconnected.",
    removed: "The organisation token was removed.",
    next: "Choose categories",
  },
  confirm: {
    use: {
      title: "Go back to the {{environment}} account?",
      body: "New orders will create contracts in the test environment, which do not insure anyone. That account’s catalogue is synced first; until then the shop sells with the production account. Existing contracts stay in production and are still cancelled there.",
    },
    otherStore: {
      title: "Connect another store than {{store}}?",
      body: "Until now your shop sold contracts of store {{store}}. The new store’s catalogue is synced at once, and what only the old one offers goes off sale. Contracts that exist stay with the old store: Parasol can no longer cancel or check them there, so cancellations become tasks. Orders with the old store’s insurance that have no contract yet become tasks, too, and insure nobody until you act.",
      action: "Connect the new store",
    },
    removeOrganisation: {
      title: "Remove the organisation token of the {{environment}} account?",
      body: "Sales and commissions under Analytics are no longer shown or updated until you enter a token again. Orders and contracts are not affected.",
      action: "Remove",
    },
    disconnect: {
      title: "Disconnect the {{environment}} account?",
      body: "The tokens are deleted from Parasol. If this account is in use, no new contracts are created, prices are not refreshed, cancelled orders do not cancel their contracts, and claims and quotes are unavailable. Existing contracts remain valid at the insurance service.",
    },
  },
};

export const fr: typeof en = {
  subtitle: "Vos comptes auprès du service d’assurance",
  environment: { test: "Test", production: "Production" },
  about: {
    test: "Pour vos essais : les contrats créés ici n’assurent personne. C’est le jeton qui en décide : saisissez celui de l’environnement de test.",
    production: "Pour de vrais clients : les contrats créés ici sont réels.",
  },
  inUse: "Votre boutique vend avec lui",
  isNext: "Utilisé dès la synchronisation",
  stop: "Arrêter le changement",
  state: {
    none: "Non connecté",
    accepted: "Connecté",
    refused: "Jeton refusé",
    unreachable: "Injoignable",
  },
  label: {
    storeId: "Identifiant du magasin",
    token: "Jeton d’accès",
    organisationToken: "Jeton d’organisation (facultatif)",
  },
  help: {
    storeId:
      "Il figure dans votre compte auprès du service d’assurance. Si vous ne le trouvez pas, demandez-le à votre interlocuteur.",
    token:
      "Dans votre compte auprès du service d’assurance : Paramètres > API > environnement de {{environment}}.",
    keepsToken: "Laissez ce champ vide pour conserver le jeton actuel, qui ne peut plus être affiché.",
    organisationToken: "Nécessaire pour les ventes et commissions dans Statistiques.",
  },
  problem: {
    missing: "Saisissez l’identifiant de magasin que le service d’assurance vous a donné",
    token_missing: "Saisissez le jeton d’accès",
    malformed:
      "Cette valeur contient des caractères non autorisés, comme des espaces. Copiez-la de nouveau en entier",
    too_long: "Cette valeur est trop longue. Copiez-la de nouveau",
  },
  summary: {
    set: "Défini le {{date}}",
    organisationToken: "Jeton d’organisation",
    noOrganisationToken: "Absent : Statistiques n’affiche ni ventes ni commissions",
    checked: "Dernière vérification",
  },
  open: { test: "Connecter votre compte de test", production: "Connecter votre compte de production" },
  address: {
    title: "Adresse web de votre compte",
    label: "Où vous ouvrez votre compte auprès du service d’assurance (facultatif)",
    help: "Les tâches et les commandes y mènent, pour ce qui doit y être fait.",
    problem: { not_https: "Saisissez une adresse complète, qui commence par https://" },
  },
  leaving: {
    title: "Avant de partir",
    contracts:
      "Si vous désinstallez Parasol, les contrats existants restent valables auprès du service d’assurance. Ils ne sont plus annulés avec leurs commandes, et une assurance payée sans contrat n’en reçoit plus : terminez d’abord vos tâches.",
    products:
      "Suspendez d’abord la vente, en haut de la page : les offres quittent votre boutique et les produits d’assurance deviennent des brouillons. Une fois Parasol désinstallé, supprimez dans Shopify les produits portant la balise « parasol-insurance ».",
    data: "Exportez d’abord vos commandes, tâches et chiffres. L’accès de Parasol prend fin aussitôt. Neuf jours plus tard, toutes les données de votre boutique sont effacées de Parasol ; si vous le réinstallez avant, tout est encore là.",
  },
  connect: "Connecter",
  saveChanges: "Vérifier et enregistrer",
  change: "Modifier",
  check: "Vérifier maintenant",
  use: "Revenir au compte de test",
  goLive: "Passer en production",
  disconnect: "Déconnecter",
  removeOrganisation: "Retirer le jeton d’organisation",
  result: {
    accepted: "Le service accepte le jeton. Tout fonctionne.",
    connected: "Connecté. Le service accepte le jeton.",
    refused:
      "Le service refuse ce jeton : rien n’a été enregistré. Vérifiez qu’il s’agit du jeton de l’environnement de {{environment}} et qu’il appartient à ce magasin, ou créez-en un nouveau dans votre compte auprès du service d’assurance (Paramètres > API).",
    refusedNow:
      "Le service refuse le jeton actuel. Créez-en un nouveau dans votre compte auprès du service d’assurance (Paramètres > API) et saisissez-le ici. En attendant, aucun nouveau contrat n’est créé, les prix ne sont pas actualisés et les sinistres ne sont pas affichés ; les commandes payées attendent.",
    other_environment:
      "C’est le jeton de votre autre compte : rien n’a été enregistré. Copiez celui de l’environnement de {{environment}}.",
    unknown_store:
      "Le service accepte le jeton mais ne connaît pas cet identifiant de magasin. Copiez-le depuis votre compte auprès du service d’assurance.",
    unreachable:
      "Le service n’a pas répondu : rien n’a été modifié. Réessayez dans quelques minutes ; votre saisie est conservée sur cette page.",
    other_store:
      "Rien n’a encore été modifié : votre boutique vend, ou a vendu, des contrats du magasin {{store}}. Confirmez que ce magasin prend sa place.",
    organisation_refused:
      "Le service refuse le jeton d’organisation : rien n’a été enregistré. Vérifiez-le ou laissez le champ vide.",
    stopped: "Votre boutique reste sur le compte qu’elle utilise.",
    already_live: "Trop tard pour l’arrêter : le compte de {{environment}} est déjà utilisé.",
    not_connected: "Connectez ce compte avant de l’utiliser.",
    switched: "Ce compte est désormais utilisé.",
    switching:
      "Le catalogue de ce compte est en cours de synchronisation. La boutique utilisera le compte dès qu’elle aura ce catalogue ; d’ici là, elle vend avec l’autre.",
    disconnected: "Le compte de {{environment}} est déconnecté.",
    removed: "Le jeton d’organisation a été retiré.",
    next: "Choisir les catégories",
  },
  confirm: {
    use: {
      title: "Revenir au compte de {{environment}} ?",
      body: "Les nouvelles commandes créeront des contrats dans l’environnement de test, qui n’assurent personne. Le catalogue de ce compte est synchronisé d’abord ; d’ici là, la boutique vend avec le compte de production. Les contrats existants restent en production et peuvent toujours y être annulés.",
    },
    otherStore: {
      title: "Connecter un autre magasin que {{store}} ?",
      body: "Jusqu’ici, votre boutique vendait des contrats du magasin {{store}}. Le catalogue du nouveau magasin est synchronisé aussitôt, et la vente de ce que seul l’ancien propose cesse. Les contrats existants restent auprès de l’ancien magasin : Parasol ne peut plus les y annuler ni les vérifier, leurs annulations deviennent donc des tâches. Les commandes vendues avec les assurances de l’ancien magasin et encore sans contrat deviennent aussi des tâches, et n’assurent personne tant que vous n’avez rien fait.",
      action: "Connecter le nouveau magasin",
    },
    removeOrganisation: {
      title: "Retirer le jeton d’organisation du compte de {{environment}} ?",
      body: "Les ventes et commissions des Statistiques ne seront plus affichées ni actualisées jusqu’à ce que vous saisissiez un nouveau jeton. Les commandes et contrats ne sont pas concernés.",
      action: "Retirer",
    },
    disconnect: {
      title: "Déconnecter le compte de {{environment}} ?",
      body: "Les jetons sont supprimés de Parasol. Si ce compte est utilisé, aucun nouveau contrat n’est créé, les prix ne sont pas actualisés, les commandes annulées n’annulent pas leurs contrats, et les sinistres et devis ne sont plus disponibles. Les contrats existants restent valables auprès du service d’assurance.",
    },
  },
};
