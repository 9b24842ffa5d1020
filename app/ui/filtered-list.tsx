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
  /** the searchable fields: "Order, e-mail or plan" */
  search: string;
  filters: ListFilter[];
  /** sort options (`?sort=`); the first is the default */
  sort?: ListSort;
  /** names of all URL parameters that filter the list, if they differ from the search and the filters */
  filterNames?: readonly string[];
  page: ListPage<unknown>;
  /** number of rows on all pages, if known */
  total?: number | undefined;
  /** shown while the list has no entries to filter */
  empty: ReactNode;
  /** shown if the search finds nothing; default: to change the filters */
  noneFound?: ReactNode;
  /** the rows */
  children: ReactNode;
}

/** Search and filters above the rows, or the empty state. */
export function FilteredRows({
  search,
  filters,
  sort,
  filterNames,
  page,
  empty,
  noneFound,
  children,
}: FilteredRowsProps) {
  const names = filterNames ?? ["query", ...filters.map(({ name }) => name)];
  return (
    <>
      <ListFilters search={search} filters={filters} sort={sort} />
      {page.items.length > 0 ? (
        children
      ) : (
        <EmptyList filters={names} noneFound={noneFound}>
          {empty}
        </EmptyList>
      )}
    </>
  );
}

/** A list that fills its page, with its search, its filters and its pages. */
export function FilteredList(props: FilteredRowsProps) {
  return (
    <Card padding="0">
      <FilteredRows {...props} />
      <CursorPagination page={props.page} total={props.total} />
    </Card>
  );
}

interface ListFilter {
  /** name of the URL parameter */
  name: string;
  label: string;
  choices: { value: string; label: string }[];
}

interface ListSort {
  label: string;
  options: { label: string; value: string }[];
}

interface ListFiltersProps {
  /** the searchable fields: "Order, e-mail or plan" */
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
  /** typed, but not yet in the URL */
  const sent = useRef<string>(undefined);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    const isChanged = latest.current !== query;
    latest.current = query;
    if (sent.current === query) sent.current = undefined;
    else if (sent.current === undefined ? isChanged : isIdle) {
      // The URL changed by "Clear filters", by the browser's Back, or by another page.
      clearTimeout(waiting.current);
      sent.current = undefined;
      setTyped(query);
    }
  }, [query, isIdle]);

  /** A filter change also puts the typed search into the URL. */
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
