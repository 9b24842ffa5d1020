/** Settings that two windows changed at once. Pure: only plain objects are looked into, a list is one value. */

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two settings are equal, in whatever order their fields stand. A field that is undefined is not there. */
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

/** The same for a list of things with ids: in my order, with what was added elsewhere and without what was deleted there. */
export function mergeList<Item extends { id: string }>(base: Item[], mine: Item[], theirs: Item[]): Item[] {
  const was = new Map(base.map((item) => [item.id, item]));
  const is = new Map(theirs.map((item) => [item.id, item]));
  const kept = mine.flatMap((item) => {
    const before = was.get(item.id);
    const now = is.get(item.id);
    if (before === undefined) return [item];
    if (now === undefined) return isSame(item, before) ? [] : [item];
    return [mergeDraft(before, item, now)];
  });
  const ids = new Set(mine.map(({ id }) => id));
  return [...kept, ...theirs.filter(({ id }) => !was.has(id) && !ids.has(id))];
}
