import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../runtime/lib/json-object.ts";
import { apply, force, owners, ownersOf, spec, steps, times, unchanged, update } from "./fixtures/steps.ts";

/**
 * Every transition of ownership, for every type of field. Each entry defines how a value of the field is written, the path of the value
 * itself, and what else is owned with it.
 */
interface Place {
  readonly name: string;
  readonly content: (value: string) => JsonObject;
  /** The path whose owner changes. */
  readonly path: string;
  /** All paths that an apply of the content owns. */
  readonly claims: readonly string[];
  /** Paths that an update that adds the content owns in addition: its containers. */
  readonly containers?: readonly string[];
}

const ENTRY = '.spec.entries[name="x"]';
const PORT = '.spec.ports[port=80,protocol="TCP"]';
const C = '.spec.tree.children[name="c"]';
const D = `${C}.children[name="d"]`;

const places: Place[] = [
  { name: "a scalar", content: (v) => ({ text: v }), path: ".spec.text", claims: [".spec.text"] },
  { name: "a number or string", content: (v) => ({ either: v }), path: ".spec.either", claims: [".spec.either"] },
  {
    name: "a field of a struct",
    content: (v) => ({ struct: { a: v } }),
    path: ".spec.struct.a",
    claims: [".spec.struct.a"],
    containers: [".spec.struct"],
  },
  {
    name: "a field of a struct in a struct",
    content: (v) => ({ struct: { inner: { x: v } } }),
    path: ".spec.struct.inner.x",
    claims: [".spec.struct.inner.x"],
    containers: [".spec.struct", ".spec.struct.inner"],
  },
  {
    name: "an entry of a map",
    content: (v) => ({ labels: { "example.com/k": v } }),
    path: ".spec.labels.example.com/k",
    claims: [".spec.labels.example.com/k"],
    containers: [".spec.labels"],
  },
  {
    name: "a field of a list map entry",
    content: (v) => ({ entries: [{ name: "x", value: v }] }),
    path: `${ENTRY}.value`,
    claims: [ENTRY, `${ENTRY}.name`, `${ENTRY}.value`],
    containers: [".spec.entries"],
  },
  {
    name: "a struct in a list map entry",
    content: (v) => ({ entries: [{ name: "x", nested: { a: v } }] }),
    path: `${ENTRY}.nested.a`,
    claims: [ENTRY, `${ENTRY}.name`, `${ENTRY}.nested.a`],
    containers: [".spec.entries", `${ENTRY}.nested`],
  },
  {
    name: "an entry whose key has a default",
    content: (v) => ({ ports: [{ port: 80, note: v }] }),
    path: `${PORT}.note`,
    claims: [PORT, `${PORT}.port`, `${PORT}.note`],
    containers: [".spec.ports"],
  },
  {
    name: "a list map in a list map",
    content: (v) => ({ tree: { children: [{ name: "c", children: [{ name: "d", value: v }] }] } }),
    path: `${D}.value`,
    claims: [C, `${C}.name`, D, `${D}.name`, `${D}.value`],
    containers: [".spec.tree", ".spec.tree.children", `${C}.children`],
  },
  { name: "an atomic list", content: (v) => ({ list: [v, "z"] }), path: ".spec.list", claims: [".spec.list"] },
  { name: "an atomic map", content: (v) => ({ config: { k: v } }), path: ".spec.config", claims: [".spec.config"] },
  { name: "an atomic struct", content: (v) => ({ whole: { a: v } }), path: ".spec.whole", claims: [".spec.whole"] },
  {
    name: "a field without a schema",
    content: (v) => ({ free: { deep: { x: v } } }),
    path: ".spec.free.deep.x",
    claims: [".spec.free.deep", ".spec.free.deep.x"],
    containers: [".spec.free"],
  },
  {
    name: "a list without a schema",
    content: (v) => ({ free: { list: [{ a: v }] } }),
    path: ".spec.free.list",
    claims: [".spec.free.list"],
    containers: [".spec.free"],
  },
  { name: "an untyped whole", content: (v) => ({ raw: { a: [v] } }), path: ".spec.raw", claims: [".spec.raw"] },
];

describe.each(places)("$name", ({ content, path, claims, containers = [] }) => {
  const old = content("old");
  const next = content("new");
  const others = claims.filter((claim) => claim !== path);

  it("stays with its owner when another applies a different value", () => {
    steps(
      apply("alpha", old),
      apply("beta", next, { conflicts: [`alpha: ${path}`] }),
      spec(old),
      owners({ alpha: claims }),
      times({ alpha: 1 }),
    );
  });

  it("changes its owner if a different value is applied with force", () => {
    steps(
      apply("alpha", old),
      force("beta", next),
      spec(next),
      owners(others.length > 0 ? { alpha: others, beta: claims } : { beta: claims }),
    );
  });

  it("is shared by managers that apply the same value; a different value conflicts with each", () => {
    steps(
      apply("alpha", old),
      apply("beta", old),
      owners({ alpha: claims, beta: claims }),
      times({ alpha: 1, beta: 0 }),
      apply("alpha", next, { conflicts: [`beta: ${path}`] }),
      apply("beta", next, { conflicts: [`alpha: ${path}`] }),
      apply("gamma", next, { conflicts: [`alpha: ${path}`, `beta: ${path}`] }),
      spec(old),
    );
  });

  it("keeps its other owners when one of them omits it", () => {
    steps(
      apply("alpha", { ...old, number: 1 }),
      apply("beta", old),
      apply("alpha", { number: 1 }),
      spec({ ...old, number: 1 }),
      owners({ alpha: [".spec.number"], beta: claims }),
      apply("beta", next),
      spec({ ...next, number: 1 }),
    );
  });

  it("is removed when its only owner omits it", () => {
    steps(
      apply("alpha", { ...old, number: 1 }),
      apply("alpha", { number: 1 }),
      spec({ number: 1 }),
      owners({ alpha: [".spec.number"] }),
      times({ alpha: 2 }),
    );
  });

  it("changes its owner without a conflict when an update changes it", () => {
    steps(
      apply("alpha", old),
      update("beta", next),
      spec(next),
      owners(others.length > 0 ? { alpha: others, "beta*": [path] } : { "beta*": [path] }),
      apply("alpha", old, { conflicts: [`beta*: ${path}`] }),
      force("alpha", old),
      spec(old),
      owners({ alpha: claims }),
    );
  });

  it("stays with its owner when an update does not change it", () => {
    steps(apply("alpha", old), unchanged(update("beta", old)), owners({ alpha: claims }));
  });

  it("has no owner after an update removes it", () => {
    steps(
      apply("alpha", { ...old, number: 1 }),
      update("beta", { number: 1 }),
      spec({ number: 1 }),
      owners({ alpha: [".spec.number"] }),
      apply("gamma", next),
      spec({ ...next, number: 1 }),
    );
  });

  it("changes nothing when it is applied again", () => {
    steps(apply("alpha", old), unchanged(apply("alpha", old)), unchanged(force("alpha", old)), times({ alpha: 1 }));
  });

  it("is owned with the structs around it by the update that adds it", () => {
    steps(
      update("beta", { number: 1, ...old }),
      owners({ "beta*": [".spec", ".spec.number", ...claims, ...containers] }),
      update("beta", { number: 1, ...next }),
      owners({ "beta*": [".spec", ".spec.number", ...claims, ...containers] }),
      times({ "beta*": 2 }),
    );
  });

  it("is shared with an updater that set the same value, and stays when the applier omits it", () => {
    steps(
      update("beta", { ...old, number: 1 }),
      apply("alpha", { ...old, flag: true }),
      spec({ ...old, number: 1, flag: true }),
      apply("alpha", { flag: true }),
      spec({ ...old, number: 1, flag: true }),
      apply("alpha", { ...next, flag: true }, { conflicts: [`beta*: ${path}`] }),
    );
  });

  it("has the same owners in any order in which managers apply the same value", () => {
    const one = steps(apply("alpha", old), apply("beta", { ...old, number: 1 }), apply("gamma", { flag: true }));
    const two = steps(apply("gamma", { flag: true }), apply("beta", { ...old, number: 1 }), apply("alpha", old));
    expect(two.live.spec).toEqual(one.live.spec);
    expect(ownersOf(two.live)).toEqual(ownersOf(one.live));
  });

  it("can be handed over through a temporary manager", () => {
    steps(
      apply("alpha", { ...old, number: 1 }),
      apply("handover", old),
      apply("alpha", { number: 1 }),
      spec({ ...old, number: 1 }),
      owners({ alpha: [".spec.number"], handover: claims }),
      apply("beta", old),
      apply("handover", {}),
      spec({ ...old, number: 1 }),
      owners({ alpha: [".spec.number"], beta: claims }),
    );
  });
});
