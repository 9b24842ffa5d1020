/** The product page's script: offers, and the requests that carry a chosen plan into the cart. */
import "./intercept-fetch.ts";
import "./intercept-form.ts";
import "./intercept-xhr.ts";
import { offerBlocks, openBeforeSubmit } from "./parasol-offer.ts";
import { onRefresh } from "./public-api.ts";
import { observeVariants } from "./selected-variant.ts";

const follow = () => {
  for (const block of offerBlocks()) block.followVariant();
};

follow();
observeVariants(follow);
onRefresh(follow);
addEventListener("submit", openBeforeSubmit, true);
