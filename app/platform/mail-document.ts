/** Pure: how a mail to a customer looks: the shop's name and colour, and nothing that is loaded from elsewhere. */
import { escapeHtml } from "./customer-page.ts";
import type { Language } from "./locale.ts";

export interface MailContent {
  language: Language;
  subject: string;
  /** above the HTML */
  title: string;
  text: string;
  /** below the title; what others named is escaped */
  html: string;
}

export interface MailLook {
  shopName: string;
  /** `#rrggbb`; empty: none was chosen */
  colour: string;
}

const INK = "#202223";
const PAPER = "#ffffff";

/** Of a text on its background (WCAG 2.2, 1.4.3). */
const READABLE_CONTRAST = 4.5;

/** Links are on white. */
export const isReadableLink = (colour: string): boolean => contrast(colour, PAPER) >= READABLE_CONTRAST;

export function mailDocument({ language, title, html }: MailContent, { shopName, colour }: MailLook): string {
  const band = colour === "" ? INK : colour;
  // Of any colour black or white is readable on it.
  const onBand = contrast(band, PAPER) >= READABLE_CONTRAST ? PAPER : "#000000";
  const link = isReadableLink(band) ? band : INK;
  const body = html.replaceAll("<a ", `<a style="color:${link};overflow-wrap:anywhere" `);
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title></head><body style="margin:0"><div style="max-width:600px;margin:0 auto;font:16px/1.5 sans-serif;color:${INK};background:${PAPER};overflow-wrap:anywhere"><p style="margin:0;padding:16px 24px;background:${band};color:${onBand};font-weight:bold">${escapeHtml(shopName)}</p><div style="padding:8px 24px 24px"><h1 style="font-size:1.4em;line-height:1.25">${escapeHtml(title)}</h1>${body}</div></div></body></html>`;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const part = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}
