/** The tabs of Settings that are saved together. */
export const settingsParts = ["sale", "mails", "returns", "data"] as const;
export type SettingsPart = (typeof settingsParts)[number];

/** The URL names the part. The form stays mounted, so unsaved changes survive a change of part. */
export const settingsPartIn = (search: URLSearchParams): SettingsPart =>
  settingsParts.find((part) => part === search.get("part")) ?? "sale";

/** @param id of the card or field to land on */
export function settingsAddress(part: SettingsPart, id?: string): string {
  const page = part === "sale" ? "/app/settings" : `/app/settings?part=${part}`;
  return id === undefined ? page : `${page}#${id}`;
}
