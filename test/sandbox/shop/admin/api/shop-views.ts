/** The shop, its themes and the app's installation as the Admin API shows them. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { gid } from "../../ids.ts";
import { appId } from "../../metafields.ts";
import { themeFiles } from "../theme-files.ts";
import type { Market } from "../../state.ts";
import { metafieldFields } from "./metafield-fields.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

export function shopView(read: Reader): View {
  const { state, origin } = read.shop;
  const id = gid("Shop", state.id);
  const offset = timezoneOffset(state.timezone);
  return {
    __typename: "Shop",
    id,
    name: state.name,
    email: state.email,
    contactEmail: state.email,
    shopOwnerName: "Camille Martin",
    myshopifyDomain: state.domain,
    url: origin,
    primaryDomain: {
      __typename: "Domain",
      id: gid("Domain", state.id),
      host: new URL(origin).host,
      url: origin,
      sslEnabled: false,
    },
    currencyCode: state.currency,
    enabledPresentmentCurrencies: [state.currency],
    currencyFormats: {
      __typename: "CurrencyFormats",
      moneyFormat: "{{amount_with_comma_separator}} €",
      moneyWithCurrencyFormat: "{{amount_with_comma_separator}} €",
      moneyInEmailsFormat: "{{amount_with_comma_separator}} €",
      moneyWithCurrencyInEmailsFormat: "{{amount_with_comma_separator}} €",
    },
    currencySettings: (args: unknown) =>
      connection(
        "CurrencySetting",
        {
          items: [state.currency],
          id: (item) => item,
          view: currencyView,
        },
        args,
      ),
    ianaTimezone: state.timezone,
    timezoneOffset: offset,
    timezoneOffsetMinutes: Number(offset.slice(0, 3)) * 60 + Number(offset.charAt(0) + offset.slice(3)),
    weightUnit: "KILOGRAMS",
    unitSystem: "METRIC_SYSTEM",
    taxesIncluded: true,
    taxShipping: true,
    setupRequired: false,
    createdAt: state.createdAt,
    updatedAt: state.createdAt,
    plan: {
      __typename: "ShopPlan",
      displayName: state.plan,
      publicDisplayName: state.plan,
      partnerDevelopment: false,
      shopifyPlus: state.plan === "Shopify Plus",
    },
    productTypes: (args: unknown) =>
      stringConnection(
        [...state.products.values()].map(({ productType }) => productType),
        args,
      ),
    productVendors: (args: unknown) =>
      stringConnection(
        [...state.products.values()].map(({ vendor }) => vendor),
        args,
      ),
    productTags: (args: unknown) =>
      stringConnection(
        [...state.products.values()].flatMap(({ tags }) => tags),
        args,
      ),
    ...metafieldFields(read, id),
  };
}

export function marketView({ id, name, currency, localCurrencies, active }: Market): View {
  return {
    __typename: "Market",
    id: gid("Market", id),
    name,
    handle: name.toLowerCase(),
    status: active ? "ACTIVE" : "DRAFT",
    type: "REGION",
    currencySettings:
      currency === null
        ? null
        : {
            __typename: "MarketCurrencySettings",
            baseCurrency: currencyView(currency),
            localCurrencies,
            roundingEnabled: true,
          },
  };
}

function currencyView(currency: string): View {
  return {
    __typename: "CurrencySetting",
    currencyCode: currency,
    currencyName: currency,
    enabled: true,
    manualRate: null,
    rateUpdatedAt: null,
  };
}

/** A StringConnection: its nodes are texts, so it cannot be made by `connection`. */
export function stringConnection(values: string[], args: unknown): View {
  const { first } = z.object({ first: z.number() }).parse(args);
  const all = [...new Set(values)].filter((value) => value !== "").sort((a, b) => a.localeCompare(b));
  const page = all.slice(0, first);
  return {
    __typename: "StringConnection",
    nodes: page,
    edges: page.map((node) => ({ __typename: "StringEdge", node, cursor: node })),
    pageInfo: {
      __typename: "PageInfo",
      hasNextPage: all.length > page.length,
      hasPreviousPage: false,
      startCursor: page[0] ?? null,
      endCursor: page.at(-1) ?? null,
    },
  };
}

function timezoneOffset(timezone: string): string {
  const part = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" })
    .formatToParts(new Date())
    .find(({ type }) => type === "timeZoneName");
  return part?.value.replace("GMT", "").replace(":", "") || "+0000";
}

export function appInstallationView(read: Reader): View {
  const { shop } = read;
  const installation = shop.state.installation;
  const id = gid("AppInstallation", installation?.id ?? "0");
  const scopes = (installation?.scopes ?? []).map((handle): View => ({
    __typename: "AccessScope",
    handle,
    description: handle,
  }));
  return {
    __typename: "AppInstallation",
    id,
    accessScopes: scopes,
    launchUrl: shop.adminUrl,
    uninstallUrl: null,
    activeSubscriptions: [],
    allSubscriptions: (args: unknown) =>
      connection(
        "AppSubscription",
        { items: [] as string[], id: (item) => item, view: () => ({ __typename: "AppSubscription" }) },
        args,
      ),
    app: () => ({
      __typename: "App",
      id: gid("App", appId),
      apiKey: shop.apiKey,
      handle: "parasol",
      title: shop.app.name,
      embedded: true,
      requestedAccessScopes: scopes,
      optionalAccessScopes: [],
      webhookApiVersion: shop.app.apiVersion,
      installation: () => appInstallationView(read),
    }),
    ...metafieldFields(read, id),
  };
}

/** The one theme that the stand-in publishes. */
export const themeId = "176512340001";
const filesArguments = z.object({
  filenames: z.array(z.string()).nullish(),
  first: z.number().nullish(),
  after: z.string().nullish(),
});

export function themeView(read: Reader): View {
  const { state } = read.shop;
  return {
    __typename: "OnlineStoreTheme",
    id: gid("OnlineStoreTheme", themeId),
    name: state.theme.name,
    prefix: `/t/1`,
    role: "MAIN",
    processing: false,
    processingFailed: false,
    themeStoreId: null,
    createdAt: state.createdAt,
    updatedAt: state.createdAt,
    files: (args: unknown) => {
      const { filenames, first } = filesArguments.parse(args);
      const items = [...themeFiles(read.shop)]
        .filter(
          ([name]) =>
            filenames == null ||
            filenames.some((wanted) =>
              wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted,
            ),
        )
        .map(([name, content]) => ({ name, content }));
      const view = ({ name, content }: { name: string; content: string }): View => ({
        __typename: "OnlineStoreThemeFile",
        filename: name,
        contentType: name.endsWith(".json") ? "application/json" : "application/x-liquid",
        checksumMd5: createHash("md5").update(content).digest("hex"),
        size: `${Buffer.byteLength(content)}`,
        createdAt: state.createdAt,
        updatedAt: state.createdAt,
        body: { __typename: "OnlineStoreThemeFileBodyText", content },
      });
      return {
        ...connection(
          "OnlineStoreThemeFile",
          { items, id: (item) => item.name, view },
          { ...filesArguments.parse(args), first: first ?? 50 },
        ),
        userErrors: [],
      };
    },
  };
}
