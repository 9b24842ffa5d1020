/** Stores a lead that the service has made. */
import type { Lead, NewLead } from "#app/insurance/leads.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { sealLeadCustomer } from "./sealed-customer.server.ts";

export async function saveLead(
  tx: Transaction,
  dataKey: DataKey,
  shop: string,
  environment: Environment,
  { customer, seller, variant }: NewLead,
  lead: Lead,
) {
  const row = {
    status: lead.status,
    purchasedOn: lead.purchaseDate.slice(0, 10),
    expiresOn: lead.expirationDate,
    categoryId: lead.categoryId,
    variantId: variant.referenceId,
    productTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currencyCode,
    chargedBy: lead.chargedBy,
    ...sealLeadCustomer(dataKey, {
      customerName: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
      customerEmail: customer.email.toLowerCase(),
      subscriptionLink: lead.subscriptionLink,
      signatureLink: lead.signatureLink,
    }),
    sellerName: seller ? `${seller.firstName} ${seller.lastName}` : null,
    offers: lead.offers,
  };
  const key = { shop, environment, leadId: lead.id };
  await tx.lead.upsert({
    where: { shop_environment_leadId: key },
    create: { ...key, ...row },
    update: row,
  });
}
