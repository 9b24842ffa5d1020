import type { JobName } from "#app/jobs/definitions.ts";
import type { SweepProblem } from "#app/plans/reconciliation/reconciliation-form.ts";
import type { SweepKind, SweepState } from "#app/plans/reconciliation/reconciliation.ts";

const jobs: Record<JobName, string> = {
  "platform-event": "Event of the shop",
  "order-work": "Plans of an order",
  "order-sweep": "Reconciliation or past orders",
  hourly: "Hourly work",
  "catalogue-sync": "Sync of the catalogue",
  "product-categories": "Categories of products",
  "storefront-settings": "Settings of the storefront",
  "analytics-import": "Sales and commissions",
};
const kinds: Record<SweepKind, string> = {
  hourly: "Hourly reconciliation",
  asked: "Reconciliation",
  backfill: "Past orders",
};
const states: Record<SweepState, string> = {
  queued: "Waiting",
  running: "Under way",
  done: "Done",
  stopped: "Stopped",
};
const problems: Record<SweepProblem, string> = {
  missing: "Choose a day",
  order: "The last day is before the first",
  future: "This day is still to come",
  too_long: "At most two years back",
};

export const en = {
  title: "Jobs",
  subtitle: "What Parasol does in the background, and what it could not do",
  tab: { queue: "Queue", runs: "Reconciliation" },
  job: jobs,
  queue: {
    title: "Queue",
    kind: "Job",
    state: {
      stalled: "Standing still",
      dead: "Gave up",
      retrying: "Trying again",
      busy: "Working",
      idle: "All done",
    },
    says: {
      stalled: "Jobs have been due for minutes and nobody takes them. Tell the app’s support.",
      dead: "Some jobs gave up after days of attempts. They are listed below; start them again once the reason is gone.",
      retrying:
        "Some jobs failed and are tried again automatically, with growing delays, for more than three days.",
      busy: "Jobs are being processed.",
      idle: "Nothing is waiting.",
    },
    column: { waiting: "Due", running: "Running", retrying: "Trying again", later: "Later" },
    reconciled: "Orders were last reconciled with the shop and the insurance service on {{date}}.",
    neverReconciled: "Orders have not been reconciled yet; that is done every hour.",
  },
  dead: {
    title: "Gave up",
    help: "Jobs that failed at every attempt for more than three days. Nothing of them is lost.",
    none: {
      title: "Nothing gave up",
      body: "Should a job ever fail for days, it is kept here and can be started again.",
    },
    order: "Order {{id}}",
    attempts_one: "{{count}} attempt",
    attempts_other: "{{count}} attempts",
    attemptsSince_one: "{{count}} attempt since {{date}}",
    attemptsSince_other: "{{count}} attempts since {{date}}",
    reason: "Last reason: {{reason}}",
    replay: "Start again",
    replayAll_one: "Start it again",
    replayAll_other: "Start all {{count}} again",
    discard: "Give up",
    event: "Show what was received",
  },
  confirm: {
    all: {
      title: "Start all again?",
      body: "Every job in this list is tried again, with its attempts counted anew.",
    },
    discard: {
      title: "Give this job up?",
      body: "It is deleted and not tried again. The hourly reconciliation still notices orders whose plans are not in order.",
    },
  },
  said: {
    replay_zero: "Its work waits in the queue already",
    replay_one: "{{count}} job started again",
    replay_other: "{{count}} jobs started again",
    discard_zero: "It is not there any more",
    discard_one: "Given up",
    discard_other: "Given up",
    started: "Started. You can leave this page",
  },
  start: {
    title: "Start now",
    kind: "What to do",
    help: {
      asked:
        "Compares paid and cancelled orders of these days with the plans and with the insurance service, and repairs what is missing.",
      backfill:
        "Sends past orders to the insurance service for your sales statistics. Orders without insurance get no plan.",
    },
    from: "From",
    to: "To",
    start: "Start",
    running: "One of this kind is under way already; it is in the list below.",
    problem: problems,
  },
  run: {
    title: "Runs",
    kind: kinds,
    state: states,
    stop: "Stop",
    range: "{{from}} to {{until}}",
    finished: "ended {{date}}",
    orders_one: "{{count}} order looked at",
    orders_other: "{{count}} orders looked at",
    ordersOf: "{{done}} of {{total}} orders looked at",
    nothing: "Everything was in order.",
    waits: "It waits and goes on automatically: {{reason}}",
    count: {
      orders_one: "{{count}} order",
      orders_other: "{{count}} orders",
      missed_one: "{{count}} order had been missed",
      missed_other: "{{count}} orders had been missed",
      behind_one: "{{count}} order brought up to date",
      behind_other: "{{count}} orders brought up to date",
      resumed_one: "{{count}} order taken up again",
      resumed_other: "{{count}} orders taken up again",
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
  title: "Traitements",
  subtitle: "Ce que Parasol fait en arrière-plan, et ce qu’il n’a pas pu faire",
  tab: { queue: "File d’attente", runs: "Rapprochement" },
  job: {
    "platform-event": "Événement de la boutique",
    "order-work": "Contrats d’une commande",
    "order-sweep": "Rapprochement ou commandes passées",
    hourly: "Traitement horaire",
    "catalogue-sync": "Synchronisation du catalogue",
    "product-categories": "Catégories des produits",
    "storefront-settings": "Réglages de la boutique en ligne",
    "analytics-import": "Ventes et commissions",
  },
  queue: {
    title: "File d’attente",
    kind: "Traitement",
    state: {
      stalled: "À l’arrêt",
      dead: "Abandons",
      retrying: "Nouveaux essais",
      busy: "En cours",
      idle: "Tout est fait",
    },
    says: {
      stalled:
        "Des traitements sont dus depuis des minutes et personne ne les prend. Prévenez le support de l’application.",
      dead: "Des traitements ont abandonné après des jours d’essais. Ils figurent ci-dessous ; relancez-les une fois la cause disparue.",
      retrying:
        "Des traitements ont échoué et sont réessayés automatiquement, à intervalles croissants, pendant plus de trois jours.",
      busy: "Des traitements sont en cours.",
      idle: "Rien n’attend.",
    },
    column: { waiting: "Dus", running: "En cours", retrying: "À réessayer", later: "Plus tard" },
    reconciled: "Dernier rapprochement des commandes avec la boutique et le service d’assurance : {{date}}.",
    neverReconciled: "Les commandes n’ont pas encore été rapprochées ; cela se fait toutes les heures.",
  },
  dead: {
    title: "Abandons",
    help: "Traitements dont tous les essais ont échoué pendant plus de trois jours. Rien n’en est perdu.",
    none: {
      title: "Aucun abandon",
      body: "Si un traitement échoue pendant des jours, il est conservé ici et peut être relancé.",
    },
    order: "Commande {{id}}",
    attempts_one: "{{count}} essai",
    attempts_other: "{{count}} essais",
    attemptsSince_one: "{{count}} essai depuis le {{date}}",
    attemptsSince_other: "{{count}} essais depuis le {{date}}",
    reason: "Dernière cause : {{reason}}",
    replay: "Relancer",
    replayAll_one: "Le relancer",
    replayAll_other: "Relancer les {{count}}",
    discard: "Abandonner",
    event: "Afficher ce qui a été reçu",
  },
  confirm: {
    all: {
      title: "Tout relancer ?",
      body: "Chaque traitement de cette liste est réessayé, avec un nouveau décompte d’essais.",
    },
    discard: {
      title: "Abandonner ce traitement ?",
      body: "Il est supprimé et n’est plus réessayé. Le rapprochement horaire repère toujours les commandes dont les contrats ne sont pas en ordre.",
    },
  },
  said: {
    replay_zero: "Son travail est déjà dans la file d’attente",
    replay_one: "{{count}} traitement relancé",
    replay_other: "{{count}} traitements relancés",
    discard_zero: "Il n’est plus là",
    discard_one: "Abandonné",
    discard_other: "Abandonné",
    started: "Lancé. Vous pouvez quitter cette page",
  },
  start: {
    title: "Lancer maintenant",
    kind: "Quoi faire",
    help: {
      asked:
        "Compare les commandes payées et annulées de ces jours avec les contrats et avec le service d’assurance, et répare ce qui manque.",
      backfill:
        "Envoie les commandes passées au service d’assurance pour vos statistiques de vente. Les commandes sans assurance ne reçoivent aucun contrat.",
    },
    from: "Du",
    to: "Au",
    start: "Lancer",
    running: "Un traitement de ce type est déjà en cours ; il figure dans la liste ci-dessous.",
    problem: {
      missing: "Choisissez un jour",
      order: "Le dernier jour précède le premier",
      future: "Ce jour est à venir",
      too_long: "Deux ans au plus",
    },
  },
  run: {
    title: "Passages",
    kind: { hourly: "Rapprochement horaire", asked: "Rapprochement", backfill: "Commandes passées" },
    state: { queued: "En attente", running: "En cours", done: "Terminé", stopped: "Arrêté" },
    stop: "Arrêter",
    range: "{{from}} au {{until}}",
    finished: "terminé le {{date}}",
    orders_one: "{{count}} commande examinée",
    orders_other: "{{count}} commandes examinées",
    ordersOf: "{{done}} commandes examinées sur {{total}}",
    nothing: "Tout était en ordre.",
    waits: "Il attend et reprend de lui-même : {{reason}}",
    count: {
      orders_one: "{{count}} commande",
      orders_other: "{{count}} commandes",
      missed_one: "{{count}} commande avait été manquée",
      missed_other: "{{count}} commandes avaient été manquées",
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
      title: "Aucun passage",
      body: "Toutes les heures, les commandes sont rapprochées automatiquement. Les passages qui ont trouvé quelque chose figurent ici.",
    },
  },
};
