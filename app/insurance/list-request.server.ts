import { readLargeList } from "./large-list.server.ts";
import { lists, type ListItems, type ListName } from "./lists.ts";
import type { ApiRequest } from "./send-once.server.ts";

/**
 * The part of a request that says how its list is read.
 * @param accept looks the items through; throws a ResponseValidationError
 */
export function listOf<Name extends ListName>(
  name: Name,
  maxBytes: number,
  accept: (items: ListItems[Name][]) => ListItems[Name][] = (items) => items,
): Pick<ApiRequest<ListItems[Name][]>, "maxBytes" | "read" | "readLarge"> {
  return {
    maxBytes,
    read: (body) => accept(lists[name].read(body)),
    readLarge: async (json, signal) => accept(await readLargeList(name, json, signal)),
  };
}
