/** This repository's shopify.app.toml, as Shopify parses it when the app is deployed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

/** App-owned metafields of one kind of owner. */
const owned = z
  .object({
    metafields: z.object({
      app: z.record(
        z.string(),
        z.object({ type: z.string(), access: z.object({ storefront: z.string().optional() }).optional() }),
      ),
    }),
  })
  .optional();

const schema = z.object({
  name: z.string(),
  application_url: z.url(),
  embedded: z.boolean(),
  access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()).default([]) }),
  app_proxy: z
    .object({ url: z.string(), subpath: z.string(), prefix: z.enum(["apps", "a", "community", "tools"]) })
    .optional(),
  product: owned,
  variant: owned,
  order: owned,
  shop: owned,
  webhooks: z.object({
    api_version: z.string(),
    subscriptions: z
      .array(
        z.object({
          topics: z.array(z.string()).default([]),
          compliance_topics: z.array(z.string()).default([]),
          uri: z.string(),
          filter: z.string().optional(),
          include_fields: z.array(z.string()).optional(),
        }),
      )
      .default([]),
  }),
});

export interface AppConfiguration {
  name: string;
  scopes: string[];
  /** The optional scopes, which merchants may grant or decline in the admin. */
  optionalScopes: string[];
  /** Shoppers see `/<prefix>/<subpath>/…`; the app answers under `path`. Null: the app has no proxy. */
  appProxy: { prefix: string; subpath: string; path: string } | null;
  apiVersion: string;
  /** One entry per topic. `uri` is relative to the app's URL or absolute. */
  webhooks: { topic: string; uri: string; includeFields: string[] | null }[];
  /** The types of the app-owned metafields, by their owner's type and key: `productvariant.band`. */
  metafields: ReadonlyMap<string, string>;
  /** Keys of the app-owned product metafields that the Storefront API returns. */
  publicProductMetafields: ReadonlySet<string>;
}

const file = join(import.meta.dirname, "../../../shopify.app.toml");

export function readAppConfiguration(): AppConfiguration {
  const config = schema.parse(parse(readFileSync(file, "utf8")));
  const proxy = config.app_proxy;
  return {
    name: config.name,
    scopes: config.access_scopes.scopes
      .split(",")
      .map((scope) => scope.trim())
      .filter(Boolean),
    optionalScopes: config.access_scopes.optional_scopes,
    appProxy:
      proxy === undefined
        ? null
        : {
            prefix: proxy.prefix,
            subpath: proxy.subpath,
            path: new URL(proxy.url, config.application_url).pathname.replace(/\/$/, ""),
          },
    metafields: new Map(
      (
        [
          ["product", config.product],
          ["productvariant", config.variant],
          ["order", config.order],
          ["shop", config.shop],
        ] as const
      ).flatMap(([owner, given]) =>
        Object.entries(given?.metafields.app ?? {}).map(
          ([key, { type }]) => [`${owner}.${key}`, type] as const,
        ),
      ),
    ),
    publicProductMetafields: new Set(
      Object.entries(config.product?.metafields.app ?? {})
        .filter(([, { access }]) => access?.storefront === "public_read")
        .map(([key]) => key),
    ),
    apiVersion: config.webhooks.api_version,
    webhooks: config.webhooks.subscriptions.flatMap((subscription) => {
      // The stand-in supports no filters. Ignoring one would deliver more than Shopify does.
      if (subscription.filter !== undefined)
        throw new Error(`The stand-in does not know webhook filters: ${subscription.filter}`);
      return [...subscription.topics, ...subscription.compliance_topics].map((topic) => ({
        topic,
        uri: subscription.uri,
        includeFields: subscription.include_fields ?? null,
      }));
    }),
  };
}
