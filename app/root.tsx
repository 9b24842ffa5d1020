import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
  useSearchParams,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { readLocale } from "./platform/locale.ts";
import type { Locale } from "./platform/locale.ts";
import type { loader as shell } from "./routes/app.tsx";
import { useNonce } from "./ui/nonce.ts";
import { shopIsElsewhere, shopIsMoving } from "./ui/shop-is-moving.ts";

function Document({ locale, children }: { locale: Locale; children: ReactNode }) {
  const nonce = useNonce();
  return (
    <html lang={locale}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <Document locale={useRouteLoaderData<typeof shell>("routes/app")?.locale ?? "en"}>
      <Outlet />
    </Document>
  );
}

const words = {
  en: {
    title: "Parasol cannot be shown now",
    body: "Your orders and plans are not affected: nothing is lost. Please try again in a minute.",
    reload: "Reload the page",
  },
  fr: {
    title: "Parasol ne peut pas s’afficher pour le moment",
    body: "Vos commandes et contrats ne sont pas touchés : rien n’est perdu. Réessayez dans une minute.",
    reload: "Recharger la page",
  },
};

/** Where not even the shell of the admin could be made, so that nothing of it may be needed here. */
export function ErrorBoundary() {
  const [search] = useSearchParams();
  const locale = readLocale(search.get("locale")) ?? "en";
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { reload, ...general } = words[locale];
  const { title, body } =
    status === 503 ? shopIsMoving[locale] : status === 409 ? shopIsElsewhere[locale] : general;
  return (
    <Document locale={locale}>
      <main style={{ maxWidth: "36rem", margin: "4rem auto", padding: "0 1rem", font: "1rem system-ui" }}>
        <h1 style={{ fontSize: "1.25rem" }}>{title}</h1>
        <p>{body}</p>
        <p>
          <button type="button" onClick={() => location.reload()}>
            {reload}
          </button>
        </p>
      </main>
    </Document>
  );
}
