import { fileURLToPath } from "node:url";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { type Generation, generate } from "../../generator/generate.ts";
import { loadSourceTree, type SourceTree } from "../../generator/source-tree.ts";

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const real = await loadSourceTree(root);
const meta = [...real.files].filter(([path]) => path.startsWith("api-definitions/meta/"));

export const BOOK = "api-definitions/library/v1/book.ts";
export const GROUP = "api-definitions/library/group.ts";

/** The whole real API. */
export function realTree(): SourceTree {
  return real;
}

/** Real metadata types, a group named library.example.com, and the given files. */
export function treeOf(files: { readonly [path: string]: string }): SourceTree {
  const group = `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1", "v1beta1"] });`;
  return { files: new Map([...meta, [GROUP, group], ...Object.entries(files)]) };
}

/** A file of library/v1: the usual imports, then the given text. */
export function definition(text: string): string {
  return `import type { ClusterScoped, Namespaced } from "../../meta/v1/type-meta.ts";
import type * as all from "../../vocabulary.ts";
import { ${WORDS.map((word) => `type ${word}`).join(", ")}, kind } from "../../vocabulary.ts";
${text}`;
}

const WORDS = [
  "Always",
  "Bytes",
  "Default",
  "Discriminator",
  "Format",
  "Gated",
  "Immutable",
  "Int32",
  "Int64",
  "Json",
  "ListAtomic",
  "ListMap",
  "ListSet",
  "MapAtomic",
  "Maximum",
  "MaxItems",
  "MaxLength",
  "MaxProperties",
  "Minimum",
  "MinItems",
  "MinLength",
  "Nullable",
  "OmitZero",
  "Open",
  "PatchMerge",
  "Pattern",
  "Quantity",
  "Rule",
  "StructAtomic",
  "Time",
];

export function generateFrom(files: { readonly [path: string]: string }): Generation {
  return generate(treeOf(files));
}

/** What the generator says about a definition of library/v1, one text per diagnostic, without the header lines of the fixture. */
export function diagnose(text: string, more: { readonly [path: string]: string } = {}): string[] {
  const { diagnostics } = generateFrom({ [BOOK]: definition(text), ...more });
  return diagnostics.sorted().map(renderDiagnostic);
}

export function artifact(generation: Generation, path: string): string {
  const found = generation.artifacts.find((one) => one.path === path);
  if (found === undefined) throw new Error(`${path} was not generated`);
  return found.text;
}
