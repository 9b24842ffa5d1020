/** `npm run operate -- explain SHOP ORDER`: why an order has no contract, in words. */
import { createInstance } from "i18next";
import { messagesFor } from "#app/locales/index.server.ts";
import { explainStoredOrder } from "#app/orders/admin/explain-order.server.ts";
import { db } from "#app/platform/db.server.ts";

export interface ExplainedPlan {
  plan: string | null;
  product: string | null;
  why: string;
  /** what a person has to do; null: nothing */
  task: string | null;
}

/** @param order its id or its name, with or without `#`. @returns null: there is no such order */
export async function explainInWords(shop: string, order: string): Promise<ExplainedPlan[] | null> {
  const stored = await db.order.findFirst({
    where: { shop, OR: [{ orderId: order }, { name: { in: [order, `#${order}`] } }] },
    select: { orderId: true },
  });
  const explanations = stored && (await explainStoredOrder(shop, stored.orderId));
  if (!explanations) return null;
  const { orders, tasks } = messagesFor("en");
  const i18n = createInstance();
  await i18n.init({
    lng: "en",
    resources: { en: { orders, tasks } },
    interpolation: { escapeValue: false },
  });
  return explanations.map(({ plan, product, why, contractId, until, task }) => ({
    plan,
    product,
    why: i18n.t(`orders:why.${why}`, { contract: contractId ?? "", until: until?.toISOString() ?? "" }),
    task: task && i18n.t(`tasks:kind.${task}.title`),
  }));
}
