import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
  useSearchParams,
} from "@remix-run/react";
import type { CSSProperties, ReactNode } from "react";
import { readLocale } from "./platform/locale.ts";
import type { Locale } from "./platform/locale.ts";
import type { loader as shell } from "./routes/app.tsx";
import { useNonce } from "./ui/nonce.ts";

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
    body: "Your orders and contracts are not affected: nothing is lost. Please try again in a minute.",
    reload: "Reload the page",
  },
  fr: {
    title: "Parasol ne peut pas s’afficher pour le moment",
    body: "Vos commandes et contrats ne sont pas touchés : rien n’est perdu. Réessayez dans une minute.",
    reload: "Recharger la page",
  },
};

/** As the admin's cards and buttons look, without its style sheet. */
const card: CSSProperties = {
  maxWidth: "36rem",
  margin: "auto",
  padding: "1.5rem",
  borderRadius: ".75rem",
  boxShadow: "0 1px 3px rgb(0 0 0 / .2)",
  background: "#fff",
  color: "#303030",
  font: "1rem/1.5 system-ui",
};
const button: CSSProperties = {
  minHeight: "2.75rem",
  padding: ".5rem 1rem",
  border: 0,
  borderRadius: ".5rem",
  background: "#303030",
  color: "#fff",
  font: "600 1rem system-ui",
  cursor: "pointer",
};

/** Where not even the shell of the admin could be made, so that nothing of it may be needed here. */
export function ErrorBoundary() {
  const [search] = useSearchParams();
  const locale = readLocale(search.get("locale")) ?? "en";
  const { title, body, reload } = words[locale];
  return (
    <Document locale={locale}>
      <main style={{ padding: "2rem 1rem" }}>
        <div style={card}>
          <h1 style={{ fontSize: "1.25rem", lineHeight: 1.3, margin: 0 }}>{title}</h1>
          <p style={{ margin: ".75rem 0 1.25rem" }}>{body}</p>
          <button type="button" style={button} onClick={() => location.reload()}>
            {reload}
          </button>
        </div>
      </main>
    </Document>
  );
}
