import type { Texts } from "#app/locales/index.server.ts";

/** Reads what `textsFor` wrote on the server. @throws Error where it is something else */
export function readTexts(json: string): Texts {
  const texts: unknown = JSON.parse(json);
  if (!isTexts(texts)) throw new Error("The texts of the page cannot be read");
  return texts;
}

/** Its own server wrote it: what is in it is not looked through again. */
function isTexts(value: unknown): value is Texts {
  return typeof value === "object" && value !== null && "messages" in value && "polaris" in value;
}
