/** The frame of customers' pages behind a link. It loads no script and nothing from another host. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { textsOf } from "#app/locales/customers/index.server.ts";
import { contactParts } from "#app/platform/contact-links.ts";
import { customerLanguage, customerPageHeaders, TooManyRequests } from "#app/platform/customer-page.ts";
import { env } from "#app/platform/env.server.ts";
import { type Language, languageNames, languages } from "#app/platform/locale.ts";

export const customerPage = (page: ReactElement, status = 200): Response =>
  new Response(toStandIns(writePage(page)), {
    status,
    headers: { ...customerPageHeaders, "Content-Type": "text/html; charset=utf-8" },
  });

export const writePage = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`;

/**
 * In the demo the public addresses of shop and documents lead to the stand-ins. The page has no script, which does that
 * elsewhere.
 */
function toStandIns(page: string): string {
  const { NODE_ENV, SANDBOX_SHOP_ORIGIN: shop, SANDBOX_DOCUMENTS_ORIGIN: documents } = env;
  if (NODE_ENV === "test" || shop === undefined || documents === undefined) return page;
  return page.replaceAll(
    /href="https:\/\/([^/"]+)/g,
    (_, host: string) => `href="${host.endsWith(".myshopify.com") ? shop : documents}`,
  );
}

/** @param retryAfter seconds */
export function busyPage(language: Language, retryAfter: number): Response {
  const t = textsOf(language, "common");
  const response = customerPage(
    <CustomerDocument language={language} title={t("busy.title")}>
      <p role="alert">{t("busy.body")}</p>
    </CustomerDocument>,
    429,
  );
  response.headers.set("Retry-After", String(retryAfter));
  return response;
}

/** Wraps a loader or action behind a customer's link. A client over the request limit gets an error page. */
export const customerRoute =
  (answer: (args: LoaderFunctionArgs) => Promise<Response>) =>
  async (args: LoaderFunctionArgs): Promise<Response> => {
    try {
      return await answer(args);
    } catch (error) {
      if (error instanceof TooManyRequests)
        return busyPage(customerLanguage(args.request), error.retryAfterSeconds);
      throw error;
    }
  };

const css = `body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:clamp(1rem,5vw,3rem) auto;padding:0 1rem;color:#202223}
header{font-weight:600;padding-bottom:.6rem;border-bottom:1px solid #ddd}h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem}h1,h2{hyphens:auto;overflow-wrap:anywhere}[role=alert]{color:#8e1f0b;font-weight:600}
label{display:flex;gap:.6rem;align-items:baseline;padding:.4rem 0;cursor:pointer}input{flex:none;width:1.2rem;height:1.2rem;margin:0;translate:0 .2rem}
input:is(:not([type]),[type=email],[type=text]){flex:1;box-sizing:border-box;min-width:0;width:100%;height:auto;font:inherit;padding:.4rem .6rem;translate:none}label:has(input:is(:not([type]),[type=email])){flex-direction:column;align-items:stretch;gap:.2rem}summary{cursor:pointer}
li{margin:.5rem 0}p,li{overflow-wrap:anywhere}ul{padding-left:0;list-style:none}small{color:#616161}
button,.button{display:inline-block;font:inherit;padding:.6rem 1.2rem;border:1px solid #444;border-radius:.5rem;background:#fff;color:inherit;text-decoration:none;cursor:pointer;margin:.25rem .5rem .25rem 0}button{background:#202223;color:#fff}
section{border:1px solid #8a8a8a;border-radius:.5rem;padding:0 1rem 1rem;margin-bottom:2rem}@media print{form,.button{display:none}}`;

interface DocumentProps {
  language: Language;
  title: string;
  children: ReactNode;
}

export function CustomerDocument({
  language,
  title,
  shopName = "",
  children,
}: DocumentProps & { shopName?: string }) {
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <title>{shopName === "" ? title : `${title} – ${shopName}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <style>{css}</style>
      </head>
      <body>
        {shopName !== "" && <header>{shopName}</header>}
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** Links to the same page in the other languages. */
function LanguageLinks({ language }: { language: Language }) {
  return languages
    .filter((each) => each !== language)
    .map((each, index) => (
      <Fragment key={each}>
        {index > 0 && " · "}
        <a href={`?language=${each}`} lang={each} hrefLang={each}>
          {languageNames[each]}
        </a>
      </Fragment>
    ));
}

/** The shop and order that a page is about. */
export interface ShownOrder {
  shop: string;
  shopName: string;
  orderName: string;
  isTest: boolean;
}

interface ShopPageProps extends DocumentProps {
  shop: Pick<ShownOrder, "shop" | "shopName" | "isTest">;
  /** the notice that a test account's contracts are not real */
  test: string;
}

/** A page of a shop. Its footer links back to the shop and to the other languages. */
export function ShopPage({
  shop: { shop, shopName, isTest },
  test,
  language,
  title,
  children,
}: ShopPageProps) {
  return (
    <CustomerDocument language={language} title={title} shopName={shopName}>
      {isTest && (
        <p role="note">
          <strong>{test}</strong>
        </p>
      )}
      {children}
      <footer>
        <p>
          <a href={`https://${shop}/`}>{textsOf(language, "common")("back", { shop: shopName })}</a>
        </p>
        <p>
          <LanguageLinks language={language} />
        </p>
      </footer>
    </CustomerDocument>
  );
}

/** "Order #1001", below the shop's name. */
export const OrderLine = ({ name, language }: { name: string; language: Language }) =>
  textsOf(language, "common")("orderName", { order: name });

/** Why the page has no content or choice. */
export function ReasonPage({
  language,
  title,
  body,
  children,
}: Omit<DocumentProps, "children"> & { body: string; children?: ReactNode }) {
  return (
    <CustomerDocument language={language} title={title}>
      <p>{body}</p>
      {children}
      <footer>
        <p>
          <LanguageLinks language={language} />
        </p>
      </footer>
    </CustomerDocument>
  );
}

/** A merchant's words about a contact: its addresses, e-mail addresses and telephone numbers are links. */
export function Linked({ text }: { text: string }) {
  return contactParts(text).map((part, index) =>
    typeof part === "string" ? (
      part
    ) : (
      <a key={index} href={part.to}>
        {part.label}
      </a>
    ),
  );
}

/** The answer to an order link that is not valid. */
export function GonePage({ language }: { language: Language }) {
  const t = textsOf(language, "common");
  return <ReasonPage language={language} title={t("gone.title")} body={t("gone.body")} />;
}
