/** Catalogue, All offers: the references of the insurer, one a row, with their state in the shop. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import {
  countReferences,
  pageOfReferences,
  referenceChoices,
  referenceFilter,
} from "#app/catalogue/references/reference-list.server.ts";
import {
  type ListedReference,
  referenceSorts,
  referenceStates,
  sumCounts,
} from "#app/catalogue/references/reference-list.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readPageRequest } from "#app/platform/keyset.ts";
import { readPageSize } from "#app/platform/list-page.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilteredList } from "#app/ui/filtered-list.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import {
  ReferencePayment,
  ReferenceProblem,
  ReferenceStateBadge,
  ReferenceVariant,
} from "#app/ui/reference-cells.tsx";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { usePriceBandText } from "#app/ui/use-catalogue-texts.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const inUse = merchant.environment;
  const search = new URL(request.url).searchParams;
  const filter = referenceFilter.parse(Object.fromEntries(search));
  const [categories, choices, page] = await Promise.all([
    countReferences(shop, inUse),
    referenceChoices(shop, inUse, filter.category),
    pageOfReferences(shop, inUse, filter, readPageRequest(search), readPageSize(request, 50)),
  ]);
  const { state, query, category, term, band } = filter;
  const isCounted = [query, category, term, band].every((value) => value === null);
  const counts = sumCounts(categories);
  const total = referenceStates.reduce(
    (sum, each) => (state === null || state === each ? sum + counts[each] : sum),
    0,
  );
  return {
    categories: categories.map(({ categoryId }) => categoryId),
    choices,
    page,
    // A count per search or filter would cost another query.
    total: isCounted ? total : undefined,
  };
}

export default function AllOffers() {
  const { categories, choices, page, total } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  return (
    <CataloguePage>
      <FilteredList
        search={t("search")}
        sort={{
          label: t("sort.label"),
          options: [
            { label: t("sort.category"), value: "" },
            ...referenceSorts.map((value) => ({ label: t(`sort.${value}`), value })),
          ],
        }}
        filters={[
          {
            name: "category",
            label: t("column.category"),
            choices: categories.map((value) => ({ value, label: value })),
          },
          {
            name: "term",
            label: t("column.term"),
            choices: choices.terms.map((count) => ({
              value: String(count),
              label: t("term.months", { count }),
            })),
          },
          {
            name: "band",
            label: t("column.band"),
            choices: choices.bands.map(({ minMinor, maxMinor, currency }) => ({
              value: `${minMinor}-${maxMinor}`,
              label: bandText(minMinor, maxMinor, currency),
            })),
          },
          {
            name: "state",
            label: t("column.state"),
            choices: referenceStates.map((value) => ({ value, label: t(`state.${value}`) })),
          },
        ]}
        page={page}
        total={total}
        empty={<EmptyState title={t("empty.title")} body={t("empty.body")} />}
      >
        <ReferenceTable references={page.items} />
      </FilteredList>
    </CataloguePage>
  );
}

function ReferenceTable({ references }: { references: ListedReference[] }) {
  const { t } = useTranslation("catalogue");
  const bandText = usePriceBandText();
  return (
    <ListTable
      columns={[
        { title: t("column.reference") },
        { title: t("column.category") },
        { title: t("column.term"), kind: "short" },
        { title: t("column.band"), kind: "short" },
        { title: t("column.price"), kind: "number" },
        { title: t("column.state") },
        { title: t("column.variant") },
      ]}
      rows={references.map((reference) => ({
        key: reference.referenceId,
        cells: [
          <BlockStack>
            <Text as="span" fontWeight="medium">
              {reference.referenceId}
            </Text>
            {reference.forProducts > 0 && (
              <Text as="span" tone="subdued">
                {t("forProducts", { count: reference.forProducts })}
              </Text>
            )}
          </BlockStack>,
          reference.categoryId,
          t("term.months", { count: reference.termMonths }),
          bandText(reference.bandMinMinor, reference.bandMaxMinor, reference.currency),
          <ReferencePayment reference={reference} />,
          <BlockStack gap="100" inlineAlign="start">
            <ReferenceStateBadge state={reference.state} />
            <ReferenceProblem reference={reference} />
          </BlockStack>,
          <ReferenceVariant reference={reference} />,
        ],
      }))}
    />
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
