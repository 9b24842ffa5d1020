import { useState } from "react";

/** Settings as they are being changed, beside those that are saved; for forms with the admin's save bar. */
export function useDraft<Settings>(saved: Settings) {
  const [draft, setDraft] = useState(saved);
  return {
    draft,
    setDraft,
    isChanged: JSON.stringify(draft) !== JSON.stringify(saved),
    discard: () => setDraft(saved),
  };
}
