/**
 * Requests the quotes of an order's items from the service, each at most once. The specification names bulk creation
 * but does not show its wrapping, so each quote is one request, in the form that the resource's own fields show.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { InsuranceError, Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { Lead, NewLead } from "#app/insurance/leads.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { saveLead } from "#app/leads/save-lead.server.ts";
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import type { Seller } from "#app/merchants/seller.ts";
import { db } from "#app/platform/db.server.ts";
import { claim, listDue, moveSent } from "./rows.server.ts";
import type { OrderLeadRow } from "./rows.server.ts";

interface LeadRequestContext {
  client: InsuranceClient;
  dataKey: DataKey;
  customer: NewCustomer;
  /** `YYYY-MM-DD` */
  purchaseDate: string;
  /** null: nobody did, the order gets it by itself */
  by: { actor: Actor; seller: Seller } | null;
}

export type LeadRequestResult =
  | { state: "open" }
  | { state: "unknown" }
  /** `serviceMessage` is the service's reason; null: it has no offer */
  | { state: "refused"; serviceMessage: string | null };

/** @throws InsuranceError where nothing was done and later may be better */
export async function requestDueLeads(
  shop: string,
  orderId: string,
  context: Omit<LeadRequestContext, "by">,
): Promise<void> {
  const emailDigest = digest(context.dataKey, context.customer.email);
  for (const due of await listDue(shop, orderId)) {
    const row = await claim(due, emailDigest);
    if (!row) continue;
    try {
      await requestLead(row, { ...context, by: null });
    } catch (error) {
      if (error instanceof InsuranceError) await moveSent(row, { state: "due" });
      throw error;
    }
  }
}

/** Longer addresses do not come through every mail program and proxy. */
const MAX_LINK = 4_000;

/** Whether the customer could do anything with it. */
const hasUse = ({ offers, subscriptionLink: page }: Lead): boolean =>
  offers.length > 0 && isLink(page) && page.length <= MAX_LINK;

/**
 * Requests the quote of a row in state `sending`.
 * @throws InsuranceError where nothing was done; the row stays in that state
 */
export async function requestLead(
  row: OrderLeadRow,
  { client, dataKey, customer, purchaseDate, by }: LeadRequestContext,
): Promise<LeadRequestResult> {
  const request: NewLead = {
    purchaseDate,
    categoryId: row.categoryId,
    customer,
    variant: {
      referenceId: row.variantId,
      title: row.productTitle,
      priceMinor: row.priceMinor,
      currencyCode: row.currency,
    },
    ...(by ? { seller: by.seller } : {}),
  };
  let lead: Lead;
  try {
    lead = await client.leads.create(request);
  } catch (error) {
    if (error instanceof UnknownOutcome) {
      await moveSent(row, { state: "unknown" });
      return { state: "unknown" };
    }
    if (error instanceof Rejected) {
      await moveSent(row, { state: "refused", reason: "refused_by_service" });
      return { state: "refused", serviceMessage: error.serviceMessage };
    }
    throw error;
  }
  const { shop, environment } = row;
  await db.$transaction(async (tx) => {
    await saveLead(tx, dataKey, shop, environment, request, lead);
    if (by) {
      const entry = { shop, actor: by.actor, action: "lead_created", subject: lead.id } as const;
      await recordAudit(entry, tx);
    }
    await moveSent(
      row,
      {
        ...(hasUse(lead) ? { state: "open" } : { state: "refused", reason: "no_offer" }),
        leadId: lead.id,
        expiresOn: lead.expirationDate,
        madeAt: new Date(),
      },
      tx,
    );
  });
  return hasUse(lead) ? { state: "open" } : { state: "refused", serviceMessage: null };
}
