import { category } from "#app/insurance/categories.ts";
import { db } from "#app/platform/db.server.ts";

/** Gives every category of the shop's references these texts and legal documents. */
export async function describeCategories(
  shop: string,
  modal: { headline?: string; bulletPoints?: string[]; legalText?: string },
  legal: { conditionsUrl: string; ipidUrl: string },
): Promise<void> {
  const references = await db.reference.findMany({ where: { shop }, distinct: ["categoryId"] });
  const { marketing } = category.parse({ id: "", marketing: { modal }, legal });
  await db.category.deleteMany({ where: { shop } });
  await db.category.createMany({
    data: references.map(({ environment, categoryId }) => ({
      shop,
      environment,
      categoryId,
      marketing,
      legal,
    })),
  });
}
