import { Card, Box, ChoiceList, Filters, Select, Text } from "@shopify/polaris";
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPagination } from "./list-table.tsx";
import { EmptyList } from "./empty-state.tsx";
import { useUrlFilters } from "./period-filter.tsx";

interface FilteredRowsProps {
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
export function FilteredRows({
  search,
  filters,
  sort,
  filterNames,
  page,
  empty,
  children,
}: FilteredRowsProps) {
  const names = filterNames ?? ["query", ...filters.map(({ name }) => name)];
  return (
    <>
      <ListFilters search={search} filters={filters} sort={sort} />
      {page.items.length > 0 ? children : <EmptyList filters={names}>{empty}</EmptyList>}
    </>
  );
}

/** A list that is all of its page, with its search, its filters and its pages. */
export function FilteredList(props: FilteredRowsProps) {
  return (
    <Card padding="0">
      <FilteredRows {...props} />
      <CursorPagination page={props.page} total={props.total} />
    </Card>
  );
}

interface ListFilter {
  /** name in the address */
  name: string;
  label: string;
  choices: { value: string; label: string }[];
}

interface ListSort {
  label: string;
  options: { label: string; value: string }[];
}

interface ListFiltersProps {
  /** what can be searched: "Order, e-mail or plan" */
  search: string;
  filters: ListFilter[];
  sort?: ListSort | undefined;
}

/** The search field (`?query=`) and the filters above a list. */
function ListFilters({ search, filters, sort }: ListFiltersProps) {
  const { t } = useTranslation();
  const url = useUrlFilters(["query", ...filters.map(({ name }) => name)]);
  const sorting = useUrlFilters(["sort"]);
  const query = url.get("query");
  const [typed, setTyped] = useState(query);
  const latest = useRef(query);
  /** what was typed and is on its way into the address */
  const sent = useRef<string>(undefined);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    const isChanged = latest.current !== query;
    latest.current = query;
    if (sent.current === query) sent.current = undefined;
    else if (sent.current === undefined ? isChanged : isIdle) {
      // Changed by "Clear filters" below an empty list or by the browser's way back, or another page came instead.
      clearTimeout(waiting.current);
      sent.current = undefined;
      setTyped(query);
    }
  }, [query, isIdle]);

  /** Whatever of the search is not in the address yet goes with a filter. */
  function send(text: string, filter: Record<string, string> = {}) {
    clearTimeout(waiting.current);
    sent.current = text.trim() === latest.current ? undefined : text.trim();
    url.setAll({ ...filter, query: text.trim() });
  }
  function type(text: string) {
    setTyped(text);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => send(text), 300);
  }
  function clear() {
    setTyped("");
    clearTimeout(waiting.current);
    sent.current = undefined;
    url.clear();
  }

  return (
    <Box borderBlockEndWidth="025" borderColor="border">
      <Filters
        queryValue={typed}
        queryPlaceholder={search}
        onQueryChange={type}
        onQueryClear={() => type("")}
        onClearAll={clear}
        filters={filters.map(({ name, label, choices }) => ({
          key: name,
          label,
          shortcut: true,
          filter: (
            <ChoiceList
              title={label}
              titleHidden
              choices={choices}
              selected={[url.get(name)]}
              onChange={([value = ""]) => send(typed, { [name]: value })}
            />
          ),
        }))}
        appliedFilters={filters
          .filter(({ name }) => url.get(name) !== "")
          .map(({ name, label, choices }) => {
            const value = url.get(name);
            const chosen = choices.find((choice) => choice.value === value)?.label ?? value;
            return {
              key: name,
              label: t("table.filter", { label, chosen }),
              onRemove: () => send(typed, { [name]: "" }),
            };
          })}
      />
      {sort && (
        <Box paddingInline="300" paddingBlockEnd="200">
          <Select
            label={sort.label}
            labelInline
            options={sort.options}
            value={sorting.get("sort")}
            onChange={(value) => sorting.set("sort", value)}
          />
        </Box>
      )}
      <div aria-live="polite">
        {url.any && (
          <Text as="span" visuallyHidden>
            {t("table.filtered")}
          </Text>
        )}
      </div>
    </Box>
  );
}
