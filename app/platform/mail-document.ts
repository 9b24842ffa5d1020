/** Pure: how a mail to a customer looks: the shop's name on a dark band, and nothing that is loaded from elsewhere. */
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

const INK = "#202223";
const PAPER = "#ffffff";

export function mailDocument({ language, title, html }: MailContent, shopName: string): string {
  const body = html.replaceAll("<a ", `<a style="color:${INK};overflow-wrap:anywhere" `);
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title></head><body style="margin:0"><div style="max-width:600px;margin:0 auto;font:16px/1.5 sans-serif;color:${INK};background:${PAPER};overflow-wrap:anywhere"><p style="margin:0;padding:16px 24px;background:${INK};color:${PAPER};font-weight:bold">${escapeHtml(shopName)}</p><div style="padding:8px 24px 24px"><h1 style="font-size:1.4em;line-height:1.25">${escapeHtml(title)}</h1>${body}</div></div></body></html>`;
}
