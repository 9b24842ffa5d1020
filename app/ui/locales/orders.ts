import type { PlanChoice } from "#app/plans/order-filter.ts";

const choices: Record<PlanChoice, string> = {
  insured: "With a plan",
  active: "Active",
  under_way: "Under way",
  attention: "Need you",
  cancelled: "Cancelled",
  none: "Without a plan",
};

export const en = {
  title: "Orders and plans",
  subtitle: "Every paid order that Parasol knows, and the plans it became",
  search: "Order, customer’s e-mail or plan",
  list: "Orders",
  filter: { plans: "Plans", choice: choices },
  column: {
    order: "Order",
    date: "Purchased",
    customer: "Customer",
    plan: "Plan",
    contract: "Contract",
    state: "State",
    premium: "Paid for the plan",
  },
  noPlan: "No plan",
  notYet: "No contract yet",
  more_one: "and {{count}} more plan",
  more_other: "and {{count}} more plans",
  cancelled: "Order cancelled",
  test: "Test",
  empty: {
    title: "No orders yet",
    body: "When an order is paid, it appears here with its plans within moments. Orders from before Parasol was installed can be brought in under Jobs.",
  },
};

export const fr: typeof en = {
  title: "Commandes et contrats",
  subtitle: "Chaque commande payée que Parasol connaît, et les contrats qui en sont issus",
  search: "Commande, e-mail du client ou contrat",
  list: "Commandes",
  filter: {
    plans: "Contrats",
    choice: {
      insured: "Avec un contrat",
      active: "Actifs",
      under_way: "En cours",
      attention: "À traiter",
      cancelled: "Annulés",
      none: "Sans contrat",
    },
  },
  column: {
    order: "Commande",
    date: "Achat",
    customer: "Client",
    plan: "Contrat",
    contract: "Numéro",
    state: "État",
    premium: "Payé pour le contrat",
  },
  noPlan: "Sans contrat",
  notYet: "Pas encore de numéro",
  more_one: "et {{count}} autre contrat",
  more_other: "et {{count}} autres contrats",
  cancelled: "Commande annulée",
  test: "Test",
  empty: {
    title: "Aucune commande",
    body: "Dès qu’une commande est payée, elle apparaît ici avec ses contrats. Les commandes antérieures à l’installation de Parasol peuvent être reprises dans Tâches de fond.",
  },
};
