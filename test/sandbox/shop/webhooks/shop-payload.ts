/** The REST shop. */
import type { ShopState } from "../state.ts";
import { numericId } from "./json.ts";
import { toShopTime } from "./rest.ts";
import type { Json } from "./rest.ts";

export function shopPayload(state: ShopState): Json {
  return {
    id: numericId(state.id),
    name: state.name,
    email: state.email,
    domain: state.domain,
    province: null,
    country: "FR",
    address1: "12 rue de la Paix",
    zip: "75002",
    city: "Paris",
    phone: "",
    created_at: toShopTime(state.createdAt, state.timezone),
    updated_at: toShopTime(new Date().toISOString(), state.timezone),
    country_code: "FR",
    country_name: "France",
    currency: state.currency,
    customer_email: state.email,
    timezone: `(GMT+01:00) ${state.timezone}`,
    iana_timezone: state.timezone,
    shop_owner: "Camille Martin",
    money_format: "{{amount_with_comma_separator}} €",
    weight_unit: "kg",
    taxes_included: true,
    plan_display_name: state.plan,
    plan_name: state.plan.toLowerCase(),
    myshopify_domain: state.domain,
    primary_locale: state.locale,
    enabled_presentment_currencies: [state.currency],
  };
}
