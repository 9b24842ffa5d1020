import { useState } from "react";
import { isSame, mergeDraft } from "./merge-draft.ts";

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
  // Whoever typed on after their own save goes on from it.
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
