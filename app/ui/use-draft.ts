import { useState } from "react";

/** Others were saved while these were being changed. */
export interface Conflict<Settings> {
  /** what the draft began from */
  base: Settings;
  mine: Settings;
  theirs: Settings;
  /** goes on with both: what is changed here stays changed, the rest is as it was saved elsewhere */
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * Settings as they are being changed, beside those that are saved; for forms with the admin's save bar. What is saved
 * elsewhere meanwhile shows at once where nothing is changed here, and is a conflict where something is.
 * @param version of `saved`, as the loader names it
 * @param merge what was changed here and what was saved elsewhere, together
 */
export function useDraft<Settings>(
  saved: Settings,
  version: string,
  merge: (base: Settings, mine: Settings, theirs: Settings) => Settings = mergeDraft,
) {
  const [base, setBase] = useState({ settings: saved, version });
  const [draft, setDraft] = useState(saved);
  /** what this window's save brings, while the loader has not answered with it */
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
  // Words typed after one's own save build on it.
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
    /** @returns the address for the action that saves these: it refuses to save over others' settings */
    startSave: (settings: Settings): string => {
      setSent({ settings });
      return `?version=${base.version}`;
    },
    conflict,
  };
}

/** Settings that two windows changed at once. Pure: only plain objects are looked into, a list is one value. */

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two settings are equal, whatever the order of their fields. An undefined field counts as absent. */
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

/** What is mine where I changed it, and theirs everywhere else. */
export function mergeDraft<Value>(base: Value, mine: Value, theirs: Value): Value {
  if (isSame(mine, base)) return theirs;
  if (!isPlain(base) || !isPlain(mine) || !isPlain(theirs)) return mine;
  const merged = { ...theirs, ...mine };
  for (const name in merged) merged[name] = mergeDraft(base[name], mine[name], theirs[name]);
  return merged;
}

/**
 * The same for a list of things with ids, whose order matters: theirs, unless I moved something. What only one of both
 * has comes before the element that it came before; no change is lost with what the other deleted.
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

/** `ids` with those of `others` that it lacks, each before the one that follows it there. */
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
