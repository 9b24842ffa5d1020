import { Box, ChoiceList, Filters, Select, Text } from "@shopify/polaris";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUrlFilters } from "./use-url-filters.ts";

export interface ListFilter {
  /** name in the address */
  name: string;
  label: string;
  choices: { value: string; label: string }[];
}

export interface ListSort {
  label: string;
  options: { label: string; value: string }[];
}

interface Props {
  /** what can be searched: "Order, e-mail or plan" */
  search: string;
  filters: ListFilter[];
  sort?: ListSort | undefined;
}

/** The search field (`?query=`) and the filters above a list. */
export function ListFilters({ search, filters, sort }: Props) {
  const { t } = useTranslation();
  const url = useUrlFilters(["query", ...filters.map(({ name }) => name)]);
  const sorting = useUrlFilters(["sort"]);
  const [typed, setTyped] = useState(url.get("query"));
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);

  function type(query: string) {
    setTyped(query);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => url.set("query", query.trim()), 300);
  }
  function clear() {
    setTyped("");
    clearTimeout(waiting.current);
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
              onChange={([value = ""]) => url.set(name, value)}
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
              onRemove: () => url.set(name, ""),
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
