import { useSearchParams } from "@remix-run/react";

/** The filters of a list, kept in its address so that a list can be shared, reloaded and gone back to. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const values = new Map(names.map((name) => [name, search.get(name) ?? ""]));
  const change = (edit: (next: URLSearchParams) => void) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        // Another selection begins at its first page.
        next.delete("after");
        next.delete("before");
        next.delete("from");
        edit(next);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const write = (next: URLSearchParams, name: string, value: string) =>
    value === "" ? next.delete(name) : next.set(name, value);
  return {
    get: (name: Name) => values.get(name) ?? "",
    any: names.some((name) => values.get(name) !== ""),
    set: (name: Name, value: string) => change((next) => write(next, name, value)),
    setAll: (given: Partial<Record<Name, string>>) =>
      change((next) => names.forEach((name) => given[name] !== undefined && write(next, name, given[name]))),
    clear: () => change((next) => names.forEach((name) => next.delete(name))),
  };
}
