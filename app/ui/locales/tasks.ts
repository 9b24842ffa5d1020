import type { CustomerField } from "#app/plans/ledger/customer.ts";
import type { TaskAction } from "#app/plans/tasks/task-view.ts";
import type { TaskKind, TaskOutcome } from "#app/plans/tasks/tasks.ts";

/** What a kind of task is called in the list, why it is there, and what to do about it. */
type Kinds = Record<TaskKind, { title: string; why: string; todo: string }>;

const kinds: Kinds = {
  check_plan: {
    title: "A paid plan does not fit",
    why: "{{finding}}. The customer paid {{premium}} for “{{plan}}”; no contract was created yet.",
    todo: "Look at the order. Issue the plan if you want to honour it all the same. If not, do not insure it and refund the customer in Shopify.",
  },
  customer_data: {
    title: "Customer details are missing",
    why: "The insurance service needs to know whom it insures, and the order does not say: {{fields}}. The plans of this order wait for it.",
    todo: "Ask the customer and enter what is missing on the order’s page. If the customer does not want the insurance, do not insure it and refund the customer in Shopify.",
  },
  customer_erased: {
    title: "Customer details were deleted",
    why: "The customer’s personal data had to be deleted before the contract for “{{plan}}” was created, so it cannot be created.",
    todo: "Refund the customer in Shopify and end the insurance here.",
  },
  plan_refused: {
    title: "The service refused a plan",
    why: "The insurance service refused to create the contract for “{{plan}}”. It said: {{words}}",
    todo: "Try again if the reason has gone, or ask the insurance service. If there is to be no contract, do not insure it and refund the customer in Shopify.",
  },
  order_refused: {
    title: "The service refused an order’s sales data",
    why: "The plans of the order are not affected; it is only missing in the sales statistics of the insurance service. It said: {{words}}",
    todo: "Send it again, or leave it.",
  },
  cancel_by_hand: {
    title: "Cancel one contract at the service",
    why: "Contract {{contract}} (“{{plan}}”) has to end while other contracts of the order stay. The insurance service can only cancel whole orders through its interface.",
    todo: "Cancel contract {{contract}} in your account at the insurance service, then say so here. The service is asked whether it is cancelled.",
  },
  surplus_contract: {
    title: "A contract too many",
    why: "The insurance service has contract {{contract}} for this order, and nobody paid for it here.",
    todo: "Look at it in your account at the insurance service. If it was made by mistake, cancel it there.",
  },
  cancelled_elsewhere: {
    title: "A contract was cancelled at the service",
    why: "Contract {{contract}} (“{{plan}}”) was cancelled at the insurance service, not from here. The customer paid for it and is not insured any more.",
    todo: "If that was intended, refund the customer in Shopify. If not, ask the insurance service.",
  },
  contract_missing: {
    title: "The service does not show a contract",
    why: "The insurance service created contract {{contract}} (“{{plan}}”) and does not show it any more.",
    todo: "Ask the insurance service for contract {{contract}}. The next reconciliation looks again.",
  },
  order_not_shown: {
    title: "Shopify does not show an order that changed",
    why: "This order was refunded or edited after it was insured. Shopify shows apps the orders of the last 60 days unless it allowed more, so what is left of this one is not known here.",
    todo: "Look at the order in Shopify. If an insured product or its insurance was given back, end that plan on the order’s page here.",
  },
  unreadable_event: {
    title: "An event of the shop could not be read",
    why: "Shopify sent “{{topic}}” in a form that is not known. It is kept as it came. The hourly reconciliation reads the shop’s orders anyway, so no order is lost.",
    todo: "Try again after an update of the app. If it happens again, send the event to the app’s support.",
  },
  connection: {
    title: "Paid plans wait for the connection",
    why: "Customers have paid for plans that cannot be created: {{problem}}.",
    todo: "Enter a valid access token under Connection. Everything that waits is then processed automatically.",
  },
  customer_data_request: {
    title: "A customer asked for their data",
    why: "Through Shopify, a customer asked what is kept about them. You have to answer within 30 days.",
    todo: "Download the file, send it to the customer, and close the task. The pages of these orders and leads hold the same data:",
  },
};
const actions: Record<TaskAction, string> = {
  retry: "Try again",
  end: "Do not insure",
  confirm_cancelled: "It is cancelled",
  record_again: "Send again",
  read_again: "Read it again",
  done: "Done",
  dismiss: "Leave it",
  reopen: "Open again",
};
const fields: Record<CustomerField, string> = {
  email: "e-mail",
  firstName: "first name",
  lastName: "last name",
  phone: "telephone number",
  address1: "street and number",
  address2: "address, second line",
  zip: "postcode",
  city: "city",
  country: "country",
};
const outcomes: Record<TaskOutcome, string> = {
  done: "Done",
  dismissed: "Left as it was",
  gone: "Settled by itself",
};

export const en = {
  title: "Tasks",
  subtitle: "What needs a person: nothing here is lost, and nothing is done without you",
  list: "Tasks",
  search: "Order",
  filter: {
    state: { label: "State", open: "Open", closed: "Closed" },
    kind: "Kind",
  },
  kind: kinds,
  action: actions,
  issue: "Issue the plan",
  field: fields,
  outcome: outcomes,
  problem: {
    refused: "the insurance service refuses your access token",
    missing: "no account of the insurance service is connected",
  },
  order: "Order {{name}}",
  opened: "Since {{date}}",
  closed: "{{outcome}} on {{date}}",
  supply: "Enter the details",
  connect: "Open Connection",
  download: "Download the data",
  noOrders:
    "No order and no lead of this customer is kept here. Tell the customer that this app keeps nothing about them.",
  showEvent: "Show what was received",
  confirm: {
    issue: {
      title: "Issue this plan?",
      body: "The contract is created although something about it does not fit. The customer is insured from then on.",
    },
    end: {
      title: "Do not insure?",
      body: "No contract is created. The money is not given back by this: refund the customer in Shopify.",
    },
  },
  said: {
    done: "Done",
    unknown: "There is no such task any more",
    not_now: "That is not possible any more: it changed meanwhile",
    not_cancelled: "The insurance service still shows the contract in force. The task stays open",
    failed: "The insurance service did not answer; nothing was changed. It said: {{reason}}",
  },
  empty: {
    title: "Nothing needs you",
    body: "When something about a plan cannot be decided without you, it appears here, with the reason and what to do.",
  },
};

export const fr: typeof en = {
  title: "Tâches",
  subtitle: "Ce qui demande une personne : rien n’est perdu, et rien n’est fait sans vous",
  list: "Tâches",
  search: "Commande",
  filter: {
    state: { label: "État", open: "Ouvertes", closed: "Closes" },
    kind: "Nature",
  },
  kind: {
    check_plan: {
      title: "Un contrat payé ne correspond pas",
      why: "{{finding}}. Le client a payé {{premium}} pour « {{plan}} » ; aucun contrat n’a encore été créé.",
      todo: "Examinez la commande. Émettez le contrat si vous voulez l’honorer malgré tout. Sinon, n’assurez pas et remboursez le client dans Shopify.",
    },
    customer_data: {
      title: "Il manque des informations sur le client",
      why: "Le service d’assurance doit savoir qui il assure, et la commande ne le dit pas : {{fields}}. Les contrats de cette commande attendent.",
      todo: "Demandez au client et saisissez ce qui manque sur la page de la commande. Si le client ne veut pas de l’assurance, n’assurez pas et remboursez-le dans Shopify.",
    },
    customer_erased: {
      title: "Les données du client ont été supprimées",
      why: "Les données personnelles du client ont dû être supprimées avant la création du contrat « {{plan}} » ; il ne peut donc pas être créé.",
      todo: "Remboursez le client dans Shopify et mettez fin à l’assurance ici.",
    },
    plan_refused: {
      title: "Le service a refusé un contrat",
      why: "Le service d’assurance a refusé de créer le contrat « {{plan}} ». Sa réponse : {{words}}",
      todo: "Réessayez si la raison a disparu, ou demandez au service d’assurance. S’il ne doit pas y avoir de contrat, n’assurez pas et remboursez le client dans Shopify.",
    },
    order_refused: {
      title: "Le service a refusé les données de vente d’une commande",
      why: "Les contrats de la commande ne sont pas concernés ; elle manque seulement dans les statistiques de vente du service d’assurance. Sa réponse : {{words}}",
      todo: "Envoyez-les de nouveau, ou laissez.",
    },
    cancel_by_hand: {
      title: "Annulez un contrat auprès du service",
      why: "Le contrat {{contract}} (« {{plan}} ») doit prendre fin alors que d’autres contrats de la commande restent. L’interface du service d’assurance n’annule que des commandes entières.",
      todo: "Annulez le contrat {{contract}} dans votre compte auprès du service d’assurance, puis indiquez-le ici. Le service est interrogé pour le vérifier.",
    },
    surplus_contract: {
      title: "Un contrat de trop",
      why: "Le service d’assurance a le contrat {{contract}} pour cette commande, et personne ne l’a payé ici.",
      todo: "Examinez-le dans votre compte auprès du service d’assurance. S’il a été créé par erreur, annulez-le là-bas.",
    },
    cancelled_elsewhere: {
      title: "Un contrat a été annulé auprès du service",
      why: "Le contrat {{contract}} (« {{plan}} ») a été annulé auprès du service d’assurance, pas d’ici. Le client l’a payé et n’est plus assuré.",
      todo: "Si c’était voulu, remboursez le client dans Shopify. Sinon, demandez au service d’assurance.",
    },
    contract_missing: {
      title: "Le service ne montre pas un contrat",
      why: "Le service d’assurance a créé le contrat {{contract}} (« {{plan}} ») et ne le montre plus.",
      todo: "Demandez le contrat {{contract}} au service d’assurance. Le prochain rapprochement vérifie de nouveau.",
    },
    order_not_shown: {
      title: "Shopify ne montre pas une commande modifiée",
      why: "Cette commande a été remboursée ou modifiée après avoir été assurée. Shopify montre aux applications les commandes des 60 derniers jours, sauf autorisation plus large : ce qu’il en reste n’est donc pas connu ici.",
      todo: "Examinez la commande dans Shopify. Si un produit assuré ou son assurance a été rendu, mettez fin au contrat sur la page de la commande, ici.",
    },
    unreadable_event: {
      title: "Un événement de la boutique est illisible",
      why: "Shopify a envoyé « {{topic}} » sous une forme inconnue. Il est conservé tel quel. Le rapprochement horaire lit de toute façon les commandes de la boutique : aucune commande n’est perdue.",
      todo: "Réessayez après une mise à jour de l’application. Si cela se reproduit, envoyez l’événement au support de l’application.",
    },
    connection: {
      title: "Des contrats payés attendent la connexion",
      why: "Des clients ont payé des contrats qui ne peuvent pas être créés : {{problem}}.",
      todo: "Saisissez un jeton d’accès valide dans Connexion. Tout ce qui attend sera alors traité sans autre action.",
    },
    customer_data_request: {
      title: "Un client demande ses données",
      why: "Par l’intermédiaire de Shopify, un client demande ce qui est conservé sur lui. Vous devez répondre sous 30 jours.",
      todo: "Téléchargez le fichier, envoyez-le au client, puis terminez la tâche. Les pages de ces commandes et devis contiennent les mêmes données :",
    },
  },
  action: {
    retry: "Réessayer",
    end: "Ne pas assurer",
    confirm_cancelled: "C’est annulé",
    record_again: "Envoyer de nouveau",
    read_again: "Lire de nouveau",
    done: "Terminé",
    dismiss: "Laisser",
    reopen: "Rouvrir",
  },
  issue: "Émettre le contrat",
  field: {
    email: "e-mail",
    firstName: "prénom",
    lastName: "nom",
    phone: "téléphone",
    address1: "numéro et rue",
    address2: "complément d’adresse",
    zip: "code postal",
    city: "ville",
    country: "pays",
  },
  outcome: { done: "Terminé", dismissed: "Laissé tel quel", gone: "Réglé de soi-même" },
  problem: {
    refused: "le service d’assurance refuse votre jeton d’accès",
    missing: "aucun compte du service d’assurance n’est connecté",
  },
  order: "Commande {{name}}",
  opened: "Depuis le {{date}}",
  closed: "{{outcome}} le {{date}}",
  supply: "Saisir les informations",
  connect: "Ouvrir Connexion",
  download: "Télécharger les données",
  noOrders:
    "Aucune commande et aucun devis de ce client n’est conservé ici. Dites au client que cette application ne conserve rien sur lui.",
  showEvent: "Afficher ce qui a été reçu",
  confirm: {
    issue: {
      title: "Émettre ce contrat ?",
      body: "Le contrat est créé bien que quelque chose ne corresponde pas. Le client est alors assuré.",
    },
    end: {
      title: "Ne pas assurer ?",
      body: "Aucun contrat n’est créé. L’argent n’est pas rendu pour autant : remboursez le client dans Shopify.",
    },
  },
  said: {
    done: "C’est fait",
    unknown: "Cette tâche n’existe plus",
    not_now: "Ce n’est plus possible : la situation a changé entre-temps",
    not_cancelled: "Le service d’assurance montre toujours le contrat en vigueur. La tâche reste ouverte",
    failed: "Le service d’assurance n’a pas répondu ; rien n’a été modifié. Détail : {{reason}}",
  },
  empty: {
    title: "Rien ne vous attend",
    body: "Quand quelque chose ne peut être décidé sans vous à propos d’un contrat, cela apparaît ici, avec la raison et ce qu’il faut faire.",
  },
};
