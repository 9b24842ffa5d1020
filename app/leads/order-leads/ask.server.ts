/**
 * Asks the service for the quotes of an order's pieces, each at most once. The specification names bulk creation and does
 * not show its wrapping, so that each goes by itself, in the form that the resource's own fields show.
 */
import { isLink } from "#app/catalogue/references/reference.ts";
import { InsuranceError, Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import type { InsuranceClient } from "#app/insurance/client.server.ts";
import type { Lead, NewLead } from "#app/insurance/lead.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { saveLead } from "#app/leads/save-lead.server.ts";
import { digest } from "#app/merchants/data-key.server.ts";
import type { DataKey } from "#app/merchants/data-key.server.ts";
import { db } from "#app/platform/db.server.ts";
import { claim, listDue, moveSent } from "./rows.server.ts";
import type { OrderLeadRow } from "./rows.server.ts";

interface Asked {
  client: InsuranceClient;
  dataKey: DataKey;
  customer: NewCustomer;
  /** `YYYY-MM-DD` */
  purchaseDate: string;
}

/** @throws InsuranceError where nothing was done and later may be better */
export async function askForDue(shop: string, orderId: string, asked: Asked): Promise<void> {
  const emailDigest = digest(asked.dataKey, asked.customer.email);
  for (const due of await listDue(shop, orderId)) {
    const row = await claim(due, emailDigest);
    if (row) await ask(row, asked);
  }
}

/** Longer addresses do not come through every mail program and proxy. */
const MAX_LINK = 4_000;

/** Whether the customer could do anything with it. */
const hasUse = ({ offers, subscription_link: page }: Lead): boolean =>
  offers.length > 0 && isLink(page) && page.length <= MAX_LINK;

async function ask(row: OrderLeadRow, { client, dataKey, customer, purchaseDate }: Asked): Promise<void> {
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
  };
  let lead: Lead;
  try {
    lead = await client.leads.create(request);
  } catch (error) {
    if (!(error instanceof InsuranceError)) throw error;
    if (error instanceof UnknownOutcome) {
      await moveSent(row, { state: "unknown" });
      return;
    }
    if (error instanceof Rejected) {
      await moveSent(row, { state: "refused", reason: "refused_by_service" });
      return;
    }
    await moveSent(row, { state: "due" });
    throw error;
  }
  const { shop, environment } = row;
  await db.$transaction(async (transaction) => {
    await saveLead(transaction, dataKey, shop, environment, request, lead);
    await moveSent(
      row,
      {
        ...(hasUse(lead) ? { state: "open" } : { state: "refused", reason: "no_offer" }),
        leadId: lead.id,
        expiresOn: lead.expiration_date,
        madeAt: new Date(),
      },
      transaction,
    );
  });
}
