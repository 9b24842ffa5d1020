/** The requests to the insurance service, from what is kept of an order. */
import type { NewOrder } from "#app/insurance/orders.ts";
import type { NewPlan } from "#app/insurance/plans.ts";
import { toNewCustomer } from "#app/plans/ledger/customer.ts";
import type { CustomerField, InsuredCustomer } from "#app/plans/ledger/customer.ts";
import { missingFields } from "#app/plans/ledger/customer.ts";
import type { Reason } from "#app/plans/ledger/reasons.ts";

export interface UnitToCreate {
  offerReferenceId: string;
  insuredVariantId: string | null;
  insuredTitle: string | null;
  insuredPriceMinor: number | null;
  insuredCurrency: string | null;
}

export type NewPlanResult =
  { ok: true; plan: NewPlan } | { ok: false; reason: Reason; missing: CustomerField[] };

/**
 * The plan of a unit (spec, "Endpoints" note 2, single form), or what the order lacks for it.
 * @param needsPhone the service refuses contracts without a phone number
 */
export function toNewPlan(
  orderId: string,
  unit: UnitToCreate,
  customer: InsuredCustomer | null,
  needsPhone: boolean,
): NewPlanResult {
  if (customer === null) return { ok: false, reason: "customer_erased", missing: [] };
  const insured = toNewCustomer(customer, needsPhone);
  if (insured === null)
    return { ok: false, reason: "missing_customer_data", missing: missingFields(customer, needsPhone) };
  const { insuredVariantId, insuredTitle, insuredPriceMinor, insuredCurrency } = unit;
  if (insuredVariantId === null || insuredPriceMinor === null || insuredCurrency === null) {
    return { ok: false, reason: "no_insured_line", missing: [] };
  }
  return {
    ok: true,
    plan: {
      offerReferenceId: unit.offerReferenceId,
      orderReferenceId: orderId,
      variant: {
        referenceId: insuredVariantId,
        priceMinor: insuredPriceMinor,
        currencyCode: insuredCurrency,
        title: insuredTitle ?? "",
      },
      customer: insured,
    },
  };
}

export interface SalesRecord {
  orderId: string;
  purchasedAt: Date;
  paymentMethod: string;
  salesChannel: string;
  lines: {
    variantId: string | null;
    productId: string | null;
    lineId: string;
    priceMinor: number;
    currency: string;
    categoryId: string;
    insuranceOffered: boolean;
    insuranceSelected: boolean;
  }[];
}

/** The order as sales data (spec, "Order"). A line without a variant (a custom one) is known by its own id. */
export function toNewOrder(order: SalesRecord): NewOrder {
  return {
    orderReferenceId: order.orderId,
    purchasedAt: order.purchasedAt,
    paymentMethod: order.paymentMethod,
    salesChannel: order.salesChannel,
    lineItems: order.lines.map((line) => ({
      referenceId: line.variantId ?? line.lineId,
      priceMinor: line.priceMinor,
      currencyCode: line.currency,
      categoryId: line.categoryId,
      insuranceOffered: line.insuranceOffered,
      insuranceSelected: line.insuranceSelected,
    })),
  };
}
