/** The merchant's view of the catalogue: the references beside the shop's variants. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { keysetClause, type KeyColumn } from "#app/platform/keyset.server.ts";
import { keyText, type KeyValue, readKeyset, type SortKey } from "#app/platform/keyset.ts";
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import {
  type CategoryCounts,
  type ListedReference,
  type ReferenceChoices,
  type ReferenceSort,
  referenceSorts,
  type ReferenceState,
  referenceStates,
} from "./reference-list.ts";

const bandText = /^(\d{1,10})-(\d{1,10})$/;

/** From the URL; an invalid value is no filter. */
export const referenceFilter = z.object({
  /** in the reference's id, its title or its contract's id */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  category: z.string().min(1).nullable().catch(null),
  /** months */
  term: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .nullable()
    .catch(null),
  /** `lowest-highest`, minor units */
  band: z
    .string()
    .regex(bandText)
    .transform((text) => {
      const [, min, max] = bandText.exec(text) ?? [];
      return { minMinor: Number(min), maxMinor: Number(max) };
    })
    .nullable()
    .catch(null),
  state: z.enum(referenceStates).nullable().catch(null),
  sort: z.enum(referenceSorts).nullable().catch(null),
});
type ReferenceFilter = z.infer<typeof referenceFilter>;

const rows = z.array(
  z.object({
    referenceId: z.string(),
    title: z.string(),
    categoryId: z.string(),
    formula: z.string().nullable(),
    termMonths: z.number(),
    billing,
    bandMinMinor: z.number(),
    bandMaxMinor: z.number(),
    priceMinor: z.number(),
    currency: z.string(),
    forProducts: z.number(),
    shown: z.enum(referenceStates),
    problem: z.string().nullable(),
    problemDetail: z.string().nullable(),
    variantId: z.string().nullable(),
    productId: z.string().nullable(),
    shopPriceMinor: z.number().nullable(),
  }),
);
type Row = z.infer<typeof rows>[number];

/** A sort order: its columns, all in one direction, and the cursor key of a row. */
interface Order {
  columns: readonly [KeyColumn, ...KeyColumn[]];
  direction: "ASC" | "DESC";
  key: z.ZodType<SortKey>;
  keyOf: (reference: ListedReference) => SortKey;
}

const integer = (value: KeyValue) => Prisma.sql`${value}::int`;
const category = { column: Prisma.sql`"categoryId"` };
const term = { column: Prisma.sql`"termMonths"`, value: integer };
const band = { column: Prisma.sql`"bandMinMinor"`, value: integer };
const price = { column: Prisma.sql`"priceMinor"`, value: integer };
const id = { column: Prisma.sql`"referenceId"` };
/** References that need attention come first. */
const stateOrder: readonly ReferenceState[] = ["withheld", "vanished", "not_synced", "on_sale"];
const stateRank = {
  column: Prisma.sql`array_position(ARRAY[${Prisma.join(stateOrder)}], shown)`,
  value: integer,
};

const byPrice = (direction: Order["direction"]): Order => ({
  columns: [price, id],
  direction,
  key: z.tuple([z.int32(), keyText]),
  keyOf: ({ priceMinor, referenceId }) => [priceMinor, referenceId],
});
const byTerm = (direction: Order["direction"]): Order => ({
  columns: [term, category, band, id],
  direction,
  key: z.tuple([z.int32(), keyText, z.int32(), keyText]),
  keyOf: ({ categoryId, termMonths, bandMinMinor, referenceId }) => [
    termMonths,
    categoryId,
    bandMinMinor,
    referenceId,
  ],
});
const byCategory: Order = {
  columns: [category, term, band, id],
  direction: "ASC",
  key: z.tuple([keyText, z.int32(), z.int32(), keyText]),
  keyOf: ({ categoryId, termMonths, bandMinMinor, referenceId }) => [
    categoryId,
    termMonths,
    bandMinMinor,
    referenceId,
  ],
};
const orders: Record<ReferenceSort, Order> = {
  lowest: byPrice("ASC"),
  highest: byPrice("DESC"),
  shortest: byTerm("ASC"),
  longest: byTerm("DESC"),
  state: {
    columns: [stateRank, ...byCategory.columns],
    direction: "ASC",
    key: z.tuple([z.int32(), keyText, z.int32(), z.int32(), keyText]),
    keyOf: (reference) => [stateOrder.indexOf(reference.state) + 1, ...byCategory.keyOf(reference)],
  },
};

/** References with their variants, as a statement to which conditions on `r` are added. */
const selectReferences = (shop: string, environment: Environment): Prisma.Sql => Prisma.sql`
  SELECT r."referenceId", r.title, r."categoryId", r.formula, r."termMonths", r.billing, r."bandMinMinor",
    r."bandMaxMinor", r."priceMinor", r.currency, cardinality(r."productReferenceIds") AS "forProducts", r.problem,
    r."problemDetail", v."variantId", v."productId", v."priceMinor" AS "shopPriceMinor",
    CASE WHEN r.state = 'vanished' THEN 'vanished' WHEN r.problem IS NOT NULL THEN 'withheld'
      WHEN v."onSale" THEN 'on_sale' ELSE 'not_synced' END AS shown
  FROM "Reference" r LEFT JOIN LATERAL (
    SELECT * FROM "SyncedVariant" s
    WHERE s.shop = r.shop AND s.environment = r.environment AND s."referenceId" = r."referenceId"
    ORDER BY s."onSale" DESC, s."updatedAt" DESC LIMIT 1
  ) v ON true
  WHERE r.shop = ${shop} AND r.environment = ${environment}`;

/** References of one environment, filtered and sorted. An invalid cursor means the first page. */
export async function pageOfReferences(
  shop: string,
  environment: Environment,
  filter: ReferenceFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<ListedReference>> {
  const { columns, direction, key, keyOf } = filter.sort === null ? byCategory : orders[filter.sort];
  const keyset = readKeyset(key, request);
  const referenceRows = rows.parse(
    await db.$queryRaw`
      SELECT * FROM (
        ${selectReferences(shop, environment)} AND ${Prisma.join(conditions(filter), " AND ")}
      ) listed
      WHERE ${filter.state === null ? Prisma.sql`true` : Prisma.sql`shown = ${filter.state}`}
      ${keysetClause(keyset, columns, direction)}
      LIMIT ${size + 1}`,
  );
  return toListPage(referenceRows.map(listed), size, keyset, keyOf);
}

function conditions({ query, category, term, band }: ReferenceFilter): Prisma.Sql[] {
  const conditionList = [Prisma.sql`true`];
  if (query !== null) {
    const part = `%${query.replace(/[\\%_]/g, "\\$&")}%`;
    conditionList.push(
      Prisma.sql`(r."referenceId" ILIKE ${part} OR r.title ILIKE ${part} OR r."contractId" ILIKE ${part})`,
    );
  }
  if (category !== null) conditionList.push(Prisma.sql`r."categoryId" = ${category}`);
  if (term !== null) conditionList.push(Prisma.sql`r."termMonths" = ${term}`);
  if (band !== null) {
    conditionList.push(
      Prisma.sql`r."bandMinMinor" = ${band.minMinor} AND r."bandMaxMinor" = ${band.maxMinor}`,
    );
  }
  return conditionList;
}

function listed({ shown, variantId, productId, shopPriceMinor, ...reference }: Row): ListedReference {
  const variant =
    variantId === null || productId === null || shopPriceMinor === null
      ? null
      : { variantId, productId, priceMinor: shopPriceMinor };
  return { ...reference, state: shown, variant };
}

/** Limit of references in a grid: more are too many to read, and make its page heavy. The list has them all. */
export const MAX_GRID = 600;

/** The offered references of a category for all its products, for its grids. */
export async function listGridReferences(
  shop: string,
  environment: Environment,
  categoryId: string,
): Promise<{ references: ListedReference[]; hasMore: boolean }> {
  const found = rows.parse(
    await db.$queryRaw`
      ${selectReferences(shop, environment)} AND r."categoryId" = ${categoryId} AND r.state = 'offered'
        AND r."productReferenceIds" = '{}'
      ORDER BY r."termMonths", r."bandMinMinor", r."referenceId" LIMIT ${MAX_GRID + 1}`,
  );
  return { references: found.slice(0, MAX_GRID).map(listed), hasMore: found.length > MAX_GRID };
}

/** The choices of the filters. With a category, the bands are those of that category. */
export async function referenceChoices(
  shop: string,
  environment: Environment,
  category: string | null,
): Promise<ReferenceChoices> {
  const where = { shop, environment };
  const [terms, bands] = await Promise.all([
    db.reference.groupBy({ by: ["termMonths"], where, orderBy: { termMonths: "asc" } }),
    db.reference.groupBy({
      by: ["bandMinMinor", "bandMaxMinor", "currency"],
      where: category === null ? where : { ...where, categoryId: category },
      orderBy: [{ bandMinMinor: "asc" }, { bandMaxMinor: "asc" }],
      take: 200,
    }),
  ]);
  return {
    terms: terms.map(({ termMonths }) => termMonths),
    bands: bands.map(({ bandMinMinor: minMinor, bandMaxMinor: maxMinor, currency }) => ({
      minMinor,
      maxMinor,
      currency,
    })),
  };
}

const stateCounts = z.array(
  z.object({
    categoryId: z.string(),
    shown: z.enum(referenceStates),
    count: z.number(),
    forProducts: z.number(),
  }),
);

/** Counts the references of one environment by category and state. */
export async function countReferences(shop: string, environment: Environment): Promise<CategoryCounts[]> {
  const counted = stateCounts.parse(
    await db.$queryRaw`
      SELECT r."categoryId", CASE WHEN r.state = 'vanished' THEN 'vanished' WHEN r.problem IS NOT NULL THEN 'withheld'
          WHEN v."referenceId" IS NOT NULL THEN 'on_sale' ELSE 'not_synced' END AS shown, count(*)::int AS count,
        (count(*) FILTER (WHERE r.state = 'offered' AND r."productReferenceIds" <> '{}'))::int AS "forProducts"
      FROM "Reference" r LEFT JOIN (
        SELECT DISTINCT "referenceId" FROM "SyncedVariant"
        WHERE shop = ${shop} AND environment = ${environment} AND "onSale"
      ) v USING ("referenceId")
      WHERE r.shop = ${shop} AND r.environment = ${environment}
      GROUP BY 1, 2`,
  );
  return [...Map.groupBy(counted, ({ categoryId }) => categoryId)]
    .map(([categoryId, states]) => ({
      categoryId,
      counts: {
        on_sale: 0,
        not_synced: 0,
        withheld: 0,
        vanished: 0,
        ...Object.fromEntries(states.map(({ shown, count }) => [shown, count])),
      },
      forProducts: states.reduce((sum, { forProducts }) => sum + forProducts, 0),
    }))
    .sort((a, b) => a.categoryId.localeCompare(b.categoryId));
}
