/** What the insurer hosts for shoppers: subscription and signature pages, legal documents, images. */
import { createHash } from "node:crypto";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Insurer } from "./api.ts";
import type { Lead } from "./records.ts";
import { leadOffers, leadStatus, subscribe } from "./quotes.ts";
import { ApiError, findRecord } from "./service-state.ts";

const DOCUMENTS = new Map([
  ["ipid", "Document d'information sur le produit d'assurance (IPID)"],
  ["conditions-generales", "Conditions générales"],
  ["presentation", "Présentation de l'assurance"],
]);

export function hostedPages(service: Insurer): Hono {
  const app = new Hono();
  const find = (id: string) => findRecord(service.state, ({ leads }) => leads.get(id));

  app.get("/subscribe/:lead", (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page("Devis introuvable", html`<p>Ce devis n'existe pas.</p>`), 404);
    if (leadStatus(service.state, lead) === "expired") {
      return c.html(page("Devis expiré", html`<p>Ce devis a expiré ou a déjà servi.</p>`), 410);
    }
    return c.html(page("Souscrire", form(lead)));
  });

  app.post("/subscribe/:lead", async (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page("Devis introuvable", html`<p>Ce devis n'existe pas.</p>`), 404);
    const { offer } = await c.req.parseBody();
    try {
      const plan = subscribe(service.state, lead, typeof offer === "string" ? offer : "");
      return await c.html(
        page("C'est fait", html`<p>Votre contrat <strong id="contract">${plan.id}</strong> est actif.</p>`),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return c.html(page("Souscription impossible", html`<p>${error.message}</p>`), 422);
    }
  });

  app.get("/sign/:lead", (c) => {
    const lead = find(c.req.param("lead"));
    if (!lead) return c.html(page("Devis introuvable", html`<p>Ce devis n'existe pas.</p>`), 404);
    const content = html`<p>Devis ${lead.id} pour ${lead.variant.title}.</p>
      <p>
        ${lead.charged_by === "merchant" ? "Le paiement est encaissé par votre marchand." : "Aucune signature n'est attendue ici."}
      </p>`;
    return c.html(page("Signature du contrat", content));
  });

  app.get("/documents/:category/:document", (c) => {
    const title = DOCUMENTS.get(c.req.param("document"));
    if (title === undefined) return c.notFound();
    return c.html(
      page(
        `${title} : ${c.req.param("category")}`,
        html`<p>Document d'exemple de la maquette de l’assureur : il ne vaut pas contrat.</p>`,
      ),
    );
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

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="fr">
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

function form(lead: Lead): Html {
  return html`<p>Assurance pour ${lead.variant.title} (${euros(lead.variant.price)}).</p>
    <form method="post">
      <fieldset>
        <legend>Votre formule</legend>
        ${leadOffers(lead).map(
          (offer) =>
            html`<label
                ><input type="radio" name="offer" value="${offer.reference_id}" required /> ${offer.title},
                ${euros(offer.price)}${offer.billing === "monthly" ? " par mois" : ""}</label
              ><br />`,
        )}
      </fieldset>
      <p><button>Souscrire</button></p>
    </form>`;
}

function euros(cents: number): string {
  return new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" }).format(cents / 100);
}
