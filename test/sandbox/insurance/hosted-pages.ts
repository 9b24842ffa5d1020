/** What the insurer hosts for shoppers: subscription and signature pages, legal documents, images. */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Insurer } from "./api.ts";
import type { Lead } from "./records.ts";
import { leadOffers, leadStatus, subscribe } from "./quotes.ts";
import { ApiError, findRecord } from "./service-state.ts";

const french = {
  documents: new Map([
    ["ipid", "Document d'information sur le produit d'assurance (IPID)"],
    ["conditions-generales", "Conditions générales"],
    ["presentation", "Présentation de l'assurance"],
  ]),
  colon: " : ",
  example: "Document d'exemple de la maquette de l’assureur : il ne vaut pas contrat.",
  unknown: "Devis introuvable",
  unknownBody: "Ce devis n'existe pas.",
  expired: "Devis expiré",
  expiredBody: "Ce devis a expiré ou a déjà servi.",
  subscribe: "Souscrire",
  done: "C'est fait",
  contract: "Votre contrat",
  active: "est actif.",
  impossible: "Souscription impossible",
  sign: "Signature du contrat",
  quote: "Devis",
  insuranceFor: "Assurance pour",
  byMerchant: "Le paiement est encaissé par votre marchand.",
  noSignature: "Aucune signature n'est attendue ici.",
  formula: "Votre formule",
  monthly: " par mois",
  for: "pour",
  locale: "fr-FR",
};
type Words = typeof french;

const english: Words = {
  documents: new Map([
    ["ipid", "Insurance product information document (IPID)"],
    ["conditions-generales", "General conditions"],
    ["presentation", "About the insurance"],
  ]),
  colon: ": ",
  example: "A sample document of the insurer's stand-in: it is no contract.",
  unknown: "Quote not found",
  unknownBody: "There is no such quote.",
  expired: "Quote expired",
  expiredBody: "This quote has expired or was used.",
  subscribe: "Subscribe",
  done: "Done",
  contract: "Your contract",
  active: "is active.",
  impossible: "This cannot be subscribed",
  sign: "Signature of the contract",
  quote: "Quote",
  insuranceFor: "Insurance for",
  byMerchant: "Your merchant takes the payment.",
  noSignature: "No signature is expected here.",
  formula: "Your cover",
  monthly: " per month",
  for: "for",
  locale: "en-GB",
};

export function hostedPages(service: Insurer): Hono {
  const app = new Hono();
  const wordsOf = () => (service.language === "en" ? english : french);
  const page = (title: string, content: Html) => pageIn(service.language, title, content);
  const find = (id: string) => findRecord(service.state, ({ leads }) => leads.get(id));

  app.get("/subscribe/:lead", (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page(wordsOf().unknown, html`<p>${wordsOf().unknownBody}</p>`), 404);
    if (leadStatus(service.state, lead) === "expired") {
      return c.html(page(wordsOf().expired, html`<p>${wordsOf().expiredBody}</p>`), 410);
    }
    return c.html(page(wordsOf().subscribe, form(lead, wordsOf())));
  });

  app.post("/subscribe/:lead", async (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page(wordsOf().unknown, html`<p>${wordsOf().unknownBody}</p>`), 404);
    const { offer } = await c.req.parseBody();
    try {
      const plan = subscribe(service.state, lead, typeof offer === "string" ? offer : "");
      return await c.html(
        page(
          wordsOf().done,
          html`<p>${wordsOf().contract} <strong id="contract">${plan.id}</strong> ${wordsOf().active}</p>`,
        ),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return c.html(page(wordsOf().impossible, html`<p>${error.message}</p>`), 422);
    }
  });

  app.get("/sign/:lead", (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page(wordsOf().unknown, html`<p>${wordsOf().unknownBody}</p>`), 404);
    const text = wordsOf();
    const content = html`<p>${text.quote} ${lead.id} ${text.for} ${lead.variant.title}.</p>
      <p>${lead.charged_by === "merchant" ? text.byMerchant : text.noSignature}</p>`;
    return c.html(page(text.sign, content));
  });

  app.get("/documents/:category/:document", (c) => {
    const text = wordsOf();
    const title = text.documents.get(c.req.param("document"));
    if (title === undefined) return c.notFound();
    return c.html(page(`${title}${text.colon}${c.req.param("category")}`, html`<p>${text.example}</p>`));
  });

  app.get("/assets/:name{.+\\.svg}", async (c) => {
    const label = c.req
      .param("name")
      .replace(/^logo\//, "")
      .replace(/\.svg$/, "");
    const hue = createHash("sha256").update(label).digest().readUInt16BE() % 360;
    const image = html`<svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 480 270"
      role="img"
      aria-label="${label}"
    >
      <rect width="480" height="270" fill="hsl(${hue} 55% 92%)" />
      <path d="M240 50l78 30v52c0 48-32 76-78 94-46-18-78-46-78-94V80z" fill="hsl(${hue} 55% 40%)" />
      <path d="M204 134l26 26 48-54" fill="none" stroke="#fff" stroke-width="14" />
      <text x="240" y="256" text-anchor="middle" font-family="sans-serif" font-size="18">${label}</text>
    </svg>`;
    return c.body((await image).toString(), 200, {
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=3600",
    });
  });

  return app;
}

type Html = ReturnType<typeof html>;

function pageIn(language: string, title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 36rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`;
}

function form(lead: Lead, text: Words): Html {
  const euros = (cents: number) =>
    new Intl.NumberFormat(text.locale, { style: "currency", currency: "EUR" }).format(cents / 100);
  return html`<p>${text.insuranceFor} ${lead.variant.title} (${euros(lead.variant.price)}).</p>
    <form method="post">
      <fieldset>
        <legend>${text.formula}</legend>
        ${leadOffers(lead).map(
          (offer) =>
            html`<label
                ><input type="radio" name="offer" value="${offer.reference_id}" required /> ${offer.title},
                ${euros(offer.price)}${offer.billing === "monthly" ? text.monthly : ""}</label
              ><br />`,
        )}
      </fieldset>
      <p><button>${text.subscribe}</button></p>
    </form>`;
}
