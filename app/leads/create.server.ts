/** Creates a lead at the service and saves it. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { findCategorisedVariants } from "#app/catalogue/references/look-up.server.ts";
import { Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import type { Lead, NewLead } from "#app/insurance/lead.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { callService } from "#app/merchants/insurance-connection.server.ts";
import type { ServiceResult } from "#app/merchants/insurance-connection.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readPhone } from "#app/plans/ledger/customer.ts";
import { sealLeadCustomer } from "./sealed-customer.server.ts";
import type { LeadForm, LeadFormProblems } from "./lead-form.ts";
import { variantName } from "#app/shopify/variant-name.ts";

export type CreateLeadResult =
  | { state: "created"; leadId: string }
  | { state: "invalid"; problems: LeadFormProblems }
  /** the product is not known (yet), or it is in no insurance category */
  | { state: "unknown_product" | "uninsured_product" }
  /** the service refused it, with its reason */
  | { state: "rejected"; serviceMessage: string }
  /** the lead may exist: creating it again may make a second one */
  | { state: "unknown_outcome"; reason: string }
  | Exclude<ServiceResult<unknown>, { state: "answered" }>;

export async function createLead(
  merchant: Merchant,
  form: LeadForm,
  actor: Actor,
): Promise<CreateLeadResult> {
  const { shop } = merchant;
  const phone = readPhone(form.phone, form.country);
  if (phone === null) return { state: "invalid", problems: { phone: "phone" } };
  const [variant] = await findCategorisedVariants(shop, [form.variantId]);
  if (!variant) return { state: "unknown_product" };
  if (variant.categoryId === null) return { state: "uninsured_product" };
  const title = variantName(variant.productTitle, variant.title);
  const request: NewLead = {
    purchaseDate: form.purchaseDate,
    categoryId: variant.categoryId,
    ...(form.chargedBy === "merchant" ? { chargedBy: "merchant" } : {}),
    customer: {
      email: form.email,
      firstName: form.firstName,
      lastName: form.lastName,
      phone,
      birthDate: form.birthDate,
      address: {
        address1: form.address1,
        address2: form.address2,
        zipCode: form.zip,
        city: form.city,
        country: form.country,
      },
    },
    variant: {
      referenceId: variant.variantId,
      title,
      priceMinor: variant.priceMinor,
      currencyCode: merchant.currency,
    },
    ...(form.sellerFirstName !== null && form.sellerLastName !== null
      ? { seller: { firstName: form.sellerFirstName, lastName: form.sellerLastName } }
      : {}),
  };
  // Before the transaction, which holds the embedded database's only connection.
  const dataKey = await dataKeyOf(shop);
  const result = await callService(shop, async ({ client, environment }): Promise<CreateLeadResult> => {
    try {
      const lead = await client.leads.create(request);
      await db.$transaction(async (transaction) => {
        await saveLead(transaction, dataKey, shop, environment, request, lead);
        await recordAudit({ shop, actor, action: "lead_created", subject: lead.id }, transaction);
      });
      return { state: "created", leadId: lead.id };
    } catch (error) {
      if (error instanceof Rejected) return { state: "rejected", serviceMessage: error.serviceMessage };
      if (error instanceof UnknownOutcome) return { state: "unknown_outcome", reason: error.message };
      throw error;
    }
  });
  return result.state === "answered" ? result.value : result;
}

async function saveLead(
  transaction: Transaction,
  dataKey: DataKey,
  shop: string,
  environment: Environment,
  { customer, seller, variant }: NewLead,
  lead: Lead,
) {
  const row = {
    status: lead.status,
    purchasedOn: lead.purchase_date.slice(0, 10),
    expiresOn: lead.expiration_date,
    categoryId: lead.category_id,
    variantId: variant.referenceId,
    productTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currencyCode,
    chargedBy: lead.charged_by,
    ...sealLeadCustomer(dataKey, {
      customerName: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
      customerEmail: customer.email.toLowerCase(),
      subscriptionLink: lead.subscription_link,
      signatureLink: lead.signature_link,
    }),
    sellerName: seller ? `${seller.firstName} ${seller.lastName}` : null,
    offers: lead.offers,
  };
  const key = { shop, environment, leadId: lead.id };
  await transaction.lead.upsert({
    where: { shop_environment_leadId: key },
    create: { ...key, ...row },
    update: row,
  });
}
