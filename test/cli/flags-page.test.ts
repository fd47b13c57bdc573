import { expect, it } from "vitest";
import type { Flag } from "../../runtime/cli/flags/flag.ts";
import { FLAG_SECTIONS } from "../../runtime/cli/flags/sections.ts";

const UPDATE = "node_modules/.bin/node node_modules/vitest/vitest.mjs run test/cli/flags-page.test.ts -u";

it("docs/flags.md lists every flag with its default and its help", async () => {
  await expect(flagsPage()).toMatchFileSnapshot(
    "../../docs/flags.md",
    `docs/flags.md differs from runtime/cli/flags/. Update it with: ${UPDATE}`,
  );
});

function flagsPage(): string {
  const sections = FLAG_SECTIONS.map(
    ({ title, flags }) =>
      `## ${title}\n\n| flag | type | default | what it does |\n|---|---|---|---|\n${flags.map(row).join("\n")}\n`,
  );
  return `${INTRODUCTION}\n${sections.join("\n")}`;
}

function row({ name, type, default: fallback = "", help, deprecated }: Flag): string {
  const cells = [
    `\`--${name}\``,
    TYPES[type],
    fallback === "" ? "" : `\`${fallback}\``,
    deprecated === undefined ? help : `${help} Deprecated: ${deprecated}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

const TYPES: Readonly<Record<Flag["type"], string>> = {
  string: "string",
  boolean: "boolean",
  number: "integer",
  fraction: "number",
  list: "list",
  array: "string, repeatable",
  duration: "duration",
};

const INTRODUCTION = `<!-- Generated from runtime/cli/flags/ by test/cli/flags-page.test.ts; do not edit. -->

# Flags of \`typeplane serve\`

Flags have the names of kube-apiserver's wherever they mean the same. \`node bin/typeplane.js serve --help\` prints this list and the feature gates.

- \`--name=value\` and \`--name value\` are the same; a boolean without a value is true.
- A list is separated by commas, and the flag may be repeated. A repeatable string is not split at commas.
- A duration is written as in Go: \`90s\`, \`5m\`, \`1h30m\`.
- A \`make\` target takes flags as \`make serve ARGS="--release 1.21"\`. In a test: \`startPlane({ flags: { release: "1.21" } })\`.

Limits are explained in [limits.md](limits.md), configuration files in [configuration-files.md](configuration-files.md), feature gates in
[feature-gates.md](feature-gates.md).
`;
