import { Card } from "@shopify/polaris";
import type { ReactNode } from "react";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPagination } from "./cursor-pagination.tsx";
import { ListFilters } from "./list-filters.tsx";
import type { ListFilter, ListSort } from "./list-filters.tsx";
import { EmptyList } from "./empty-state.tsx";

interface Props {
  /** what can be searched: "Order, e-mail or plan" */
  search: string;
  filters: ListFilter[];
  /** how the rows can be sorted (`?sort=`); the first option is the usual one */
  sort?: ListSort;
  /** every name in the address that can make the list shorter, where they are not those of the search and the filters */
  filterNames?: readonly string[];
  page: ListPage<unknown>;
  /** rows of all pages, where it is known */
  total?: number | undefined;
  /** said where there is nothing to filter yet */
  empty: ReactNode;
  /** the rows */
  children: ReactNode;
}

/** Search and filters above the rows, or why there are none. */
export function FilteredRows({ search, filters, sort, filterNames, page, empty, children }: Props) {
  const names = filterNames ?? ["query", ...filters.map(({ name }) => name)];
  return (
    <>
      <ListFilters search={search} filters={filters} sort={sort} />
      {page.items.length > 0 ? children : <EmptyList filters={names}>{empty}</EmptyList>}
    </>
  );
}

/** A list that is all of its page, with its search, its filters and its pages. */
export function FilteredList(props: Props) {
  return (
    <Card padding="0">
      <FilteredRows {...props} />
      <CursorPagination page={props.page} total={props.total} />
    </Card>
  );
}
