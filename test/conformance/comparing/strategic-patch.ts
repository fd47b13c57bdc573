import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

/** Fields that identify an item of a list. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["containers", "initContainers", "env", "volumes", "secrets"].map((name) => [name, ["name"]])),
  ...Object.fromEntries(["imagePullSecrets", "schedulingGates", "parts"].map((name) => [name, ["name"]])),
  ports: ["containerPort", "port"],
  volumeMounts: ["mountPath"],
  conditions: ["type"],
  addresses: ["type"],
  hostAliases: ["ip"],
  podIPs: ["ip"],
  topologySpreadConstraints: ["topologyKey"],
  ownerReferences: ["uid"],
};
const WRONG_DIRECTIVES = ["merge", "merge", "other", "", 1, null, { a: 1 }];
const WRONG_LISTS: readonly Parsed[] = [
  null,
  "x",
  1,
  {},
  { a: "b" },
  [1],
  [null],
  [{}],
  [[]],
  ["x", 1],
  [{ other: 1 }],
];

/** Creates a strategic merge patch with at most one error, because Go reports any of several. */
export class StrategicPatch {
  readonly #random: Random;
  #isFaulty: boolean;

  constructor(random: Random) {
    this.#random = random;
    this.#isFaulty = random.chance(0.4);
  }

  of(object: Parsed): Parsed {
    const { apiVersion: _, kind: _k, metadata, ...rest } = object;
    const { name: _n, namespace: _s, generation: _g, ...own } = metadata;
    return this.#map({ ...rest, ...(this.#random.chance(0.4) && { metadata: own }) });
  }

  /** Whether to make an error here. */
  #fault(part: number): boolean {
    if (!this.#isFaulty || !this.#random.chance(part)) return false;
    this.#isFaulty = false;
    return true;
  }

  #map(map: Parsed, often = 0.35): Parsed {
    const random = this.#random;
    const patch: Parsed = {};
    for (const [field, value] of Object.entries<Parsed>(map)) {
      const chance = typeof value === "object" && Object.keys(map).length < 4 ? often * 2 : often;
      if (random.chance(chance)) this.#field(patch, field, value);
    }
    if (random.chance(0.04)) {
      const kept = Object.keys(map).filter(() => random.chance(0.6));
      patch.$retainKeys = [...new Set([...kept, ...Object.keys(patch).filter((name) => !name.startsWith("$"))])];
      if (this.#fault(0.3)) patch.$retainKeys = random.pick([kept, [], null, "x", [1], [...kept, "absent"]]);
    }
    if (random.chance(0.02)) patch.$patch = random.pick(["replace", "replace", "delete"]);
    else if (this.#fault(0.02)) patch.$patch = random.pick(WRONG_DIRECTIVES);
    return patch;
  }

  #field(patch: Parsed, field: string, value: Parsed): void {
    if (this.#random.chance(0.06)) patch[field] = null;
    else if (Array.isArray(value) && value.some((item) => typeof item !== "object")) this.#values(patch, field, value);
    else if (Array.isArray(value)) this.#items(patch, field, value);
    else if (typeof value === "object" && value !== null) patch[field] = this.#map(value);
    else patch[field] = otherScalar(this.#random, value, this.#fault(0.05));
  }

  #values(patch: Parsed, field: string, values: Parsed[]): void {
    const random = this.#random;
    const added = `${values[0]}x`;
    const removed = random.pick([values.slice(0, 1), values, ["absent"], []]);
    const order = random.pick([shuffled(random, values), [...values, added], values.slice(1), []]);
    const next = random.pick([[added], values.slice(1), [...values, ...values], []]);
    const way = random.int(5);
    // Go performs the deletion and the patch in random order, unless there is another directive.
    if (way === 0) patch[`$deleteFromPrimitiveList/${field}`] = this.#fault(0.2) ? random.pick(WRONG_LISTS) : removed;
    if (way >= 1 && way <= 3) patch[field] = next;
    if (way >= 2) patch[`$setElementOrder/${field}`] = this.#fault(0.2) ? random.pick(WRONG_LISTS) : order;
  }

  #items(patch: Parsed, field: string, items: Parsed[]): void {
    const random = this.#random;
    const key = KEYS[field]?.find((name) => items.every((item) => item?.[name] !== undefined));
    const parts = items.filter(() => random.chance(0.6)).map((item) => this.#item(item, key));
    const [first] = items;
    if (random.chance(0.2) && key !== undefined && first !== undefined) {
      const name = first.name === undefined ? {} : { name: "added" };
      parts.push({ ...structuredClone(first), [key]: otherScalar(random, first[key]), ...name });
    }
    if (random.chance(0.03)) parts.push(...structuredClone(parts));
    if (random.chance(0.03)) parts.splice(random.int(parts.length + 1), 0, { $patch: "replace" });
    else if (this.#fault(0.05)) parts.push({ $patch: random.pick(WRONG_DIRECTIVES) });
    if (this.#fault(0.03)) parts.push(random.pick<Parsed>([null, "x", {}, []]));
    if (parts.length > 0 || random.chance(0.3)) patch[field] = random.chance(0.3) ? shuffled(random, parts) : parts;
    if (key === undefined || random.chance(0.6)) return;
    const named = parts.filter((part) => part?.$patch === undefined).map((part) => part?.[key]);
    const others = items.map((item) => item[key]).filter((each) => !named.includes(each));
    const order = [...new Set(named)].filter((each) => each !== undefined);
    for (const other of others) if (random.chance(0.8)) order.splice(random.int(order.length + 1), 0, other);
    if (random.chance(0.05) && this.#fault(1)) order.reverse();
    patch[`$setElementOrder/${field}`] = order.map((each) => (this.#fault(0.02) ? each : { [key]: each }));
    if (this.#fault(0.02)) patch[`$setElementOrder/${field}`] = random.pick(WRONG_LISTS);
  }

  #item(item: Parsed, key: string | undefined): Parsed {
    const random = this.#random;
    if (item === null) return item;
    const named = key === undefined ? {} : { [key]: item[key] };
    if (random.chance(0.15) && key !== undefined) return { ...named, $patch: "delete" };
    if (this.#fault(0.05)) return { ...named, $patch: random.pick([...WRONG_DIRECTIVES, "delete"]) };
    if (this.#fault(0.02)) return this.#map(item);
    if (key === undefined && random.chance(0.8)) return item;
    return { ...this.#map(item, 0.3), ...named };
  }
}

function shuffled<T>(random: Random, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/** Returns another value, usually of the same type. */
export function otherScalar(random: Random, value: Parsed, isWrong = random.chance(0.02)): Parsed {
  if (random.chance(0.3)) return value;
  if (isWrong) return random.pick<Parsed>([1, "x", true, {}, [], 1.5]);
  if (typeof value === "number") return random.pick([value + 1, value * 2, 5, 0]);
  if (typeof value === "boolean") return !value;
  return /^\d+$/.test(value) ? "7" : `${value}${random.pick(["x", "1"])}`;
}
