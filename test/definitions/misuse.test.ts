import { resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

// Markers are types, so misusing one must not compile. Every case is the body of a kind's spec. The compiler must reject it with a message
// that names the field. All cases share one compilation, because starting the compiler costs more than checking them.

interface Case {
  /** Declarations that the spec needs. */
  before?: string;
  /** Fields of the spec, or the whole kind if it starts with `export`. */
  spec: string;
  /** Expected message of the compiler; empty for valid definitions. */
  says: RegExp[];
}

const misfit = (path: string) => new RegExp(`a marker does not fit its field": "${path.replaceAll(".", "\\.")}"`);

const cases: Record<string, Case> = {
  "a sound definition compiles": {
    before: `interface Port extends AtomicStruct { name: string; port: Int32 & Minimum<1> & Maximum<65535>; protocol?: ("TCP" | "UDP") & Default<"TCP"> }
             interface Node { value?: Json; children?: Node[]; byName?: Record<string, Node> }`,
    spec: `replicas?: Int32 & Default<1> & Minimum<0>;
           ports?: ListMap<Port, "port", "protocol"> & PatchMerge<"port">;
           tags?: ListSet<string> & MaxItems<3>;
           labels?: MapGranular<string> & MaxProperties<8>;
           code: string & MinLength<1> & Pattern<"^a+$"> & Immutable;
           mode?: Open<"Fast" | "Slow"> & Default<"Other">;
           selector?: { matchLabels?: Record<string, string> } & Default<{}>;
           order?: string[] & Default<["a", "b"]>;
           tree?: Node; nothing?: EmptyStruct; when?: Time & Always; size?: Quantity;
           rule?: Int32 & Rule<"self > 0", "must be positive">;`,
    says: [],
  },
  "an assignment between fields of other markers": {
    before: `interface Port { name: string & MinLength<1>; port: Int32 & Minimum<1>; note?: string & Default<"none"> & Always }
             interface OldPort { name: string & MaxLength<5> & Immutable; port: Int32 & Minimum<2> & Maximum<9>; note?: string & Default<"some"> }
             interface Lists { ports: ListMap<Port, "name"> & MaxItems<3>; words: ListSet<string> & MinItems<1>; map: MapGranular<string>; inner: StructAtomic<Port> & Default<{ name: "a", port: 1 }> }
             interface OldLists { ports: ListMap<OldPort, "port"> & PatchMerge<"port">; words: ListAtomic<string & Pattern<"a">>; map: MapAtomic<string> & MaxProperties<1>; inner: OldPort & Always & Rule<"true"> }
             export function upgrade(from: OldLists, to: Lists): void {
               to.ports = from.ports; to.words = from.words; to.map = from.map; to.inner = from.inner;
               for (const word of from.words) to.words.push(word.trim());
               for (const { name } of to.ports) to.words = [...to.words, name.trim()].filter((word) => word.length > 1);
             }
             export function downgrade(from: Lists): OldLists { return from; }`,
    spec: "name: string",
    says: [],
  },
  "a struct with two sorts of markers of its own": {
    before: `interface Range extends With<Rule<"self.from <= self.to">>, AtomicStruct { from: Int32; to: Int32 }
             interface Wide extends Range, With<MinProperties<2>> { unit: string }`,
    spec: "wide: Wide",
    says: [],
  },
  "an unknown marker": { spec: "replicas?: Int32 & Minimun<0>;", says: [/Cannot find name 'Minimun'/] },
  "a minimum on text": { spec: "name: string & Minimum<0>;", says: [misfit("spec.name")] },
  "a minimum on an optional text": { spec: "name?: string & Minimum<0>;", says: [misfit("spec.name")] },
  "a maximum on a list": { spec: "names: string[] & Maximum<3>;", says: [misfit("spec.names")] },
  "a maximum on a struct": { spec: "inner: { a: string } & Maximum<3>;", says: [misfit("spec.inner")] },
  "a text length on a number": { spec: "count: Int32 & MaxLength<3>;", says: [misfit("spec.count")] },
  "a pattern on a list": { spec: `names: string[] & Pattern<"a">;`, says: [misfit("spec.names")] },
  "a format on a number": { spec: `port: Int32 & Format<"port-name">;`, says: [misfit("spec.port")] },
  "an unknown format": {
    spec: `name: string & Format<"dns-label">;`,
    says: [/'"dns-label"' does not satisfy the constraint/],
  },
  "a list length on text": { spec: "name: string & MinItems<1>;", says: [misfit("spec.name")] },
  "a map size on text": { spec: "name: string & MaxProperties<1>;", says: [misfit("spec.name")] },
  "a limit that is not a number": {
    spec: `n: Int32 & Minimum<"0">;`,
    says: [/'string' does not satisfy the constraint 'number'/],
  },
  "a default of another type": { spec: `replicas?: Int32 & Default<"one">;`, says: [misfit("spec.replicas")] },
  "a default outside a closed set": {
    spec: `mode?: ("Fast" | "Slow") & Default<"Medium">;`,
    says: [misfit("spec.mode")],
  },
  "a default with a field too few": {
    before: "interface Inner { a: string }",
    spec: "inner?: Inner & Default<{}>;",
    says: [misfit("spec.inner")],
  },
  "a list key that is not a field": {
    before: "interface Item { name: string }",
    spec: `items: ListMap<Item, "nam">;`,
    says: [/'"nam"' does not satisfy the constraint/],
  },
  "a list key that is not a scalar": {
    before: "interface Item { ref: { name: string } }",
    spec: `items: ListMap<Item, "ref">;`,
    says: [/'"ref"' does not satisfy the constraint/],
  },
  "a map list of scalars": {
    spec: `items: ListMap<string, "length">;`,
    says: [/'string' does not satisfy the constraint 'object'/],
  },
  "a set of structs": {
    spec: "items: ListSet<{ name: string }>;",
    says: [/does not satisfy the constraint 'string \| number \| boolean'/],
  },
  "a merge key that is not a field": {
    before: "interface Item { name: string }",
    spec: `items: Item[] & PatchMerge<"nam">;`,
    says: [misfit("spec.items")],
  },
  "a merge key on text": { spec: `name: string & PatchMerge<"name">;`, says: [misfit("spec.name")] },
  "an atomic struct of text": {
    spec: "name: StructAtomic<string>;",
    says: [/'string' does not satisfy the constraint 'object'/],
  },
  "a misfit deep inside lists and maps": {
    before: "interface Leaf { deep?: { text?: string & Maximum<3> }[] }",
    spec: "leaves?: Record<string, Leaf[]>;",
    says: [misfit("spec.leaves.deep.text")],
  },
  "two misfits are both named": {
    spec: "a: string & Minimum<0>; b: Int32 & MinLength<1>;",
    says: [/"spec\.a" \| "spec\.b"/],
  },
  "an unknown feature gate": {
    spec: `next?: Int32 & Gated<"NextBigThink">;`,
    says: [/'"NextBigThink"' does not satisfy/],
  },
  "a release that is no release": {
    spec: `export interface Book extends Namespaced {} export const book = kind<Book>({ plural: "books", introduced: "new" });`,
    says: [/'"new"' is not assignable to type '`\$\{number\}\.\$\{number\}`'/],
  },
  "an unknown verb": {
    spec: `export interface Book extends Namespaced {} export const book = kind<Book>({ plural: "books", verbs: ["read"] });`,
    says: [/'"read"' is not assignable to type 'Verb'/],
  },
  "a misspelt setting of a kind": {
    spec: `export interface Book extends Namespaced {} export const book = kind<Book>({ plural: "books", shortName: "b" });`,
    says: [/'shortName' does not exist in type 'KindDeclaration'/],
  },
  "a misfit in a configuration file kind": {
    spec: `export interface Settings extends TypeMeta { port: string & Maximum<1> } export const settings = configKind<Settings>({ group: "" });`,
    says: [misfit("port")],
  },
};

const folder = resolve(import.meta.dirname, "../../api-definitions/library/v1");
const vocabulary =
  "Always AtomicStruct Default EmptyStruct Format Gated Immutable Int32 Json ListAtomic ListMap ListSet MapAtomic MapGranular MaxItems MaxLength MaxProperties Maximum MinItems MinLength MinProperties Minimum Open PatchMerge Pattern Quantity Rule StructAtomic Time With";

function sourceOf({ before = "", spec }: Case): string {
  const imports = `import { configKind, kind, ${vocabulary.replaceAll(/\w+/g, "type $&").replaceAll(" type", ", type")} } from "../../vocabulary.ts";
    import type { Namespaced, TypeMeta } from "../../meta/v1/type-meta.ts";\n`;
  if (spec.startsWith("export")) return imports + spec;
  return `${imports}${before}
    export interface Book extends Namespaced { spec: { ${spec} } }
    export const book = kind<Book>({ plural: "books" });`;
}

function compile(sources: Map<string, string>): Map<string, string[]> {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
    lib: ["lib.esnext.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => sources.has(path) || fileExists(path);
  host.readFile = (path) => sources.get(path) ?? readFile(path);
  const program = ts.createProgram([...sources.keys()], options, host);
  return new Map(
    [...sources.keys()].map((path) => [
      path,
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map((diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")),
    ]),
  );
}

const names = Object.keys(cases);
const pathOf = (name: string) => resolve(folder, `case-${names.indexOf(name)}.ts`);
let messages: Map<string, string[]> | undefined;

it.each(Object.entries(cases))("the compiler judges %s", { timeout: 60_000 }, (name, { says }) => {
  messages ??= compile(new Map(names.map((each) => [pathOf(each), sourceOf(cases[each] as Case)])));
  const said = messages.get(pathOf(name)) ?? [];
  if (says.length === 0) expect(said).toEqual([]);
  for (const words of says) expect(said.join("\n")).toMatch(words);
});
