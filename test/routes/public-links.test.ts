/** The pages behind a signed link: each accepts links of its own purpose and shop alone, for GET and POST. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { beforeAll, expect, test } from "vitest";
import { env } from "#app/platform/env.server.ts";
import { readSignedPart, signPart, type SignedPurpose } from "#app/platform/signed-link.server.ts";
import { loader as claim } from "#app/routes/claims.$shop.$link.tsx";
import { action as insure, loader as insurePage } from "#app/routes/insure.$shop.$link.tsx";
import { action as stopQuotes, loader as quote } from "#app/routes/quotes.$shop.$link.tsx";
import { action as confirmSale, loader as sale } from "#app/routes/sales.$shop.$link.tsx";
import { action as withdraw, loader as withdrawal } from "#app/routes/withdrawals.$shop.$link.tsx";
import { connectShop } from "#test/install.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { responseOf } from "./ask.ts";

interface LinkPage {
  purpose: SignedPurpose;
  /** in its links' format: only the signature shows that the link is another page's */
  id: string;
  load: (args: LoaderFunctionArgs) => Promise<unknown>;
  act: (args: ActionFunctionArgs) => Promise<unknown>;
}
const pages: LinkPage[] = [
  { purpose: "quote links", id: "aaaaaaaaaaaaaaaaaaaaaa", load: quote, act: stopQuotes },
  { purpose: "withdrawal links", id: "1001", load: withdrawal, act: withdraw },
  // This page has no form.
  { purpose: "claim links", id: "1001", load: claim, act: claim },
  { purpose: "insurance links", id: "1001-c-29991231", load: insurePage, act: insure },
  { purpose: "draft order links", id: "1001-29991231", load: sale, act: confirmSale },
];

beforeAll(async () => {
  await connectShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
});

test.each(pages)("a page of $purpose is refused with every link that is not its own", async (page) => {
  const { purpose, id, load, act } = page;
  const own = signPart(purpose, shop.shopDomain, id);
  const others = pages.filter((each) => each !== page);
  const wrong = [
    ...others.flatMap((other) =>
      [id, other.id].map((each) => signPart(other.purpose, shop.shopDomain, each)),
    ),
    signPart(purpose, otherShop.shopDomain, id),
    own.replace(/^./, "9"),
    own.slice(0, -1),
    `${own}a`,
    own.replace(/\..*/, ""),
    "",
    "../../app",
  ];
  for (const link of wrong) {
    const params = { shop: shop.shopDomain, link };
    const address = "http://app.test/page?language=en";
    const sent = { method: "POST", body: new URLSearchParams({ step: "confirm", agreed: "yes" }) };
    const responses = await Promise.all([
      responseOf(load({ request: new Request(address), params, context: {} })),
      responseOf(act({ request: new Request(address, sent), params, context: {} })),
    ]);
    expect([link, ...responses.map(({ status }) => status)]).toEqual([link, 404, 404]);
  }
});

test("a link from before the last rotations is valid while its secret is among the former ones", () => {
  const { SHOPIFY_API_SECRET: current } = env;
  env.SHOPIFY_API_SECRET = "the first one";
  const link = signPart("withdrawal links", shop.shopDomain, "1001");
  env.SHOPIFY_API_SECRET = current;
  const read = () => readSignedPart("withdrawal links", shop.shopDomain, link);
  expect(read()).toBeNull();
  env.SHOPIFY_API_SECRETS_FORMER = ["the second one", "the first one"];
  expect(read()).toBe("1001");
  env.SHOPIFY_API_SECRETS_FORMER = [];
});
