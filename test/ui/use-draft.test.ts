// @vitest-environment jsdom
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import { expect, test } from "vitest";
import { useDraft } from "#app/ui/use-draft.ts";

interface Settings {
  subject: string;
  body: string;
}

/** A form with a draft: the test sets the loader's values and the merchant's input. */
function openForm(first: Settings) {
  const form: { now: ReturnType<typeof useDraft<Settings>> | null } = { now: null };
  function Form({ saved, version }: { saved: Settings; version: string }) {
    form.now = useDraft(saved, version);
    return null;
  }
  const root = createRoot(document.createElement("div"));
  const load = (saved: Settings, version: string) =>
    flushSync(() => root.render(createElement(Form, { saved, version })));
  const draft = () => {
    if (!form.now) throw new Error("The form is not shown.");
    return form.now;
  };
  load(first, "1");
  return {
    load,
    draft,
    type: (part: Partial<Settings>) => flushSync(() => draft().setDraft({ ...draft().draft, ...part })),
    save: () => flushSync(() => draft().startSave(draft().draft)),
  };
}

test("a merchant's own save is not another's, also where they typed on before it was answered", () => {
  const { load, draft, type, save } = openForm({ subject: "a", body: "b" });
  type({ subject: "mine" });
  expect(save()).toBe("?version=1");
  type({ body: "typed on" });
  load({ subject: "mine", body: "b" }, "2");
  expect(draft().conflict).toBeNull();
  expect(draft().draft).toEqual({ subject: "mine", body: "typed on" });
  expect(draft().isChanged).toBe(true);
  // Input after the save builds on one's own saved value.
  expect(save()).toBe("?version=2");
});

test("what was typed back to how it was, after the save and before its answer, is still to be saved", () => {
  const { load, draft, type, save } = openForm({ subject: "a", body: "b" });
  type({ subject: "mine" });
  save();
  type({ subject: "a" });
  load({ subject: "mine", body: "b" }, "2");
  expect(draft().draft.subject).toBe("a");
  expect(draft().isChanged).toBe(true);
});

test("what others saved is a conflict, also after a save of one's own", () => {
  const { load, draft, type, save } = openForm({ subject: "a", body: "b" });
  type({ subject: "mine" });
  save();
  type({ body: "typed on" });
  load({ subject: "theirs", body: "b" }, "2");
  expect(draft().conflict?.theirs).toEqual({ subject: "theirs", body: "b" });
  expect(save()).toBe("?version=1");
});

test("a save that was answered does not hide that others saved the same again", () => {
  const { load, draft, type, save } = openForm({ subject: "a", body: "b" });
  type({ subject: "mine" });
  save();
  load({ subject: "mine", body: "b" }, "2");
  expect(draft().isChanged).toBe(false);
  type({ subject: "a", body: "new" });
  load({ subject: "theirs", body: "b" }, "3");
  expect(draft().conflict).not.toBeNull();
  load({ subject: "mine", body: "b" }, "4");
  expect(draft().conflict).not.toBeNull();
});
