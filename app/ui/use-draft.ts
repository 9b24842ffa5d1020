import { useState } from "react";

/** Another window saved while this one had changes. */
export interface Conflict<Settings> {
  /** the saved settings that the draft began from */
  base: Settings;
  mine: Settings;
  theirs: Settings;
  /** merges both: keeps the changes of this window, takes all other values of the other window */
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * Settings in a form with the admin's save bar, beside the saved ones. A save in another window shows at once in
 * unchanged fields, and is a conflict in changed ones.
 * @param version of `saved`, as the loader names it
 * @param merge combines this window's changes with the other window's save
 */
export function useDraft<Settings>(
  saved: Settings,
  version: string,
  merge: (base: Settings, mine: Settings, theirs: Settings) => Settings = mergeDraft,
) {
  const [base, setBase] = useState({ settings: saved, version });
  const [draft, setDraft] = useState(saved);
  /** this window's saved value, until the loader returns it */
  const [sent, setSent] = useState<{ settings: Settings } | null>(null);
  const isChanged = !isSame(draft, base.settings);
  const begin = (settings: Settings) => {
    setBase({ settings: saved, version });
    setDraft(settings);
    setSent(null);
  };
  const isOld = version !== base.version;
  const isOwn = sent !== null && isSame(sent.settings, saved);
  const isDecided = !isChanged || isSame(draft, saved) || isOwn;
  // Typing after the save builds on the saved value.
  if (isOld && isDecided) begin(isOwn ? draft : saved);
  const conflict: Conflict<Settings> | null =
    isOld && !isDecided
      ? {
          base: base.settings,
          mine: draft,
          theirs: saved,
          keepMine: () => begin(merge(base.settings, draft, saved)),
          takeTheirs: () => begin(saved),
        }
      : null;
  return {
    draft,
    setDraft,
    isChanged,
    discard: () => begin(saved),
    /** @returns the URL for the action that saves this draft; the action refuses to overwrite another window's save */
    startSave: (settings: Settings): string => {
      setSent({ settings });
      return `?version=${base.version}`;
    },
    conflict,
  };
}

/** Merges settings that two windows changed. Pure: it merges plain objects field by field, and a list as one value. */

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two settings are equal, ignoring the order of their fields. An undefined field counts as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]));
  if (!isPlain(one) || !isPlain(other)) return false;
  const [fields, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  return [...new Set([...fields.keys(), ...others.keys()])].every((name) =>
    isSame(fields.get(name), others.get(name)),
  );
}

/** My value if I changed it, else theirs. */
export function mergeDraft<Value>(base: Value, mine: Value, theirs: Value): Value {
  if (isSame(mine, base)) return theirs;
  if (!isPlain(base) || !isPlain(mine) || !isPlain(theirs)) return mine;
  const merged = { ...theirs, ...mine };
  for (const name in merged) merged[name] = mergeDraft(base[name], mine[name], theirs[name]);
  return merged;
}

/**
 * The same for a list of objects with ids, whose order matters: their order, unless I moved an entry. An entry that
 * only one side has comes before its former successor. No change is lost with an entry that the other side deleted.
 */
export function mergeList<Item extends { id: string }>(base: Item[], mine: Item[], theirs: Item[]): Item[] {
  const [was, here, there] = [base, mine, theirs].map(
    (items) => new Map(items.map((item) => [item.id, item])),
  );
  const merged = new Map<string, Item>();
  for (const id of new Set([...mine, ...theirs].map((item) => item.id))) {
    const item = mergeItem(was?.get(id), here?.get(id), there?.get(id));
    if (item) merged.set(id, item);
  }
  const kept = (items: Item[]) => items.map(({ id }) => id).filter((id) => merged.has(id));
  const isOld = (id: string) => was?.has(id) === true && here?.has(id) === true;
  const moved = !isSame(kept(mine).filter(isOld), kept(base).filter(isOld));
  const order = moved ? insert(kept(mine), kept(theirs)) : insert(kept(theirs), kept(mine));
  return order.flatMap((id) => merged.get(id) ?? []);
}

function mergeItem<Item>(base?: Item, mine?: Item, theirs?: Item): Item | undefined {
  if (base === undefined) return mine ?? theirs;
  if (mine === undefined) return undefined;
  if (theirs === undefined) return isSame(mine, base) ? undefined : mine;
  return mergeDraft(base, mine, theirs);
}

/** `ids` with the missing ones of `others`, each before its successor there. */
function insert(ids: string[], others: string[]): string[] {
  const all = [...ids];
  let before = all.length;
  for (const id of others.toReversed()) {
    const at = all.indexOf(id);
    if (at >= 0) before = at;
    else all.splice(before, 0, id);
  }
  return all;
}
