import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import { placesIn } from "./changed-object.ts";
import { withoutOwn } from "./changed-writes.ts";
import type { ComparedRequest, RequestMaker, SequenceMaker } from "./compared-request.ts";
import { RICH_EXAMPLES, STATUSES } from "./rich-examples.ts";
import { otherScalar, StrategicPatch } from "./strategic-patch.ts";

const STEPS = 7;

/** Patches of two or more parts at once, of all stored objects. */
export const patches: RequestMaker = (random, { stored }) => {
  const { path, mine } = random.pick(stored.filter(({ mine: { kind } }) => kind !== "ConfigMap" || random.chance(0.2)));
  return patchOf(random, `${path}/${mine.metadata.name}`, mine, "dryRun=All&");
};

/** Consecutive patches of objects with many lists, and of their status. */
export const patchedLives: SequenceMaker = (random, { examples }) => {
  const example = random.pick(random.chance(0.9) ? RICH_EXAMPLES : examples.filter(({ path }) => /compare/.test(path)));
  const name = `patched-${random.int(2 ** 31)}`;
  const { finalizers: _, ...metadata } = { ...example.object.metadata, name };
  const object = { ...example.object, metadata };
  const path = `${example.path}/${name}`;
  const status = STATUSES[object.kind];
  const steps = Array.from({ length: STEPS }, () => {
    const isStatus = status !== undefined && random.chance(0.3);
    return patchOf(random, path, { ...object, ...(isStatus && { status }) }, "", isStatus);
  });
  return [
    { method: "POST", path: example.path, bodies: [object, object], what: "creation" },
    ...(status === undefined
      ? []
      : [
          {
            method: "PATCH",
            path: `${path}/status`,
            type: "application/merge-patch+json",
            bodies: [{ status }, { status }] as const,
            what: "status",
          },
        ]),
    ...steps,
    { method: "DELETE", path: `${path}?gracePeriodSeconds=0`, what: "deletion", view: withSortedOwners },
  ];
};

function patchOf(random: Random, path: string, stored: Parsed, options: string, isStatus = false): ComparedRequest {
  const object = withoutOwn(stored);
  const managed = random.pick([
    "",
    "fieldManager=one",
    "fieldManager=two",
    "fieldManager=three&fieldValidation=Strict",
  ]);
  const [type, body] = random.one<[string, Parsed]>(
    () => ["json-patch", operations(random, object)],
    () => ["merge-patch", mergePatch(random, object)],
    () => ["strategic-merge-patch", new StrategicPatch(random).of(object)],
    () => ["strategic-merge-patch", new StrategicPatch(random).of(object)],
  );
  return {
    method: "PATCH",
    path: `${path}${isStatus ? "/status" : ""}?${options}${managed}`,
    type: `application/${type}+json`,
    bodies: [body, body],
    what: JSON.stringify(body).slice(0, 3000),
    ...(options === "" && { view: withSortedOwners }),
  };
}

/** Sorts managers, whose order depends on the second of their write and differs between the servers. */
function withSortedOwners(body: Parsed): Parsed {
  const owners = body?.metadata?.managedFields;
  if (!Array.isArray(owners)) return body;
  const managedFields = owners.map((each) => JSON.stringify(each)).sort();
  return { ...body, metadata: { ...body.metadata, managedFields } };
}

/** Returns a merge patch with parts of the object that are changed, removed, or of another shape. */
function mergePatch(random: Random, value: Parsed, isWhole = true): Parsed {
  if (Array.isArray(value)) {
    const items = value
      .filter(() => random.chance(0.8))
      .map((item) => (random.chance(0.3) ? mergePatch(random, item, false) : item));
    return random.chance(0.1) ? [...items, ...items] : items;
  }
  if (typeof value !== "object" || value === null) return otherScalar(random, value);
  const patch: Parsed = {};
  for (const [name, member] of Object.entries(value)) {
    if (isWhole && /^(apiVersion|kind)$/.test(name)) continue;
    if (!random.chance(0.3) || name === "name" || name === "namespace") continue;
    patch[name] = random.chance(0.12) ? null : mergePatch(random, member, false);
  }
  if (random.chance(0.05))
    patch[random.pick(["absent", "a/b", "", "$patch"])] = random.pick([null, "x", { a: null }, [null]]);
  return patch;
}

/** Returns two to six operations, mostly on labels, annotations and lists. */
function operations(random: Random, object: Parsed): Parsed[] {
  const places = placesIn(object).map(pointerOf);
  const lists = places.filter((each) => /\/\d+$/.test(each));
  const ends = lists.map((each) =>
    each.replace(/\d+$/, () => random.pick(["-", "-", "0", "1", "-1", "01", "9", "+0"])),
  );
  const free = [
    "/metadata/annotations/x~1y",
    "/metadata/annotations/example.com~1b",
    "/metadata/labels/app",
    "/metadata/labels/new",
    "/metadata/annotations/",
  ];
  const pick = (): string => random.pick(random.pick([[...places, ...free], free, free, [...lists, ...ends, ...free]]));
  const at = (path: string): Parsed => partAt(object, path);
  return Array.from({ length: 2 + random.int(5) }, (): Parsed => {
    const path = pick();
    return random.one<Parsed>(
      () => ({ op: "add", path, value: random.chance(0.8) ? (at(path) ?? "x") : random.pick(["a", 1, {}, [], null]) }),
      () => ({ op: "replace", path, value: otherOf(random, at(path)) }),
      () => ({ op: random.chance(0.5) ? "remove" : "test", path, value: at(path) ?? null }),
      () => ({ op: "test", path, value: random.chance(0.9) ? (at(path) ?? null) : null }),
      () => ({ op: random.pick(["copy", "copy", "move"]), from: pick(), path: pick() }),
      () => {
        const [from, to] = random.pick([
          [free[0], free[1]],
          [free[2], free[3]],
          [free[2], free[0]],
        ]) as [string, string];
        return { op: random.pick(["copy", "move"]), from, path: to };
      },
    );
  });
}

const otherOf = (random: Random, value: Parsed): Parsed =>
  typeof value === "object" && value !== null ? mergePatch(random, value, false) : otherScalar(random, value ?? "x");

const pointerOf = (place: readonly string[]): string =>
  `/${place.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

function partAt(object: Parsed, pointer: string): Parsed {
  const steps = pointer.slice(1).split("/");
  return steps.reduce<Parsed>((value, step) => value?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], object);
}
