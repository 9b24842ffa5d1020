/** Small pages for customers, behind a signed link: no script, and texts from outside are never markup. */
import { type Language, languageNames, languages, type Locale, readLanguage, readLocale } from "./locale.ts";

/** The link is all that a customer has to show: no store, referrer or search engine keeps it. */
export const customerPageHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
} as const;

export const customerPage = (html: string, status = 200): Response =>
  new Response(html, {
    status,
    headers: { ...customerPageHeaders, "Content-Type": "text/html; charset=utf-8" },
  });

/** Links to the same page in the other languages. */
export const languageLinks = (language: Language): string =>
  languages
    .filter((each) => each !== language)
    .map((each) => `<a href="?language=${each}" lang="${each}" hreflang="${each}">${languageNames[each]}</a>`)
    .join(" · ");

/** @param main HTML below the title */
export function customerDocument(language: Language, title: string, main: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:clamp(1rem,5vw,3rem) auto;padding:0 1rem;color:#202223}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem}[role=alert]{color:#8e1f0b;font-weight:600}
label{display:flex;gap:.6rem;align-items:baseline;padding:.4rem 0;cursor:pointer}input{flex:none;width:1.2rem;height:1.2rem;margin:0;translate:0 .2rem}
input:is(:not([type]),[type=email],[type=text]){flex:1;box-sizing:border-box;min-width:0;width:100%;height:auto;font:inherit;padding:.4rem .6rem;translate:none}label:has(input:is(:not([type]),[type=email])){flex-direction:column;align-items:stretch;gap:.2rem}summary{cursor:pointer}
li{margin:.5rem 0;overflow-wrap:anywhere}ul{padding-left:0;list-style:none}small{color:#616161}
button,.button{display:inline-block;font:inherit;padding:.6rem 1.2rem;border:1px solid #444;border-radius:.5rem;background:#fff;color:inherit;text-decoration:none;cursor:pointer;margin:.25rem .5rem .25rem 0}button{background:#202223;color:#fff}
section{border:1px solid #8a8a8a;border-radius:.5rem;padding:0 1rem 1rem;margin-bottom:2rem}@media print{form,.button{display:none}}</style>
</head><body><main><h1>${escapeHtml(title)}</h1>${main}</main></body></html>`;
}

const busyTexts: Record<Language, [title: string, body: string]> = {
  en: ["Too many attempts", "Wait a few minutes and try again, or contact the shop."],
  fr: ["Trop d’essais", "Patientez quelques minutes et réessayez, ou contactez la boutique."],
  de: [
    "Zu viele Versuche",
    "Warten Sie ein paar Minuten und versuchen Sie es noch einmal, oder wenden Sie sich an den Shop.",
  ],
  es: [
    "Demasiados intentos",
    "Espere unos minutos e inténtelo de nuevo, o póngase en contacto con la tienda.",
  ],
  it: ["Troppi tentativi", "Attenda qualche minuto e riprovi, oppure contatti il negozio."],
  nl: [
    "Te veel pogingen",
    "Wacht een paar minuten en probeer het opnieuw, of neem contact op met de winkel.",
  ],
  pt: ["Demasiadas tentativas", "Aguarde alguns minutos e tente novamente, ou contacte a loja."],
};

/** @param retryAfter seconds */
export function busyPage(language: Language, retryAfter: number): Response {
  const [title, body] = busyTexts[language];
  const response = customerPage(customerDocument(language, title, `<p role="alert">${body}</p>`), 429);
  response.headers.set("Retry-After", String(retryAfter));
  return response;
}

/** Of a page that only the admin's languages have. */
export const customerLocale = (request: Request): Locale => chosenLanguage(request, readLocale) ?? "en";

/** @param usual for a browser that accepts none of the languages */
export const customerLanguage = (request: Request, usual: Language = "en"): Language =>
  chosenLanguage(request, readLanguage) ?? usual;

/** The language that the customer chose on the page, or the first of Accept-Language that the page has; null: none. */
function chosenLanguage<Code extends Language>(
  { headers, url }: Request,
  read: (tag: string | null) => Code | null,
): Code | null {
  const chosen = read(new URL(url).searchParams.get("language"));
  if (chosen !== null) return chosen;
  const wanted = (headers.get("accept-language") ?? "").split(",");
  return wanted.map((tag) => read(tag.split(";")[0]?.trim() ?? "")).find((code) => code !== null) ?? null;
}

/** `A•••` of `Ana`, `a•••@example.com` of an address: others with the link learn no more. */
export const masked = (text: string): string =>
  text
    .split(" ")
    .map((word) => word.replace(/^(.)[^@]*/u, "$1•••"))
    .join(" ");

/** A text escaped for HTML, also inside an attribute's quotes: nothing of it is markup. */
export function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[char] ?? char,
  );
}
