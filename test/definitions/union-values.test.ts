import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const root = new URL("../../", import.meta.url).pathname;

/** Lists that intentionally name all values. */
const OWN_REASON = new Set([
  // In neither definition order nor alphabetical order.
  "api-definitions/admissionregistration/v1/policy-binding-validation.ts: Deny Allow",
  // A default, which a new value would not change.
  "api-definitions/networking/v1/network-policy.hooks.ts: Ingress Egress",
]);

const stringsOf = (text: string) => [...text.matchAll(/"([^"]*)"/g)].map(([, value]) => value as string);
const setOf = (values: readonly string[]) => JSON.stringify([...values].sort());

/** Returns the values of each named union, by module such as `core.v1`. */
function readUnions(): Map<string, Set<string>> {
  const folder = join(root, "generated/values");
  return new Map(
    readdirSync(folder).map((file) => {
      const lists = readFileSync(join(folder, file), "utf8").matchAll(/: readonly string\[\] = \[([^\]]*)\]/g);
      return [file.replace(/\.ts$/, ""), new Set([...lists].map(([, values]) => setOf(stringsOf(values as string))))];
    }),
  );
}

it("writes the values of a union once: hooks import them from generated/values", () => {
  const unions = readUnions();
  const sources = readdirSync(join(root, "api-definitions"), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const copies = sources.flatMap((file) => {
    const [, group, version] = file.split("/");
    const known = [`${group}.${version}`, "core.v1", "meta.v1"].map((module) => unions.get(module));
    return [...readFileSync(join(root, file), "utf8").matchAll(/\[\s*((?:"[^"\n]*",?\s*){2,})\]/g)]
      .map(([, inner]) => stringsOf(inner as string))
      .filter((values) => known.some((lists) => lists?.has(setOf(values))))
      .map((values) => `${file}: ${values.join(" ")}`);
  });
  expect(unions.size).toBeGreaterThan(10);
  expect(copies.filter((copy) => !OWN_REASON.has(copy))).toEqual([]);
});
