import { renderDiagnostic } from "../diagnostics.ts";
import { type Generation, generate } from "../generate.ts";
import { SCALARS } from "../model/vocabulary.ts";
import type { SourceTree } from "../source-tree.ts";
import { type DocumentedWord, MARKER_EXAMPLES, type MarkerExample } from "./marker-examples.ts";
import { blocks, code, escapeCell, escapeText, firstSentence, link, type Page, table } from "./page.ts";
import type { SidebarItem } from "./reference-pages.ts";

const VOCABULARY = "api-definitions/vocabulary.ts";
const GROUP = "markers.example.com";

/** Groups of markers, as the sidebar and the index show them. */
const SUBJECTS: { readonly [subject: string]: readonly DocumentedWord[] } = {
  "Defaults and limits": [
    "Default",
    "Published",
    "Minimum",
    "Maximum",
    "MinLength",
    "MaxLength",
    "Pattern",
    "Format",
    "MinItems",
    "MaxItems",
    "MinProperties",
    "MaxProperties",
    "Immutable",
    "Rule",
    "Schema",
    "With",
    "Open",
  ],
  "Lists, maps and structs": [
    "ListMap",
    "OptionalKeys",
    "ListSet",
    "ListAtomic",
    "MapAtomic",
    "MapGranular",
    "StructAtomic",
    "StructGranular",
    "AtomicStruct",
    "AtomicLabel",
    "Discriminator",
  ],
  "Strategic merge patch": ["PatchMerge", "PatchReplace", "PatchRetainKeys"],
  "Unset fields": ["OmitZero", "Always", "Nullable"],
  Lifecycle: ["Deprecated", "Gated", "Since"],
  Other: ["PreserveUnknown", "EmbeddedObject", "Message"],
};

export interface MarkerPages {
  readonly pages: readonly Page[];
  readonly sidebar: readonly SidebarItem[];
}

/** A page for each word of the vocabulary: its meaning, an example, and the OpenAPI schema that the generator makes of it. */
export function markerPages(tree: SourceTree, generation: Generation = generateExamples(tree)): MarkerPages {
  const vocabulary = tree.files.get(VOCABULARY) ?? "";
  const schemas = schemasOf(generation);
  const words = Object.values(SUBJECTS).flat();
  const pages = words.map((word) => markerPage(word, vocabulary, schemas));
  const items = (list: readonly DocumentedWord[]): SidebarItem[] =>
    list.map((word) => ({ text: word, link: `/markers/${word.toLowerCase()}` }));
  return {
    pages: [indexPage(vocabulary), scalarPage(vocabulary), ...pages],
    sidebar: [
      ...Object.entries(SUBJECTS).map(([text, list]) => ({ text, items: items(list) })),
      { text: "Types", items: [{ text: "Scalar types", link: "/markers/scalars" }] },
    ],
  };
}

/** Generates a group with a kind for each example. Throws if the generator rejects one. */
export function generateExamples(tree: SourceTree): Generation {
  const shared = [...tree.files].filter(([path]) => /^api-definitions\/([^/]+\.ts$|meta\/|runtime\/)/.test(path));
  const words = Object.keys(MARKER_EXAMPLES) as DocumentedWord[];
  const isOfKubernetes = (word: DocumentedWord): boolean => word === "OptionalKeys";
  const own = words.flatMap((word): [string, string][] => {
    const folder = `api-definitions/markers-${word.toLowerCase()}`;
    const name = `${word.toLowerCase()}.${GROUP}`;
    const declaration = JSON.stringify({ name, versions: ["v1"], ...(isOfKubernetes(word) && { kubernetes: true }) });
    return [
      [`${folder}/group.ts`, `import { group } from "../vocabulary.ts";\nexport const own = group(${declaration});\n`],
      [`${folder}/v1/book.ts`, definitionOf(word)],
    ];
  });
  const generation = generate({ files: new Map([...shared, ...own]) });
  if (generation.diagnostics.hasErrors) {
    const found = generation.diagnostics.sorted().filter(({ severity }) => severity === "error");
    throw new Error(`examples of markers are invalid:\n${found.map(renderDiagnostic).join("\n")}`);
  }
  return generation;
}

function definitionOf(word: DocumentedWord): string {
  const example = MARKER_EXAMPLES[word];
  const singular = `${word.toLowerCase()}book`;
  const words = [...Object.keys(MARKER_EXAMPLES), "Int32", "Json", "Quantity", "RawObject", "Time"];
  const imports = [
    'import type { Namespaced } from "../../meta/v1/type-meta.ts";',
    `import { type ${words.join(", type ")}, kind } from "../../vocabulary.ts";`,
  ];
  return `${imports.join("\n")}
/** A book that the library owns. */
export interface Book extends Namespaced {
  /** Desired state of the book. */
  spec?: BookSpec;
}
/** What the library records about a book. */
${specOf(example)}
${example.types ?? ""}
export const book = kind<Book>({ plural: "${singular}s", singular: "${singular}" });
`;
}

function specOf({ fields, extends: base }: MarkerExample): string {
  const indented = fields.replaceAll(/^/gm, "  ");
  return `export interface BookSpec${base === undefined ? "" : ` extends ${base}`} {\n${indented}\n}`;
}

type Schema = { readonly [key: string]: unknown };

/** The published schema of `BookSpec` for each word. */
function schemasOf({ artifacts }: Generation): (word: DocumentedWord) => Schema {
  return (word) => {
    const name = `${word.toLowerCase()}.${GROUP}`.split(".").reverse().join(".");
    const path = `generated/openapi/schemas/${name}.v1.json`;
    const schemas = JSON.parse(artifacts.find((artifact) => artifact.path === path)!.text) as { BookSpec: Schema };
    return schemas.BookSpec;
  };
}

function markerPage(word: DocumentedWord, vocabulary: string, schemaOf: (word: DocumentedWord) => Schema): Page {
  const example = MARKER_EXAMPLES[word];
  const { rejected } = example;
  return {
    path: `markers/${word.toLowerCase()}`,
    title: word,
    text: blocks(
      `# ${code(word)}`,
      escapeText(commentOf(word, vocabulary)),
      "## Definition",
      `\`\`\`ts\n${[specOf(example), example.types].filter(Boolean).join("\n\n")}\n\`\`\``,
      "## Effect",
      escapeText(example.effect),
      rejected &&
        `For example, ${code(JSON.stringify(rejected.value))} as ${code("spec")}${wasOf(rejected)} is rejected:`,
      rejected && `\`\`\`text\n${rejected.message}\n\`\`\``,
      "## OpenAPI",
      "The generator publishes this schema of `BookSpec`:",
      `\`\`\`json\n${JSON.stringify(schemaOf(word), null, 2)}\n\`\`\``,
    ),
  };
}

function wasOf({ old }: NonNullable<MarkerExample["rejected"]>): string {
  return old === undefined ? "" : ` of an object that was created with ${code(JSON.stringify(old))}`;
}

function indexPage(vocabulary: string): Page {
  const rows = (words: readonly DocumentedWord[]): string[][] =>
    words.map((word) => [
      link(code(word), `/markers/${word.toLowerCase()}`),
      escapeCell(firstSentence(commentOf(word, vocabulary))),
    ]);
  return {
    path: "markers/index",
    title: "Markers",
    text: blocks(
      "# Markers",
      "Markers are types: they are written after a field's type with `&`, and the compiler checks that they exist and fit. At run time they have no effect on values: `Int32 & Default<1>` is a number.",
      ...Object.entries(SUBJECTS).map(([subject, words]) =>
        blocks(`## ${subject}`, table(["marker", "meaning"], rows(words))),
      ),
      `## Types\n\n${link("Scalar types", "/markers/scalars")} are the values from which fields are built.`,
    ),
  };
}

function scalarPage(vocabulary: string): Page {
  const words = Object.keys(SCALARS).filter((word) => /^[A-Z]/.test(word));
  const rows = [...words, "EmptyStruct"].map((word) => [code(word), escapeCell(commentOf(word, vocabulary))]);
  return {
    path: "markers/scalars",
    title: "Scalar types",
    text: blocks(
      "# Scalar types",
      "Besides `string`, `boolean` and unions of strings, fields have these types:",
      table(["type", "meaning"], rows),
    ),
  };
}

/** The comment before the declaration of a word. */
function commentOf(word: string, vocabulary: string): string {
  const declaration = new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\nexport (?:type|interface) ${word}\\b`);
  const comment = declaration.exec(vocabulary)?.[1] ?? "";
  return comment.replace(/\s*\n\s*\* ?/g, " ").trim();
}
