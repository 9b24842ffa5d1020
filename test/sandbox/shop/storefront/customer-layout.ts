/** The frame of the checkout's and the customer account's pages: Shopify's own, not the merchant's theme. */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { elsewhereScript } from "../elsewhere.ts";
import type { Visit } from "./visit.ts";

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export function customerPage(visit: Visit, title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="${visit.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · ${visit.sandbox.state.name}</title>
        <link rel="icon" href="data:," />
        <script>
          ${raw(elsewhereScript(visit.sandbox.elsewhere))};
        </script>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 36rem;
            margin: 0 auto;
            padding: 1.5rem 1rem 4rem;
          }
          h1 {
            font-size: 1.5rem;
          }
          h2 {
            font-size: 1.1rem;
            margin: 1.5rem 0 0.5rem;
          }
          label {
            display: block;
            margin: 0.6rem 0;
            font-size: 0.875rem;
          }
          input {
            display: block;
            width: 100%;
            box-sizing: border-box;
            font: inherit;
            padding: 0.6rem;
            border: 1px solid #8a8a8a;
            border-radius: 6px;
          }
          .pair {
            display: grid;
            grid-template-columns: 1fr 1fr;
            gap: 0.8rem;
          }
          button {
            width: 100%;
            padding: 0.9rem;
            margin-top: 1.2rem;
            font: inherit;
            font-weight: 600;
            border: 0;
            border-radius: 6px;
            background: #1a5cd6;
            color: #fff;
            cursor: pointer;
          }
          .summary {
            border: 1px solid #8886;
            border-radius: 8px;
            padding: 0.5rem 1rem;
          }
          .summary ul {
            list-style: none;
            margin: 0;
            padding: 0;
          }
          .summary li,
          .total {
            display: flex;
            justify-content: space-between;
            gap: 1rem;
            padding: 0.45rem 0;
            margin: 0;
          }
          .summary li span:last-child {
            white-space: nowrap;
          }
          .summary li.nested {
            padding-inline-start: 1.2rem;
            font-size: 0.9rem;
          }
          .total {
            border-top: 1px solid #8886;
          }
          .note {
            font-size: 0.8rem;
            opacity: 0.8;
          }
          .problem {
            white-space: pre-line;
            color: #b3261e;
          }
        </style>
      </head>
      <body>
        <p><a href="/">${visit.sandbox.state.name}</a></p>
        <main>${content}</main>
      </body>
    </html>`;
}
