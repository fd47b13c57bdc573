import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const { packages } = JSON.parse(read("package-lock.json")) as {
  packages: Readonly<Record<string, { readonly license?: string; readonly [field: string]: unknown }>>;
};
const text = read("docs/licences.md");

it("lists every direct dependency with its licence", () => {
  const manifest = packages[""] as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const direct = ["dependencies", "optionalDependencies", "devDependencies"].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  );
  const missing = direct.filter((name) => !text.includes(`| ${name} | ${packages[`node_modules/${name}`]?.license} |`));
  expect(missing).toEqual([]);
});

it("names every licence below them", () => {
  const licences = Object.entries(packages).flatMap(([path, { license = "none" }]) => (path === "" ? [] : [license]));
  const unnamed = licences.flatMap((licence) => licence.replace(/[()]/g, "").split(/ (?:OR|AND) /));
  expect([...new Set(unnamed)].filter((licence) => !text.includes(licence.replace(/^BSD-.*/, "BSD")))).toEqual([]);
});
