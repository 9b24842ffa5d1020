/** Creates a lead at the service and saves it. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { findCategorisedVariants } from "#app/catalogue/references/look-up.server.ts";
import { Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import type { NewLead } from "#app/insurance/leads.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import {
  callService,
  type InsuranceConnection,
  type ServiceResult,
} from "#app/merchants/insurance-connection.server.ts";
import { listMarketStores } from "#app/merchants/market-stores.server.ts";
import { storeFor } from "#app/merchants/market-stores.ts";
import { db } from "#app/platform/db.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readPhone } from "#app/plans/ledger/customer.ts";
import { refusalOf } from "../../extensions/sale-rule.ts";
import { saveLead } from "./leads.server.ts";
import { productAgeDays } from "./leads.ts";
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
  const refusal = refusalOf(await readSaleRule(shop), {
    delivery: { country: form.country, postcode: form.zip },
    ageDays: productAgeDays(form.purchaseDate, toLocalDay(merchant.timezone, new Date())),
  });
  if (refusal === "country") return { state: "invalid", problems: { country: "not_sold_there" } };
  if (refusal === "product_age") return { state: "invalid", problems: { purchaseDate: "too_old" } };
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
  const { environment } = merchant;
  const place = { country: form.country, postcode: form.zip };
  const storeId = storeFor(await listMarketStores(shop, environment), place);
  const create = async ({ client }: InsuranceConnection): Promise<CreateLeadResult> => {
    try {
      const lead = await client.leads.create(request);
      await db.$transaction(async (tx) => {
        await saveLead(tx, dataKey, shop, environment, request, lead);
        await recordAudit({ shop, actor, action: "lead_created", subject: lead.id }, tx);
      });
      return { state: "created", leadId: lead.id };
    } catch (error) {
      if (error instanceof Rejected) return { state: "rejected", serviceMessage: error.serviceMessage };
      if (error instanceof UnknownOutcome) return { state: "unknown_outcome", reason: error.message };
      throw error;
    }
  };
  const result = await callService(shop, create, environment, storeId);
  return result.state === "answered" ? result.value : result;
}
