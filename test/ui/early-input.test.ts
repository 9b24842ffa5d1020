// @vitest-environment jsdom
import { createElement, useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { holdEarlyInput } from "#app/ui/early-input.ts";
import { eventually } from "#test/eventually.ts";

let received: string[] = [];
afterEach(() => {
  received = [];
  document.body.innerHTML = "";
});

/** A page with one field, which has `saved` and records React's value of it. */
function Page({ saved, release }: { saved: string; release: () => void }) {
  const [value, setValue] = useState(saved);
  useEffect(() => {
    received.push(value);
  }, [value]);
  useEffect(release, [release]);
  return createElement("input", { value, onChange: ({ target }) => setValue(target.value) });
}

/** The server's HTML of the page; a person types before it hydrates. */
async function typeEarly(saved: string, typed: string): Promise<HTMLInputElement> {
  document.body.innerHTML = `<div>${renderToString(createElement(Page, { saved, release: () => undefined }))}</div>`;
  const release = holdEarlyInput();
  const field = document.querySelector("input");
  if (!field?.parentElement) throw new Error("The page has no field.");
  field.value = typed;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  hydrateRoot(field.parentElement, createElement(Page, { saved, release }));
  await eventually(() => received.length > 0);
  return field;
}

test("what is typed before the page is taken over is what the page knows", async () => {
  const field = await typeEarly("saved", "typed");
  await eventually(() => expect(received.at(-1)).toBe("typed"));
  expect(field.value).toBe("typed");
});

test("a field that is emptied before the page is taken over is empty for the page too", async () => {
  const field = await typeEarly("saved", "");
  await eventually(() => expect(received.at(-1)).toBe(""));
  expect(field.value).toBe("");
});
