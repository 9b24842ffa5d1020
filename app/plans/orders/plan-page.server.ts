/** One plan, as the ledger and the service have it. */
import { findBillings } from "#app/catalogue/references/look-up.server.ts";
import { NotFound } from "#app/insurance/errors.ts";
import type { Billing } from "#app/insurance/fields.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { callService } from "#app/merchants/insurance-connection.server.ts";
import type { ServiceResult } from "#app/merchants/insurance-connection.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { listedUnit } from "./order-list.server.ts";
import type { ListedUnit } from "./order-list.server.ts";

export interface PlanView {
  planId: string;
  /** null: it was not made for an order that is known here */
  known: {
    orderId: string;
    orderName: string;
    unit: ListedUnit;
    /** null: its reference is not known any more */
    billing: Billing | null;
  } | null;
  /** the service's answer; null in it: the service does not know the plan */
  service: ServiceResult<Plan | null>;
}

/** Null: neither this shop's ledger nor its account at the service knows such a plan. */
export async function readPlanView(shop: string, planId: string): Promise<PlanView | null> {
  const row = await db.insuredUnit.findFirst({
    where: { shop, contractId: planId },
    include: { order: { select: { name: true, environment: true } } },
  });
  const service = await callService(
    shop,
    ({ client }) => nullIfNotFound(client.plans.get(planId)),
    row ? environment.parse(row.order.environment) : undefined,
  );
  if (row) {
    const unit = listedUnit.parse(row);
    const account = environment.parse(row.order.environment);
    const billings = await findBillings(shop, account, [unit.offerReferenceId]);
    const billing = billings.get(unit.offerReferenceId) ?? null;
    const known = { orderId: row.orderId, orderName: row.order.name, unit, billing };
    return { planId, known, service };
  }
  return service.state === "answered" && service.value === null ? null : { planId, known: null, service };
}

async function nullIfNotFound(request: Promise<Plan>): Promise<Plan | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}
