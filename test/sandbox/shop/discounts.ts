/**
 * The discount of each order line. Product discounts come first, each on its own lines. Order discounts follow, spread
 * over every line by its remaining price: native order discounts cannot exclude a product. Shipping discounts are last.
 */
import { Decimal } from "decimal.js";
import type { Allocation, Discount, DiscountApplication } from "./state.ts";

export interface DiscountableLine {
  productId: string;
  quantity: number;
  /** unit price, minor units */
  price: number;
  /** what staff took off this line, minor units, one per discount */
  manual: readonly number[];
}

export interface Discounted {
  applications: DiscountApplication[];
  /** one list per line */
  lines: Allocation[][];
  shipping: Allocation[];
}

const precedence: Discount["target"][] = ["products", "order", "shipping"];

/** Staff's discount on one line, in minor units. */
export const manualDiscount = (amount: number): DiscountApplication => ({
  type: "manual",
  title: "Remise",
  targetType: "line_item",
  targetSelection: "explicit",
  allocationMethod: "across",
  value: { amount },
});

export function allocateDiscounts(
  lines: readonly DiscountableLine[],
  shippingPrice: number,
  discounts: readonly Discount[],
): Discounted {
  const applications: DiscountApplication[] = [];
  const allocations = lines.map((): Allocation[] => []);
  const shipping: Allocation[] = [];
  const left = lines.map(({ price, quantity }) => price * quantity);
  let shippingLeft = shippingPrice;
  const apply = (application: DiscountApplication): number => applications.push(application) - 1;
  const give = (index: number, amount: number, application: number): void => {
    if (amount === 0) return;
    allocations[index]?.push({ amount, application });
    left[index] = (left[index] ?? 0) - amount;
  };

  lines.forEach(({ manual }, index) => {
    for (const amount of manual) {
      const application = apply(manualDiscount(amount));
      give(index, amount, application);
    }
  });
  for (const discount of precedence.flatMap((target) => discounts.filter((each) => each.target === target))) {
    const { target, productIds, value } = discount;
    const application = apply({
      type: discount.code === null ? "automatic" : "discount_code",
      title: discount.code ?? discount.title,
      targetType: target === "shipping" ? "shipping_line" : "line_item",
      targetSelection: productIds === null ? "all" : "entitled",
      allocationMethod: target === "products" ? "each" : "across",
      value,
    });
    if (target === "shipping") {
      const amount = amountOff(shippingLeft, value);
      if (amount > 0) shipping.push({ amount, application });
      shippingLeft -= amount;
    } else if (target === "products") {
      lines.forEach(({ productId, quantity }, index) => {
        if (productIds !== null && !productIds.includes(productId)) return;
        const each = "amount" in value ? { amount: value.amount * quantity } : value;
        give(index, amountOff(left[index] ?? 0, each), application);
      });
    } else {
      const total = left.reduce((sum, amount) => sum + amount, 0);
      spread(amountOff(total, value), left).forEach((amount, index) => give(index, amount, application));
    }
  }
  return { applications, lines: allocations, shipping };
}

function amountOff(base: number, value: Discount["value"]): number {
  if ("amount" in value) return Math.min(base, value.amount);
  return new Decimal(base)
    .mul(value.percentage)
    .div(100)
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}

/** Proportional shares of an amount; the rounding remainder goes to the first lines, a cent each. */
function spread(amount: number, over: readonly number[]): number[] {
  const total = over.reduce((sum, each) => sum + each, 0);
  if (total === 0) return over.map(() => 0);
  const shares = over.map((each) => Math.floor((amount * each) / total));
  let rest = amount - shares.reduce((sum, each) => sum + each, 0);
  return shares.map((share, index) => {
    if (rest === 0 || share >= (over[index] ?? 0)) return share;
    rest -= 1;
    return share + 1;
  });
}
