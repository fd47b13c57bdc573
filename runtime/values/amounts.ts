import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  ZERO_QUANTITY,
} from "./quantity.ts";

type ResourceList = Record<string, string>;

/** Parsed quantities by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>;

export const NO_AMOUNTS: Amounts = new Map();

export function readAmounts(list: Readonly<ResourceList> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, amount]) => [name, parseQuantity(String(amount))]));
}

export function writeAmounts(amounts: Amounts): ResourceList {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addInto(sum, b);
  return sum;
}

export function addInto(sum: Map<string, Quantity>, added: Amounts): void {
  for (const [name, amount] of added) {
    const known = sum.get(name);
    sum.set(name, known === undefined ? amount : addQuantities(known, amount));
  }
}

/** Raises the quantity of each resource in `largest` to that in `amounts` if it is larger. */
export function raiseTo(largest: Map<string, Quantity>, amounts: Iterable<readonly [string, Quantity]>): void {
  for (const [name, amount] of amounts) {
    const known = largest.get(name);
    if (known === undefined || compareQuantities(amount, known) > 0) largest.set(name, amount);
  }
}

/** `a` minus `b` for each resource; negative differences count as zero. */
export function surplus(a: Amounts, b: Amounts): Amounts {
  const difference = new Map<string, Quantity>();
  for (const [name, amount] of a) {
    const less = b.get(name);
    const left = less === undefined ? amount : addQuantities(amount, { ...less, unscaled: -less.unscaled });
    difference.set(name, left.unscaled < 0n ? ZERO_QUANTITY : left);
  }
  return difference;
}

export function onlyNames(amounts: Amounts, names: Iterable<string>): Amounts {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
}

export function withoutZeros(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, amount]) => amount.unscaled !== 0n));
}

/** Formats quantities as `cpu=1,pods=2`, sorted by name. */
export function describeAmounts(amounts: Amounts): string {
  const names = [...amounts.keys()].sort();
  return names.map((name) => `${name}=${formatQuantity(amounts.get(name) as Quantity)}`).join(",");
}
