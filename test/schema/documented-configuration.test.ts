import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import { parseYaml } from "../../runtime/encoding/yaml/parse-yaml.ts";
import { ConfigFileLoader } from "../../runtime/schema/load-config-file.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";

const docs = join(import.meta.dirname, "../../docs");
const loader = new ConfigFileLoader(createSchemas(registry.createTypeSource()), registry.readConfigKinds);
const kinds = new Set(registry.readConfigKinds().map(({ kind }) => kind));

/** Examples in YAML without indentation: `docs/guides/security.md 1`, text. */
const examples = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) =>
    [...readFileSync(join(docs, name), "utf8").matchAll(/^ *```yaml\n([^`]*)/gm)].map(
      ([, block = ""], index): [string, string] => {
        const indent = block.search(/\S/);
        const lines = block.split("\n").map((line) => line.slice(indent));
        return [`docs/${name} ${index + 1}`, lines.join("\n")];
      },
    ),
  );

describe("examples in the documents", () => {
  it.each(examples)("are YAML, and configuration files have only fields that exist: %s", (_place, text) => {
    for (const part of text.split(/^---\n/m)) {
      const { value } = parseYaml(part);
      const { kind } = (value ?? {}) as { kind?: string };
      if (kind !== undefined && kinds.has(kind)) loader.load("example.yaml", part, [kind]);
    }
  });

  it("of configuration files are found", () => {
    const found = examples.filter(([, text]) => [...kinds].some((kind) => text.includes(`kind: ${kind}\n`)));
    expect(found.length).toBeGreaterThan(7);
  });
});
