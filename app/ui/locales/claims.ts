export const en = {
  title: "Claims",
  subtitle: "Claims your customers filed with the insurance service",
  search: "Claim, contract or customer",
  approval: { label: "Decision", pending: "Pending", approved: "Approved", refused: "Refused" },
  stage: { label: "Progress", open: "Open", closed: "Closed" },
  status: {
    pending_repairs: "Waiting for repair",
    pending_replacement: "Waiting for replacement",
  },
  type: { theft: "Theft", breakage: "Breakage", breakdown: "Breakdown", oxidation: "Oxidation" },
  column: {
    claim: "Claim",
    plan: "Contract",
    customer: "Customer",
    approval: "Decision",
    status: "Progress",
    filed: "Filed",
    amount: "Compensation",
  },
  closedOn: "Closed on {{date}}",
  empty: {
    title: "No claims yet",
    body: "When a customer reports damage, theft or a breakdown to the insurance service, the claim appears here.",
  },
};

export const fr: typeof en = {
  title: "Sinistres",
  subtitle: "Ce que vos clients ont déclaré au service d’assurance",
  search: "Sinistre, contrat, client",
  approval: { label: "Décision", pending: "En attente", approved: "Accepté", refused: "Refusé" },
  stage: { label: "Avancement", open: "Ouvert", closed: "Clos" },
  status: {
    pending_repairs: "En attente de réparation",
    pending_replacement: "En attente de remplacement",
  },
  type: { theft: "Vol", breakage: "Casse", breakdown: "Panne", oxidation: "Oxydation" },
  column: {
    claim: "Sinistre",
    plan: "Contrat",
    customer: "Client",
    approval: "Décision",
    status: "Avancement",
    filed: "Déclaré le",
    amount: "Indemnisation",
  },
  closedOn: "Clos le {{date}}",
  empty: {
    title: "Aucun sinistre",
    body: "Lorsqu’un client déclare une casse, un vol ou une panne au service d’assurance, le sinistre apparaît ici.",
  },
};
