import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";

/** Values that are invalid or at a limit in some fields. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 65_536, 2_147_483_648, [], {}, [""], ["a", "a"], { a: "b" }, { "": "" }],
  ...["", " ", "a", "A_b", "-", "é", "a.b", "http", "Always", "10%", "1Gi", "foo/bar/baz", "1.2.3.4", "2001:db8::1"],
  ...["2020-01-01T00:00:00Z", "x".repeat(64), "x".repeat(254)],
];
const ENDINGS = ["X", "/", ".", "-", " ", "é", "x".repeat(250)];

export interface Changed {
  readonly object: Parsed;
  /** Description of the change. */
  readonly what: string;
}

/** Returns a copy in which one or two fields are removed, duplicated, extended, or replaced. */
export function changedObject(random: Random, object: Parsed): Changed {
  const copy = structuredClone(object);
  const what: string[] = [];
  for (let times = random.chance(0.7) ? 1 : 2; times > 0; times--) {
    const places = placesIn(copy);
    if (places.length === 0) break;
    const path = random.pick(places);
    const name = path.at(-1) as string;
    const parent = path.slice(0, -1).reduce<Parsed>((value, step) => value[step], copy);
    what.push(`${change(random, parent, name)} ${path.join(".")}`);
  }
  return { object: copy, what: what.join(", ") };
}

function change(random: Random, parent: Parsed, name: string): string {
  const isList = Array.isArray(parent);
  if (random.chance(0.25)) {
    if (isList) parent.splice(Number(name), 1);
    else delete parent[name];
    return "without";
  }
  if (isList && random.chance(0.2)) {
    parent.push(structuredClone(parent[Number(name)]));
    return "doubled";
  }
  if (typeof parent[name] === "string" && random.chance(0.2)) {
    parent[name] += random.pick(ENDINGS);
    return "longer";
  }
  parent[name] = structuredClone(random.pick(VALUES));
  return `${JSON.stringify(parent[name]).slice(0, 30)} in`;
}

/** Fields that identify the object and are not changed. */
const KEPT = /^(apiVersion|kind|metadata|metadata\.name|metadata\.namespace)$/;

/** Returns the paths of all fields and items. */
export function placesIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const at = [...path, name];
    return [...(KEPT.test(at.join(".")) ? [] : [at]), ...placesIn(child, at)];
  });
}

/** Returns a part of an object, as in a patch. */
export function partOf(random: Random, value: Parsed, isWhole = true): Parsed {
  if (Array.isArray(value)) return value.filter(() => random.chance(0.8)).map((item) => partOf(random, item, false));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => (isWhole && (name === "apiVersion" || name === "kind" || name === "metadata")) || random.chance(0.6),
  );
  return Object.fromEntries(entries.map(([name, child]) => [name, partOf(random, child, false)]));
}
