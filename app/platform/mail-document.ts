/**
 * Renders a mail to a customer: its parts become HTML and text, so that each sentence is written once. It avoids JSX,
 * because the worker runs from source and Node cannot compile JSX (docs/decisions/0002-toolchain.md).
 */
import { createElement, type CSSProperties, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ContactPart } from "./contact-links.ts";
import type { Language } from "./locale.ts";

/** A link after its sentence. The default `label` is the URL. */
interface MailLink {
  before?: string;
  label?: string;
  to: string;
}
/** A sentence with the links in it. */
interface MailSentence {
  inline: readonly ContactPart[];
}
type MailLine = string | MailLink | MailSentence;

export type MailPart =
  | MailLine
  /** one paragraph with several lines */
  | { lines: readonly MailLine[] }
  | { title: string; list: readonly string[] }
  | { heading: string; parts: readonly MailPart[] };

interface MailDraft {
  language: Language;
  /** shown on the band above the mail */
  shopName: string;
  subject: string;
  /** shown above the parts */
  title: string;
  parts: readonly MailPart[];
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export function writeMail({ language, shopName, subject, title, parts }: MailDraft): MailContent {
  const text = [title, ...parts.map((part) => textOf(part, language))].join("\r\n\r\n");
  const html = renderToStaticMarkup(documentOf({ language, shopName, title }, parts.map(elementOf)));
  return { subject, text: `${text}\r\n`, html: `<!doctype html>${html}` };
}

function textOf(part: MailPart, language: Language): string {
  // French puts a space before a colon.
  const colon = language === "fr" ? "\u00A0:" : ":";
  const lineOf = (line: MailLine, beforeAddress: string) =>
    typeof line === "string"
      ? line
      : "inline" in line
        ? line.inline.map((part) => (typeof part === "string" ? part : part.label)).join("")
        : `${[line.before, line.label && `${line.label}${colon}`].filter(Boolean).join(" ")}${beforeAddress}${line.to}`;
  if (typeof part === "string" || "to" in part || "inline" in part) return lineOf(part, "\r\n");
  if ("lines" in part) return part.lines.map((line) => lineOf(line, " ")).join("\r\n");
  if ("list" in part) return [`${part.title}${colon}`, ...part.list.map((item) => `– ${item}`)].join("\r\n");
  return [part.heading, ...part.parts.map((inner) => textOf(inner, language))].join("\r\n");
}

const INK = "#202223";
const PAPER = "#ffffff";
const styles = {
  page: {
    maxWidth: 600,
    margin: "0 auto",
    font: "16px/1.5 sans-serif",
    color: INK,
    background: PAPER,
    overflowWrap: "anywhere",
  },
  band: { margin: 0, padding: "16px 24px", background: INK, color: PAPER, fontWeight: "bold" },
  body: { padding: "8px 24px 24px" },
  title: { fontSize: "1.4em", lineHeight: 1.25 },
  heading: { fontSize: "1.1em" },
  link: { color: INK, overflowWrap: "anywhere" },
} as const satisfies Record<string, CSSProperties>;

function documentOf(
  { language, shopName, title }: Pick<MailDraft, "language" | "shopName" | "title">,
  parts: ReactNode[],
) {
  return createElement(
    "html",
    { lang: language },
    createElement(
      "head",
      null,
      createElement("meta", { charSet: "utf-8" }),
      createElement("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      createElement("title", null, title),
    ),
    createElement(
      "body",
      { style: { margin: 0 } },
      createElement(
        "div",
        { style: styles.page },
        createElement("p", { style: styles.band }, shopName),
        createElement(
          "div",
          { style: styles.body },
          createElement("h1", { style: styles.title }, title),
          ...parts,
        ),
      ),
    ),
  );
}

function elementOf(part: MailPart): ReactNode {
  if (typeof part === "string" || "to" in part || "inline" in part)
    return createElement("p", null, lineElement(part));
  if ("lines" in part)
    return createElement(
      "p",
      null,
      ...part.lines.flatMap((line, index) =>
        index === 0 ? [lineElement(line)] : [createElement("br"), lineElement(line)],
      ),
    );
  if ("list" in part)
    return createElement(
      Fragment,
      null,
      createElement("p", null, part.title),
      createElement("ul", null, ...part.list.map((item) => createElement("li", null, item))),
    );
  return createElement(
    Fragment,
    null,
    createElement("h2", { style: styles.heading }, part.heading),
    ...part.parts.map(elementOf),
  );
}

function lineElement(line: MailLine): ReactNode {
  if (typeof line === "string") return line;
  if ("inline" in line)
    return createElement(
      Fragment,
      null,
      ...line.inline.map((part) =>
        typeof part === "string"
          ? part
          : createElement("a", { style: styles.link, href: part.to }, part.label),
      ),
    );
  const link = createElement("a", { style: styles.link, href: line.to }, line.label ?? line.to);
  return createElement(Fragment, null, line.before === undefined ? null : `${line.before} `, link);
}
