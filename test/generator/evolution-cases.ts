import { RELEASED_API } from "../../generator/checks/evolution.ts";
import type { DiagnosticCode } from "../../generator/diagnostics.ts";
import { writeSnapshot } from "../../generator/evolution/snapshot.ts";
import { BOOK, definition, generateFrom } from "./fixture.ts";

const NUMBERS = "api-definitions/library/v1/field-numbers.json";
const OLD = "api-definitions/library/v1beta1/book.ts";
const GATES = "api-definitions/feature-gates.ts";
const METRICS = "api-definitions/metrics.ts";
const RELEASE = "api-definitions/release.ts";

export type EvolutionCode = Extract<DiagnosticCode, `evolution-${string}`>;

interface Case {
  readonly text: string;
  readonly files: { readonly [path: string]: string };
  readonly says: readonly string[];
}

export function book(fields: string, declaration = 'plural: "books"'): string {
  return `export interface Book extends Namespaced { spec: Spec; status?: Spec }
export interface Spec { ${fields} }
export const book = kind<Book>({ ${declaration} });`;
}

/** Returns the released API of these files, as a file next to the definitions. */
export function released(files: { readonly [path: string]: string }): { readonly [path: string]: string } {
  const { snapshot, diagnostics } = generateFrom(files);
  if (snapshot === undefined) throw new Error(JSON.stringify(diagnostics.sorted()));
  return { [RELEASED_API]: writeSnapshot(snapshot) };
}

/** Returns a case that changes the fields of a stable kind. */
function change(before: string, after: string, ...says: string[]): Case {
  return { text: book(after), files: released({ [BOOK]: definition(book(before)) }), says };
}

function life(declaration: string): string {
  return definition(book("title: string", `plural: "books", ${declaration}`));
}

function gates(declarations: string): string {
  return `import { gates } from "./gate-vocabulary.ts";\nexport const featureGates = gates({ ${declarations} });`;
}

function metrics(declarations: string): string {
  return `import { metrics } from "./metric-vocabulary.ts";\nexport const serverMetrics = metrics({ ${declarations} });`;
}

function platform(release: string): string {
  return `import { platform } from "./vocabulary.ts";
export const release = platform({ release: "${release}", domain: "k8s.io", vendor: "kubernetes" });`;
}

const numbers = (title: number): string => JSON.stringify({ Spec: { fields: { title } } });

export const evolutionCases: { readonly [code in EvolutionCode]: Case } = {
  "evolution-kind-removed": {
    text: "export interface Unused { a: string }",
    files: released({ [BOOK]: definition(book("title: string")) }),
    says: ["library.example.com/v1 Book was removed since release 1.33: elements are removed only with a new version"],
  },
  "evolution-kind-changed": {
    text: book("title: string", 'plural: "tomes"'),
    files: released({ [BOOK]: definition(book("title: string", 'plural: "books", subresources: { status: true }')) }),
    says: ["library.example.com/v1 Book was renamed from books to tomes", "lost the subresource status"],
  },
  "evolution-merge-changed": change(
    "tags?: ListSet<string>",
    "tags?: ListAtomic<string>",
    "Spec.tags changed its listType from set to atomic",
  ),
  "evolution-field-removed": change("title: string; pages?: Int32", "title: string", "Spec.pages was removed"),
  "evolution-field-retyped": change("title: string", "title: Int32", "Spec.title changed from string to int32"),
  "evolution-field-required": change("title: string", "title: string; pages: Int32", "Spec.pages is new and required"),
  "evolution-validation-tightened": change(
    "title: string & MaxLength<9>",
    "title: string & MaxLength<5>",
    "Spec.title lowered its maxLength from 9 to 5",
  ),
  "evolution-enum-dropped": change('state: "A" | "B"', 'state: "A"', "Spec.state no longer allows the value B"),
  "evolution-default-changed": change(
    "pages?: Int32 & Default<1>",
    "pages?: Int32 & Default<2>",
    "Spec.pages changed its default from 1 to 2",
  ),
  "evolution-field-renumbered": {
    text: book("title: string"),
    files: {
      ...released({ [BOOK]: definition(book("title: string")), [NUMBERS]: numbers(1) }),
      [NUMBERS]: numbers(7),
    },
    says: ["Spec.title changed its protobuf number from 1 to 7"],
  },
  "evolution-gate-removed": {
    text: book("title: string"),
    files: {
      ...released({ [BOOK]: definition(book("title: string")), [GATES]: gates('Shelves: { steps: ["beta 1.30"] }') }),
      [GATES]: gates('Other: { steps: ["beta 1.30"] }'),
    },
    says: ["gate Shelves was removed"],
  },
  "evolution-storage-early": {
    text: book("title: string", 'plural: "books", introduced: "1.33"'),
    files: {
      ...released({ [RELEASE]: platform("1.32"), [OLD]: life('introduced: "1.32"') }),
      [RELEASE]: platform("1.33"),
      [OLD]: life('introduced: "1.32"'),
    },
    says: ["would be stored as library.example.com/v1 Book in 1.33"],
  },
  "evolution-stable-removed": {
    text: book("title: string", 'plural: "books", introduced: "1.20", deprecated: "1.30", removed: "1.33"'),
    files: released({ [BOOK]: life('introduced: "1.20"') }),
    says: ["is stable and would be removed in 1.33"],
  },
  "evolution-beta-kept": {
    text: book("title: string"),
    files: { [OLD]: life('introduced: "1.20", deprecated: "1.30"') },
    says: ["is beta since 1.20 and deprecated only in 1.30"],
  },
  "evolution-no-notice": {
    text: book("title: string"),
    files: {
      ...released({ [BOOK]: definition(book("title: string")), [OLD]: life('introduced: "1.28"') }),
      [OLD]: life('introduced: "1.28", deprecated: "1.30", removed: "1.31"'),
    },
    says: ["would be removed in 1.31, before the deprecation period of a beta version ends"],
  },
  "evolution-less-stable": {
    text: book("title: string", 'plural: "books", deprecated: "1.30", replacement: "library.example.com/v1beta1 Book"'),
    files: { [OLD]: life('introduced: "1.30"') },
    says: ["in favour of library.example.com/v1beta1, which is less stable"],
  },
  "evolution-metric-early": {
    text: book("title: string"),
    files: { [METRICS]: metrics('loans: { stability: "STABLE", introduced: "1.30", deprecated: "1.32" }') },
    says: ["metric loans is STABLE since 1.30 and deprecated already in 1.32"],
  },
  "evolution-metric-removed": {
    text: book("title: string"),
    files: released({ [BOOK]: definition(book("title: string")), [METRICS]: metrics('loans: { stability: "BETA" }') }),
    says: ["metric loans is BETA and was removed without the deprecation period"],
  },
  "evolution-metric-demoted": {
    text: book("title: string"),
    files: {
      ...released({
        [BOOK]: definition(book("title: string")),
        [METRICS]: metrics('loans: { stability: "STABLE" }'),
      }),
      [METRICS]: metrics('loans: { stability: "ALPHA" }'),
    },
    says: ["the stability of metric loans was lowered from STABLE to ALPHA"],
  },
  "evolution-gate-alpha-on": {
    text: book("title: string"),
    files: { [GATES]: gates('Shelves: { steps: ["alpha 1.28 on", "beta 1.30"] }') },
    says: ["gate Shelves is alpha since 1.28 and on by default"],
  },
  "evolution-gate-unwarned": {
    text: book("title: string"),
    files: { [GATES]: gates('Shelves: { steps: ["beta 1.28"], dropped: "1.31" }') },
    says: ["gate Shelves is beta since 1.28 and would be removed in 1.31"],
  },
  "evolution-gate-dropped": {
    text: book("title: string"),
    files: { [GATES]: gates('Shelves: { steps: ["beta 1.28", "stable 1.30"], dropped: "1.31" }') },
    says: ["gate Shelves is stable since 1.30 and would be removed in 1.31"],
  },
};
