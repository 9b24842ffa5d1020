import type { CustomerField } from "#app/plans/ledger/customer.ts";
import type { TaskAction } from "#app/plans/tasks/task-view.ts";
import type { TaskKind, TaskOutcome } from "#app/plans/tasks/tasks.ts";

/** What a kind of task is called in the list, why it is there, and what to do about it. */
type Kinds = Record<TaskKind, { title: string; why: string; todo: string }>;

const kinds: Kinds = {
  check_plan: {
    title: "Paid insurance does not match",
    why: "{{finding}}. The customer paid {{premium}} for “{{plan}}”. No contract has been created yet.",
    todo: "Check the order. Issue the contract if you want to honour it anyway. Otherwise, choose “Do not insure” and refund the customer in Shopify.",
  },
  customer_data: {
    title: "Customer details have to be completed or corrected",
    why: "The insurance service needs to know whom it insures. {{problem}} The contracts of this order are on hold until then.",
    todo: "Ask the customer and enter the right details on the order page. If the customer does not want the insurance, choose “Do not insure” and refund the customer in Shopify.",
  },
  customer_erased: {
    title: "Customer details were deleted",
    why: "The customer’s personal data had to be deleted before the contract for “{{plan}}” was created, so it cannot be created.",
    todo: "Choose “Do not insure” and refund the customer in Shopify.",
  },
  plan_refused: {
    title: "The service refused a contract",
    why: "The insurance service refused to create the contract for “{{plan}}”. Its response: {{serviceMessage}}",
    todo: "Try again once the cause is fixed, or ask the insurance service. If no contract should be created, choose “Do not insure” and refund the customer in Shopify.",
  },
  contract_unclear: {
    title: "A contract may not be in force",
    why: "The insurance service did not say clearly that the contract for “{{plan}}” is active, and its list of contracts shows no active one. Its response: {{serviceMessage}}",
    todo: "Check the order in your account at the insurance service. “Try again” checks the list again and creates the contract if there is none. If no contract should be created, choose “Do not insure” and refund the customer in Shopify.",
  },
  order_refused: {
    title: "The service refused an order’s sales data",
    why: "The order’s contracts are not affected. The order is only missing from the insurance service’s sales statistics. Its response: {{serviceMessage}}",
    todo: "Send it again, or dismiss this task.",
  },
  manual_cancellation: {
    title: "Cancel one contract in your account",
    why: "Contract {{contract}} (“{{plan}}”) is to end while other contracts of the order continue. It stays in force until you cancel it.",
    todo: "Cancel contract {{contract}} in your account at the insurance service, then confirm it here. Parasol checks it with the service.",
  },
  withdrawal: {
    title: "A customer withdrew from their insurance",
    why: "On {{declared}} the customer withdrew from {{plans}}. {{cancellation}}",
    todo: "Refund {{premium}} in Shopify by {{refundBy}}. Then download the acknowledgement and email it to the customer: it says what they withdrew from and when.",
  },
  surplus_contract: {
    title: "One contract too many",
    why: "The insurance service has contract {{contract}} for this order, but no payment for it was recorded.",
    todo: "Check it in your account at the insurance service. If it was created by mistake, cancel it there.",
  },
  cancelled_elsewhere: {
    title: "A contract was cancelled at the service",
    why: "Contract {{contract}} (“{{plan}}”) was cancelled at the insurance service, not from Parasol. The customer paid for it and is no longer insured.",
    todo: "If that was intended, refund the customer in Shopify. If not, ask the insurance service.",
  },
  premium_kept: {
    title: "A product went back, its insurance was kept",
    why: "“{{product}}” was refunded, returned or removed from the order, so its insurance “{{plan}}” ends. The customer paid {{premium}} for it, and that line of the order is not refunded.",
    todo: "Refund the insurance line in Shopify: insurance sold with a product ends with it, free of charge.",
  },
  contract_missing: {
    title: "A contract is missing at the service",
    why: "The insurance service created contract {{contract}} (“{{plan}}”) but no longer shows it.",
    todo: "Ask the insurance service about contract {{contract}}. The next check of orders looks again.",
  },
  order_not_shown: {
    title: "A changed order cannot be read from Shopify",
    why: "This order was refunded or edited after it was insured. Shopify only gives apps the orders of the last 60 days, unless it has granted more, so Parasol cannot see everything that changed.",
    todo: "Check the order in Shopify. If an insured product or its insurance was returned, cancel that contract on the order page in Parasol.",
  },
  too_many_units: {
    title: "An order has an unusual number of insured products",
    why: "{{limit}} pieces of this order are insured automatically; {{pieces}} more were ordered. So many are rarely bought on purpose.",
    todo: "Check the order in Shopify. If it is genuine, have the remaining pieces insured by the insurance service; if not, cancel the order.",
  },
  unreadable_line: {
    title: "A line of an order could not be read",
    why: "Shopify sent the line “{{line}}” of this order in an unknown format: {{problem}}. Everything else of the order is insured as usual.",
    todo: "Check the line in Shopify. If it is an insurance, have it issued by the insurance service, or refund the customer in Shopify.",
  },
  unreadable_event: {
    title: "A shop event could not be read",
    why: "Shopify sent “{{topic}}” in an unknown format. It is kept as received. The hourly check of orders reads the shop’s orders anyway, so no order is lost.",
    todo: "Try again after the next app update. If this happens again, send the event to the app’s support.",
  },
  connection: {
    title: "Paid insurance is waiting for the connection",
    why: "Customers have paid for insurance, but the contracts cannot be created: {{problem}}.",
    todo: "Enter a valid access token under Settings, Connection. Everything on hold is then processed automatically.",
  },
  customer_data_request: {
    title: "A customer requested their data",
    why: "A customer asked through Shopify what data you hold about them. You must answer within 30 days.",
    todo: "Download the file, send it to the customer, and close the task. The pages of these orders and quotes show the same data:",
  },
};
const actions: Record<TaskAction, string> = {
  retry: "Try again",
  end: "Do not insure",
  confirm_cancelled: "Confirm cancellation",
  keep: "Keep the contract",
  resend_sales_record: "Send again",
  reprocess_event: "Read again",
  done: "Mark as done",
  dismiss: "Dismiss",
  reopen: "Reopen",
};
const fields: Record<CustomerField, string> = {
  email: "email",
  firstName: "first name",
  lastName: "last name",
  phone: "phone number",
  address1: "address",
  address2: "apartment, floor",
  zip: "postal code",
  city: "city",
  country: "country",
};
const outcomes: Record<TaskOutcome, string> = {
  done: "Done",
  dismissed: "Dismissed",
  obsolete: "Resolved automatically",
};

export const en = {
  title: "Tasks",
  titleCount: "Tasks ({{count}})",
  subtitle: "What needs your decision. Nothing is lost, and nothing is done without you",
  atStake: "Customers paid {{amount}} for the insurance that these tasks are about",
  due: "By {{date}}",
  pieces: "{{count}} contracts",
  test: "Test",
  alsoMissing: "Before it can be issued, the order also needs: {{fields}}.",
  chooseProduct: "Choose the product",
  refund: "Refund in Shopify",
  acknowledgement: "Download the acknowledgement",
  group: {
    decide: "To decide",
    end: "Cancel or refund",
    customer: "Customer details",
    app: "App and service",
  },
  list: "Tasks",
  search: "Order",
  filter: {
    all: "All open",
    closed: "Closed",
    tests: "Test orders",
    testsShown: "Show tasks of test orders",
    kind: "Type",
  },
  kind: kinds,
  action: actions,
  cancellation: {
    whole:
      "No insurance of the order is left: the insurance service is asked to cancel the order’s contracts.",
    part: "Other contracts of the order continue: tasks of their own say which contracts to cancel in your account at the insurance service.",
    claimsUnknown:
      "The insurance service did not say whether a claim was filed with {{plans}}, so this insurance goes on for now. Look in your account there first. If there is no claim, cancel the contract on the order’s page. If there is one, do not refund it, and tell the customer.",
  },
  customerData: {
    missing: "Missing from the order: {{fields}}.",
    refused: "It refuses {{fields}}: “{{serviceMessage}}”.",
  },
  issue: "Issue contract",
  field: fields,
  outcome: outcomes,
  problem: {
    refused: "the insurance service rejects your access token",
    missing: "no insurance service account is connected",
  },
  order: "Order {{name}}",
  opened: "Since {{date}}",
  closed: "{{outcome}} on {{date}}",
  supply: "Enter details",
  connect: "View connection",
  download: "Download data",
  noOrders:
    "Parasol holds no orders or quotes for this customer. Tell the customer that this app holds no data about them.",
  confirm: {
    issue: {
      title: "Issue the contract “{{plan}}” for order {{order}}?",
      order: "Issue the contract for order {{order}}?",
      body: "The contract is created even though something does not match. The customer is insured from then on.",
    },
    end: {
      title: "Do not insure “{{plan}}” of order {{order}}?",
      order: "Do not insure order {{order}}?",
      body: "No contract is created. This does not refund the customer: create the refund in Shopify.",
    },
  },
  said: {
    of: "{{subject}}: {{text}}",
    done: {
      issue: "the contract is being issued",
      retry: "being tried again",
      end: "not insured, task closed",
      confirm_cancelled: "cancellation confirmed",
      keep: "the contract goes on",
      resend_sales_record: "being sent again",
      reprocess_event: "being read again",
      done: "task marked as done",
      dismiss: "task dismissed",
      reopen: "task reopened",
    },
    unknown: "This task no longer exists",
    conflict: "This is no longer possible: it has changed in the meantime",
    not_cancelled: "The insurance service still shows the contract as active. The task stays open",
    failed: "The insurance service did not respond. Nothing was changed. Technical details: {{reason}}",
  },
  empty: {
    title: "No open tasks",
    body: "When a contract needs your decision, it appears here with the reason and what to do.",
  },
};

export const fr: typeof en = {
  title: "Tâches",
  titleCount: "Tâches ({{count}})",
  subtitle: "Ce qui demande votre décision. Rien n’est perdu, et rien n’est fait sans vous",
  atStake: "Vos clients ont payé {{amount}} pour les assurances concernées par ces tâches",
  due: "Avant le {{date}} inclus",
  pieces: "{{count}} contrats",
  test: "Test",
  alsoMissing: "Avant de pouvoir l’émettre, il faut aussi compléter la commande : {{fields}}.",
  chooseProduct: "Choisir le produit",
  refund: "Rembourser dans Shopify",
  acknowledgement: "Télécharger l’accusé de réception",
  group: {
    decide: "À décider",
    end: "Annuler ou rembourser",
    customer: "Données du client",
    app: "Application et service",
  },
  list: "Tâches",
  search: "Commande",
  filter: {
    all: "Toutes",
    closed: "Clôturées",
    tests: "Commandes de test",
    testsShown: "Afficher les tâches des commandes de test",
    kind: "Type",
  },
  kind: {
    check_plan: {
      title: "Une assurance payée ne correspond pas",
      why: "{{finding}}. Le client a payé {{premium}} pour « {{plan}} » ; aucun contrat n’a encore été créé.",
      todo: "Examinez la commande. Émettez le contrat si vous voulez l’honorer malgré tout. Sinon, choisissez « Ne pas assurer » et remboursez le client dans Shopify.",
    },
    customer_data: {
      title: "Des informations sur le client sont à compléter ou à corriger",
      why: "Le service d’assurance doit savoir qui il assure. {{problem}} Les contrats de cette commande sont en attente.",
      todo: "Demandez les bonnes informations au client et saisissez-les sur la page de la commande. Si le client ne veut pas de l’assurance, choisissez « Ne pas assurer » et remboursez-le dans Shopify.",
    },
    customer_erased: {
      title: "Les données du client ont été supprimées",
      why: "Les données personnelles du client ont dû être supprimées avant la création du contrat « {{plan}} » ; il ne peut donc pas être créé.",
      todo: "Choisissez « Ne pas assurer » et remboursez le client dans Shopify.",
    },
    plan_refused: {
      title: "Le service a refusé un contrat",
      why: "Le service d’assurance a refusé de créer le contrat « {{plan}} ». Sa réponse : {{serviceMessage}}",
      todo: "Réessayez une fois la cause corrigée, ou contactez le service d’assurance. Si aucun contrat ne doit être créé, choisissez « Ne pas assurer » et remboursez le client dans Shopify.",
    },
    contract_unclear: {
      title: "Un contrat n’est peut-être pas en vigueur",
      why: "Le service d’assurance n’a pas dit clairement que le contrat « {{plan}} » est actif, et sa liste de contrats n’en montre aucun d’actif. Sa réponse : {{serviceMessage}}",
      todo: "Vérifiez la commande dans votre compte auprès du service d’assurance. « Réessayer » consulte de nouveau la liste et crée le contrat s’il n’existe pas. Si aucun contrat ne doit être créé, choisissez « Ne pas assurer » et remboursez le client dans Shopify.",
    },
    order_refused: {
      title: "Le service a refusé les données de vente d’une commande",
      why: "Les contrats de la commande ne sont pas concernés : elle manque seulement dans les statistiques de vente du service d’assurance. Sa réponse : {{serviceMessage}}",
      todo: "Envoyez-les de nouveau ou ignorez cette tâche.",
    },
    manual_cancellation: {
      title: "Annulez un contrat dans votre compte",
      why: "Le contrat {{contract}} (« {{plan}} ») doit prendre fin alors que d’autres contrats de la commande continuent. Il reste en vigueur tant que vous ne l’annulez pas.",
      todo: "Annulez le contrat {{contract}} dans votre compte auprès du service d’assurance, puis confirmez-le ici. Parasol le vérifie auprès du service.",
    },
    withdrawal: {
      title: "Un client a renoncé à son assurance",
      why: "Le {{declared}}, le client a renoncé à {{plans}}. {{cancellation}}",
      todo: "Remboursez {{premium}} dans Shopify au plus tard le {{refundBy}}. Téléchargez ensuite l’accusé de réception et envoyez-le au client par e-mail : il dit à quoi il a renoncé et quand.",
    },
    surplus_contract: {
      title: "Un contrat de trop",
      why: "Le service d’assurance a le contrat {{contract}} pour cette commande, mais aucun paiement correspondant n’est enregistré.",
      todo: "Examinez-le dans votre compte auprès du service d’assurance. S’il a été créé par erreur, annulez-le là-bas.",
    },
    cancelled_elsewhere: {
      title: "Un contrat a été annulé auprès du service",
      why: "Le contrat {{contract}} (« {{plan}} ») a été annulé auprès du service d’assurance, et non depuis Parasol. Le client l’a payé et n’est plus assuré.",
      todo: "Si c’était voulu, remboursez le client dans Shopify. Sinon, contactez le service d’assurance.",
    },
    premium_kept: {
      title: "Un produit a été repris, son assurance est restée",
      why: "« {{product}} » a été remboursé, retourné ou retiré de la commande : son assurance « {{plan}} » prend fin. Le client l’a payée {{premium}}, et cette ligne de la commande n’est pas remboursée.",
      todo: "Remboursez la ligne d’assurance dans Shopify : une assurance vendue avec un produit prend fin avec lui, sans frais.",
    },
    contract_missing: {
      title: "Un contrat est introuvable auprès du service",
      why: "Le service d’assurance a créé le contrat {{contract}} (« {{plan}} ») mais ne l’affiche plus.",
      todo: "Contactez le service d’assurance au sujet du contrat {{contract}}. Le prochain contrôle des commandes vérifiera de nouveau.",
    },
    order_not_shown: {
      title: "Une commande modifiée est illisible depuis Shopify",
      why: "Cette commande a été remboursée ou modifiée après avoir été assurée. Shopify ne donne aux applications que les commandes des 60 derniers jours, sauf autorisation plus large : Parasol ne voit donc pas tout ce qui a changé.",
      todo: "Examinez la commande dans Shopify. Si un produit assuré ou son assurance a été retourné, annulez le contrat sur la page de la commande dans Parasol.",
    },
    too_many_units: {
      title: "Une commande compte un nombre inhabituel de produits assurés",
      why: "{{limit}} pièces de cette commande sont assurées automatiquement ; {{pieces}} autres ont été commandées. Une telle quantité est rarement voulue.",
      todo: "Vérifiez la commande dans Shopify. Si elle est réelle, faites assurer les pièces restantes par le service d’assurance ; sinon, annulez la commande.",
    },
    unreadable_line: {
      title: "Une ligne d’une commande est illisible",
      why: "Shopify a envoyé la ligne « {{line}} » de cette commande sous une forme inconnue : {{problem}}. Tout le reste de la commande est assuré comme d’habitude.",
      todo: "Examinez la ligne dans Shopify. S’il s’agit d’une assurance, faites-la établir par le service d’assurance ou remboursez le client dans Shopify.",
    },
    unreadable_event: {
      title: "Un événement de la boutique est illisible",
      why: "Shopify a envoyé « {{topic}} » sous une forme inconnue. Il est conservé tel quel. Le contrôle horaire lit de toute façon les commandes de la boutique : aucune commande n’est perdue.",
      todo: "Réessayez après une mise à jour de l’application. Si cela se reproduit, envoyez l’événement au support de l’application.",
    },
    connection: {
      title: "Des assurances payées attendent la connexion",
      why: "Des clients ont payé une assurance, mais les contrats ne peuvent pas être créés : {{problem}}.",
      todo: "Saisissez un jeton d’accès valide dans Paramètres, Connexion. Tout ce qui est en attente sera alors traité automatiquement.",
    },
    customer_data_request: {
      title: "Un client demande ses données",
      why: "Un client demande, par l’intermédiaire de Shopify, quelles données vous conservez à son sujet. Vous devez répondre sous 30 jours.",
      todo: "Téléchargez le fichier, envoyez-le au client, puis clôturez la tâche. Les pages de ces commandes et devis contiennent les mêmes données :",
    },
  },
  action: {
    retry: "Réessayer",
    end: "Ne pas assurer",
    confirm_cancelled: "Confirmer l’annulation",
    keep: "Garder le contrat",
    resend_sales_record: "Envoyer de nouveau",
    reprocess_event: "Lire de nouveau",
    done: "Marquer comme terminée",
    dismiss: "Ignorer",
    reopen: "Rouvrir",
  },
  cancellation: {
    whole:
      "Il ne reste aucune assurance sur la commande : l’annulation de ses contrats est demandée au service d’assurance.",
    part: "D’autres contrats de la commande continuent : des tâches distinctes disent lesquels annuler dans votre compte auprès du service d’assurance.",
    claimsUnknown:
      "Le service d’assurance n’a pas indiqué si un sinistre a été déclaré sur {{plans}} : cette assurance continue donc pour l’instant. Vérifiez d’abord dans votre compte auprès de lui. S’il n’y a pas de sinistre, annulez le contrat sur la page de la commande. S’il y en a un, ne la remboursez pas et prévenez le client.",
  },
  customerData: {
    missing: "Il manque dans la commande : {{fields}}.",
    refused: "Il refuse {{fields}} : « {{serviceMessage}} ».",
  },
  issue: "Émettre le contrat",
  field: {
    email: "e-mail",
    firstName: "prénom",
    lastName: "nom",
    phone: "téléphone",
    address1: "adresse",
    address2: "appartement, étage",
    zip: "code postal",
    city: "ville",
    country: "pays",
  },
  outcome: { done: "Terminée", dismissed: "Ignorée", obsolete: "Résolue automatiquement" },
  problem: {
    refused: "le service d’assurance refuse votre jeton d’accès",
    missing: "aucun compte du service d’assurance n’est connecté",
  },
  order: "Commande {{name}}",
  opened: "Depuis le {{date}}",
  closed: "{{outcome}} le {{date}}",
  supply: "Saisir les informations",
  connect: "Voir la connexion",
  download: "Télécharger les données",
  noOrders:
    "Parasol ne conserve ni commande ni devis de ce client. Indiquez au client que cette application ne détient aucune donnée le concernant.",
  confirm: {
    issue: {
      title: "Émettre le contrat « {{plan}} » de la commande {{order}} ?",
      order: "Émettre le contrat de la commande {{order}} ?",
      body: "Le contrat est créé bien que quelque chose ne corresponde pas. Le client est alors assuré.",
    },
    end: {
      title: "Ne pas assurer « {{plan}} » de la commande {{order}} ?",
      order: "Ne pas assurer la commande {{order}} ?",
      body: "Aucun contrat n’est créé. Le client n’est pas remboursé pour autant : effectuez le remboursement dans Shopify.",
    },
  },
  said: {
    of: "{{subject}} : {{text}}",
    done: {
      issue: "le contrat est en cours d’émission",
      retry: "nouvel essai en cours",
      end: "pas d’assurance, tâche clôturée",
      confirm_cancelled: "annulation confirmée",
      keep: "le contrat continue",
      resend_sales_record: "nouvel envoi en cours",
      reprocess_event: "nouvelle lecture en cours",
      done: "tâche terminée",
      dismiss: "tâche ignorée",
      reopen: "tâche rouverte",
    },
    unknown: "Cette tâche n’existe plus",
    conflict: "Ce n’est plus possible : la situation a changé entre-temps",
    not_cancelled: "Le service d’assurance indique toujours que le contrat est actif. La tâche reste ouverte",
    failed: "Le service d’assurance n’a pas répondu. Rien n’a été modifié. Détail technique : {{reason}}",
  },
  empty: {
    title: "Aucune tâche ouverte",
    body: "Quand un contrat demande votre décision, il apparaît ici avec la raison et la marche à suivre.",
  },
};
