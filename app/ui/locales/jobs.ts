import type { JobName } from "#app/jobs/definitions.ts";
import type { ReconciliationProblem } from "#app/plans/reconciliation/reconciliation-form.ts";
import type { ReconciliationKind, ReconciliationState } from "#app/plans/reconciliation/reconciliation.ts";

const jobs: Record<JobName, string> = {
  "platform-event": "Shop event",
  "product-events": "Changed products",
  "order-issuing": "Contracts of an order",
  "account-probe": "Is the insurance service back?",
  "plan-fulfilment": "Fulfilment of contracts’ lines",
  "order-cover": "Cover shown to customers",
  reconciliation: "Reconciliation or past orders",
  hourly: "Hourly maintenance",
  "catalogue-sync": "Catalogue sync",
  "product-categories": "Product categories",
  "storefront-settings": "Storefront settings",
  "analytics-import": "Sales and commissions",
  "attachment-recount": "Attachment statistics",
};
const kinds: Record<ReconciliationKind, string> = {
  hourly: "Hourly reconciliation",
  manual: "Reconciliation",
  backfill: "Past orders",
};
const states: Record<ReconciliationState, string> = {
  queued: "Waiting",
  running: "Running",
  done: "Done",
  stopped: "Stopped",
};
const problems: Record<ReconciliationProblem, string> = {
  missing: "Choose a date",
  order: "The end date is before the start date",
  future: "This date is in the future",
  too_long: "Choose a date within the last two years",
};

export const en = {
  subtitle: "Work in the background, and jobs that failed",
  job: jobs,
  queue: {
    title: "Queue",
    kind: "Job",
    state: {
      stalled: "Stalled",
      dead: "Failed",
      retrying: "Retrying",
      busy: "Running",
      idle: "Up to date",
    },
    says: {
      stalled: "Jobs have been due for minutes and none has started. Contact the app’s support.",
      dead: "Some jobs failed after days of attempts. They are listed below. Restart them once the cause is fixed.",
      retrying:
        "Some jobs failed and are retried automatically, with growing delays, for more than three days.",
      busy: "Jobs are being processed.",
      idle: "Nothing is waiting.",
    },
    column: { ready: "Due", running: "Running", retrying: "Retrying", scheduled: "Scheduled" },
    reconciled: "Orders were last reconciled with the shop and the insurance service on {{date}}.",
    neverReconciled: "Orders have not been reconciled yet. This happens every hour.",
  },
  dead: {
    title: "Failed jobs",
    help: "Jobs that failed on every attempt for more than three days. No data is lost.",
    none: {
      title: "No failed jobs",
      body: "If a job fails for days, it is kept here so that you can restart it.",
    },
    order: "Order {{id}}",
    attempts_one: "{{count}} attempt",
    attempts_other: "{{count}} attempts",
    attemptsSince_one: "{{count}} attempt since {{date}}",
    attemptsSince_other: "{{count}} attempts since {{date}}",
    reason: "Technical details: {{reason}}",
    replay: "Restart",
    replayAll_one: "Restart it",
    replayAll_other: "Restart all {{count}}",
    discard: "Discard",
    event: "View event",
  },
  confirm: {
    all: {
      title: "Restart all jobs?",
      body: "Every job in this list is tried again, and its attempts are counted from zero.",
    },
    discard: {
      title: "Discard the job “{{job}}”?",
      body: "It is deleted and not tried again. The hourly reconciliation still finds orders with missing or incorrect contracts.",
    },
  },
  said: {
    replay_zero: "Already in the queue",
    replay_one: "{{count}} job restarted",
    replay_other: "{{count}} jobs restarted",
    discard_zero: "This job no longer exists",
    discard_one: "Discarded",
    discard_other: "Discarded",
    started: "Started. You can leave this page",
  },
  start: {
    title: "Start now",
    kind: "Type",
    help: {
      manual:
        "Compares paid and cancelled orders in this period with their contracts and with the insurance service, and fixes what is missing.",
      backfill:
        "Sends past orders to the insurance service for your sales statistics. Orders without insurance do not get a contract.",
    },
    from: "From",
    to: "To",
    start: "Start",
    running: "A run of this type is already in progress. See the list below.",
    problem: problems,
  },
  run: {
    title: "Runs",
    kind: kinds,
    state: states,
    stop: "Stop",
    range: "{{from}} to {{until}}",
    finished: "ended {{date}}",
    orders_one: "{{count}} order checked",
    orders_other: "{{count}} orders checked",
    ordersOf: "{{done}} of {{total}} orders checked",
    nothing: "Everything was in order.",
    waits: "Paused, continues automatically. Technical details: {{reason}}",
    count: {
      orders_one: "{{count}} order",
      orders_other: "{{count}} orders",
      missed_one: "{{count}} missed order found",
      missed_other: "{{count}} missed orders found",
      behind_one: "{{count}} order updated",
      behind_other: "{{count}} orders updated",
      resumed_one: "{{count}} order resumed",
      resumed_other: "{{count}} orders resumed",
      contracts_one: "{{count}} contract compared",
      contracts_other: "{{count}} contracts compared",
      different_one: "{{count}} contract differed",
      different_other: "{{count}} contracts differed",
      tasks_one: "{{count}} task for you",
      tasks_other: "{{count}} tasks for you",
    },
    none: {
      title: "No runs yet",
      body: "Orders are reconciled every hour. Runs that found something are listed here.",
    },
  },
};

export const fr: typeof en = {
  subtitle: "Tâches de fond, et traitements en échec",
  job: {
    "platform-event": "Événement de la boutique",
    "product-events": "Produits modifiés",
    "order-issuing": "Contrats d’une commande",
    "account-probe": "Retour du service d’assurance",
    "plan-fulfilment": "Traitement des lignes de contrats",
    "order-cover": "Assurance montrée aux clients",
    reconciliation: "Rapprochement ou commandes passées",
    hourly: "Maintenance horaire",
    "catalogue-sync": "Synchronisation du catalogue",
    "product-categories": "Catégories des produits",
    "storefront-settings": "Paramètres de la boutique en ligne",
    "analytics-import": "Ventes et commissions",
    "attachment-recount": "Statistiques d’attachement",
  },
  queue: {
    title: "File d’attente",
    kind: "Traitement",
    state: {
      stalled: "À l’arrêt",
      dead: "Échoué",
      retrying: "Nouveaux essais",
      busy: "En cours",
      idle: "À jour",
    },
    says: {
      stalled:
        "Des traitements attendent depuis plusieurs minutes et aucun n’a démarré. Contactez le support de l’application.",
      dead: "Des traitements ont échoué après plusieurs jours d’essais. Ils figurent ci-dessous ; relancez-les une fois la cause corrigée.",
      retrying:
        "Des traitements ont échoué et sont réessayés automatiquement, à intervalles croissants, pendant plus de trois jours.",
      busy: "Des traitements sont en cours.",
      idle: "Rien n’attend.",
    },
    column: { ready: "À traiter", running: "En cours", retrying: "À réessayer", scheduled: "Planifiés" },
    reconciled: "Dernier rapprochement des commandes avec la boutique et le service d’assurance : {{date}}.",
    neverReconciled:
      "Les commandes n’ont pas encore été rapprochées. Le rapprochement a lieu toutes les heures.",
  },
  dead: {
    title: "Traitements en échec",
    help: "Traitements dont tous les essais ont échoué pendant plus de trois jours. Aucune donnée n’est perdue.",
    none: {
      title: "Aucun traitement en échec",
      body: "Si un traitement échoue pendant plusieurs jours, il est conservé ici et vous pouvez le relancer.",
    },
    order: "Commande {{id}}",
    attempts_one: "{{count}} essai",
    attempts_other: "{{count}} essais",
    attemptsSince_one: "{{count}} essai depuis le {{date}}",
    attemptsSince_other: "{{count}} essais depuis le {{date}}",
    reason: "Détail technique : {{reason}}",
    replay: "Relancer",
    replayAll_one: "Le relancer",
    replayAll_other: "Relancer les {{count}}",
    discard: "Supprimer",
    event: "Afficher l’événement",
  },
  confirm: {
    all: {
      title: "Tout relancer ?",
      body: "Chaque traitement de cette liste est réessayé, avec un nouveau décompte d’essais.",
    },
    discard: {
      title: "Supprimer le traitement « {{job}} » ?",
      body: "Il est supprimé et n’est plus réessayé. Le rapprochement horaire repère toujours les commandes dont les contrats sont manquants ou incorrects.",
    },
  },
  said: {
    replay_zero: "Déjà dans la file d’attente",
    replay_one: "{{count}} traitement relancé",
    replay_other: "{{count}} traitements relancés",
    discard_zero: "Ce traitement n’existe plus",
    discard_one: "Supprimé",
    discard_other: "Supprimé",
    started: "Lancé. Vous pouvez quitter cette page",
  },
  start: {
    title: "Lancer maintenant",
    kind: "Type",
    help: {
      manual:
        "Compare les commandes payées et annulées de cette période avec leurs contrats et avec le service d’assurance, et corrige ce qui manque.",
      backfill:
        "Envoie les commandes passées au service d’assurance pour vos statistiques de vente. Les commandes sans assurance ne reçoivent aucun contrat.",
    },
    from: "Du",
    to: "Au",
    start: "Lancer",
    running: "Un traitement de ce type est déjà en cours ; il figure dans la liste ci-dessous.",
    problem: {
      missing: "Choisissez une date",
      order: "La date de fin précède la date de début",
      future: "Cette date est dans le futur",
      too_long: "Choisissez une date des deux dernières années",
    },
  },
  run: {
    title: "Exécutions",
    kind: { hourly: "Rapprochement horaire", manual: "Rapprochement", backfill: "Commandes passées" },
    state: { queued: "En attente", running: "En cours", done: "Terminé", stopped: "Arrêté" },
    stop: "Arrêter",
    range: "{{from}} au {{until}}",
    finished: "terminé le {{date}}",
    orders_one: "{{count}} commande examinée",
    orders_other: "{{count}} commandes examinées",
    ordersOf: "{{done}} commandes examinées sur {{total}}",
    nothing: "Tout était en ordre.",
    waits: "En pause, reprise automatique. Détail technique : {{reason}}",
    count: {
      orders_one: "{{count}} commande",
      orders_other: "{{count}} commandes",
      missed_one: "{{count}} commande manquée retrouvée",
      missed_other: "{{count}} commandes manquées retrouvées",
      behind_one: "{{count}} commande mise à jour",
      behind_other: "{{count}} commandes mises à jour",
      resumed_one: "{{count}} commande reprise",
      resumed_other: "{{count}} commandes reprises",
      contracts_one: "{{count}} contrat comparé",
      contracts_other: "{{count}} contrats comparés",
      different_one: "{{count}} contrat différait",
      different_other: "{{count}} contrats différaient",
      tasks_one: "{{count}} tâche pour vous",
      tasks_other: "{{count}} tâches pour vous",
    },
    none: {
      title: "Aucune exécution",
      body: "Les commandes sont rapprochées toutes les heures. Les exécutions qui ont trouvé quelque chose figurent ici.",
    },
  },
};
