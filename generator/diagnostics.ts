import type { Location } from "./reader/syntax.ts";

export type Severity = "error" | "warning";

/** Every problem that the generator can report: its severity, the message, and what was expected instead. */
const TABLE = {
  "syntax-error": ["error", "{problem}", "TypeScript that compiles"],
  "unsupported-syntax": ["error", "{what} is not allowed in a definition", "{expected}"],
  "comment-tag": ["warning", "{tag} in a comment has no effect", "{expected}"],
  "config-missing": ["error", "the project's configuration is not here", "export default defineConfig({ name: … })"],
  "config-unknown": ["error", "{key} is not a setting of {where}", "{expected}"],
  "config-value": ["error", "{key} is {problem}", "{expected}"],
  "release-unknown": ["error", "{release} is not a release of {calendar}", "{expected}"],
  "unresolved-import": ["error", "{specifier} is not a definition file", "a relative path below api-definitions"],
  "not-a-literal": ["error", "found an expression in a declaration", "a literal value"],
  "unknown-type": ["error", "unknown type {name}: {why}", "a scalar, a list, a map or a type"],
  "type-place": [
    "error",
    "{name} stands in no folder of api-definitions/, which would be the name of its module",
    "the file in a folder: {file}",
  ],
  "unknown-marker": ["error", "unknown marker {name}", "a marker exported by api-definitions/vocabulary.ts"],
  "marker-arguments": ["error", "{marker} has the wrong arguments", "{expected}"],
  "two-types": [
    "error",
    "a field has one type and any number of markers; found two types",
    "Type & Marker & Marker, or an interface that extends two others",
  ],
  "no-type": ["error", "a field has one type and any number of markers; found no type", "Type & Marker & Marker"],
  "marker-target": ["error", "{marker} cannot be applied to {type}", "{expected}"],
  "marker-on-item": [
    "error",
    "a marker on the items of {container} needs a type with a name",
    "type Name = … & Marker",
  ],
  "marker-twice": ["error", "{marker} is given twice", "each marker once"],
  "mixed-union": ["error", "a union may contain strings only", '"A" | "B"'],
  "cyclic-type": ["error", "{name} is defined by itself", "an interface with a field of this type"],
  "presence-conflict": [
    "error",
    "{second} contradicts {first}: both say what an unset field looks like",
    "one of OmitZero, Always and Nullable",
  ],
  "duplicate-type": ["error", "{name} is already defined in {other}", "one definition per name and version"],
  "duplicate-field": ["error", "{type} has two fields named {name}", "field names that differ"],
  "field-name": ["error", "a field cannot have the name {name}", "a name, such as letterAndDigits"],
  "field-inherited": [
    "error",
    "every {type} has a field {name} already, which is the same for all kinds",
    "no field {name}; metadata may be narrowed with & Schema<{ … }>",
  ],
  "endless-type": [
    "error",
    "every {type} would contain another one by its field {field}",
    "an optional field without Always",
  ],
  "duplicate-kind": ["error", "{plural} is already declared in {other}", "one declaration per kind and version"],
  "unknown-kind-type": ["error", "kind<{name}> names no interface of this version", "kind<T> beside interface T"],
  "kind-scope": ["error", "{kind} is neither Namespaced nor ClusterScoped", "interface {kind} extends Namespaced"],
  "kind-forgotten": [
    "error",
    "{name} extends {base} but is not declared as a kind, so it is not served",
    "export const {constant} = kind<{name}>({ plural: … })",
  ],
  "name-taken": ["error", "the name {name} is already used by {other}", "a name that no other kind of the group has"],
  "name-ambiguous": [
    "warning",
    "the name {name} is also used by {other}, which clients such as kubectl prefer",
    "a unique name; until then clients must use {full}",
  ],
  "status-missing": ["error", "{kind} has a status subresource but no field status", "status?: {kind}Status"],
  "status-required": [
    "error",
    "{kind} requires a status, which the server removes from new objects: none could be created",
    "status?: {type}",
  ],
  "column-empty": [
    "error",
    "column {column} has no path, and {kind} has no hook for its cells",
    "a path, or `cells` in the hooks file of the kind",
  ],
  "declaration-place": ["error", "{word}() has no effect here", "{expected}"],
  "name-shape": ["error", "{name} is not a valid name of {what}", "{expected}"],
  "kind-names": [
    "error",
    "{kind} is {mine} in {version} and {theirs} in {other}",
    "the same names and scope in all versions",
  ],
  "plural-missing": ["error", "{kind} has no plural, so it is not served", 'plural: "{plural}", or unserved: true'],
  "list-taken": [
    "error",
    "{name} is the list of {kind} objects, and has no field items for them",
    "another name, or interface {name} extends ListOf<{kind}>",
  ],
  "group-twice": ["error", "group {group} is already defined in {other}", "one folder for one group"],
  "version-empty": [
    "error",
    "{group} lists version {version}, which has no definitions",
    "a folder {folder}/{version}",
  ],
  "version-name": ["error", "{version} is not a valid version name", "vX, vXbetaY or vXalphaY"],
  "version-unlisted": ["error", "{group} does not list version {version}", "the version among `versions` in group.ts"],
  "group-missing": ["error", "folder {folder} has versions but no group.ts", "group({ name, versions })"],
  "list-key-missing": ["error", "{key} is not a field of {type}", "a scalar field of the items"],
  "list-key-not-scalar": ["error", "list key {key} of {type} is not a scalar", "a string, number or boolean field"],
  "list-key-optional": [
    "error",
    "list key {key} of {type} is optional and has no default",
    "a required field, or one with a Default",
  ],
  "list-key-rewritten": [
    "error",
    "{what} is a {type}, which the server stores in another form than clients may send, so that they could not find the entry again",
    "a string, with a Pattern or Format",
  ],
  "optional-keys-needless": [
    "error",
    "every key of {name} is required, so OptionalKeys has no effect",
    "OptionalKeys only on a ListMap with an optional key",
  ],
  "list-items": ["error", "a map list holds objects, not {type}", "ListMap<T, Key> of a struct"],
  "nested-entries": [
    "error",
    "the entries of a {outer} cannot be {inner}s: protobuf has no such field",
    "an interface that has the inner {inner} as a field, or Json & Schema<{ … }>",
  ],
  "set-items": ["error", "a set holds scalars, not {type}", "ListSet of strings, numbers or booleans"],
  "default-type": ["error", "the default {value} is not a {type}", "a default of the field's type"],
  "default-enum": ["error", "the default {value} is not one of the allowed values", "{expected}"],
  "default-limit": ["error", "the default {value} {problem}", "a default that passes the field's validation"],
  "default-invalid": [
    "error",
    "the default {value} is not valid: {problem}",
    "a default that the server would accept from a client",
  ],
  "default-rule": [
    "error",
    "the default {value} breaks the field's own rule: {problem}",
    "a default that passes the field's validation",
  ],
  "format-unknown": ["error", "{format} is not a format that the server checks", "{expected}"],
  "limit-value": ["error", "{marker} is {value}, which no value can have", "{expected}"],
  "marker-replaced": [
    "error",
    "{marker} would replace {limit} of its type {type}",
    "a limit that allows less than that of the type; a Rule for another pattern or format",
  ],
  "range-empty": [
    "error",
    "{low} is greater than {high}, so no value is valid",
    "a minimum that is not greater than the maximum",
  ],
  "pattern-invalid": [
    "error",
    "the pattern is not valid RE2: {problem}",
    "a regular expression without look-around or \\1",
  ],
  "rule-option": ["error", "{option} of the rule is {problem}", "{expected}"],
  "rule-invalid": ["error", "the rule is not valid: {problem}", "a CEL expression over self that returns a boolean"],
  "column-path": [
    "error",
    "column {column} reads {path}, which {type} does not have",
    "a path of fields, like .spec.replicas",
  ],
  "selectable-type": ["error", "selectable field {path} is a {type}", "the path of a string, a boolean or an integer"],
  "selectable-field": [
    "error",
    "selectable field {path} does not exist in {type}",
    "a path of fields, like spec.nodeName",
  ],
  "scale-path": [
    "error",
    "the scale subresource reads {path}, which {type} does not have",
    "a path like .spec.replicas",
  ],
  "subresource-kind": ["error", "subresource {name} carries {kind}, which is not defined", "group/version Kind"],
  "replacement-kind": ["error", "the replacement {kind} does not name a kind that is defined", "group/version Kind"],
  "storage-twice": [
    "error",
    "{kind} of {group} is stored in both {first} and {second}",
    "storage: true in one version",
  ],
  "storage-missing": [
    "error",
    "{kind} is stored in {group}, which does not define it",
    "a group that defines the kind",
  ],
  "storage-prefix": [
    "error",
    "{kind} would be stored under {prefix}, which {first} already uses",
    "a plural, or a `storedAs`, that no other kind has",
  ],
  "plural-shape": ["error", "{plural} is not a valid resource name", "lower-case letters, digits and dashes"],
  "lifecycle-order": ["error", "{earlier} comes after {later}", "introduced < deprecated < removed"],
  "hooks-orphan": ["error", "this hooks file belongs to no kind", "<kind>.hooks.ts beside <kind>.ts"],
  "hooks-empty": ["error", "this file exports no hooks", "export const hooks = kindHooks<Kind>({ … })"],
  "hooks-version": [
    "error",
    "these hooks are written for {kind} {version}, but objects are stored as {hub}, which has another shape and no hooks",
    "the hooks in {file}, written for the stored version",
  ],
  "default-gate": [
    "error",
    "{text} in the code of defaults does not tell which feature gate they depend on",
    'featureEnabled("NameOfTheGate") with a string literal; to use it in another function, pass the context and call it there',
  ],
  "hooks-reads": [
    "error",
    "these hooks read {name}, which is not a stored kind",
    "a constant that is imported from the definition of the kind: export const shelf = kind<Shelf>({ … })",
  ],
  "field-numbers-broken": [
    "error",
    "the field numbers cannot be read: {problem}",
    "the file as the generator wrote it; restore it from version control",
  ],
  "field-number-taken": ["error", "{type}.{field} has number {number}, which is {why}", "a number of its own"],
  "conversion-unknown": ["error", "{path} is not a field of {type}", "the path of a field of that version"],
  "conversion-target": ["error", "the conversion of {from} {problem}", "{expected}"],
  "conversion-type": [
    "error",
    "{from} of {type} cannot become {to} of {hub}: {problem}",
    "fields of the same type, or a pair of functions `toHub` and `fromHub`",
  ],
  "conversion-missing": [
    "error",
    "{where} differs from the storage version {hub}, and no conversion is declared for: {paths}",
    "an entry in {file}",
  ],
  "description-missing": ["error", "{name} has no description", "a comment above it that says what it is for"],
  "description-short": [
    "error",
    '"{description}" does not say what {name} does',
    "a sentence: what it does, allowed values, who sets it, what happens when it is unset",
  ],
  "description-repeated": [
    "error",
    "{name} has the same description as its type {type}",
    "what the field means in this place",
  ],
  "override-unused": [
    "warning",
    "nothing about {element} breaks a rule, so its override has no effect",
    "no override; release-snapshot has recorded the change if there was one",
  ],
  "evolution-kind-removed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the kind, with `deprecated` and `removed` saying when it goes",
  ],
  "evolution-kind-changed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "a new version that differs, beside this one",
  ],
  "evolution-field-removed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the field, marked `Deprecated`; leave it out of a new version instead",
  ],
  "evolution-field-retyped": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the type it had; give a new field the new type",
  ],
  "evolution-field-required": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "an optional field, checked where it is needed by a rule for new objects",
  ],
  "evolution-validation-tightened": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the limit it had, or a rule that tolerates what is already stored",
  ],
  "evolution-enum-dropped": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the value, documented as no longer useful",
  ],
  "evolution-default-changed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the default it had; a new version may have another",
  ],
  "evolution-merge-changed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the way it merged; a new version may have another",
  ],
  "evolution-field-renumbered": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the number in field-numbers.json it had",
  ],
  "evolution-gate-removed": [
    "error",
    "{where} {text} since release {release}: {rule}",
    "the gate, with `dropped` saying which release refuses it",
  ],
  "evolution-storage-early": [
    "error",
    "{where} would be stored as {hub} in {release}, the first release that has this version: after a rollback it could not be read",
    "the previous storage version for one more release",
  ],
  "evolution-stable-removed": ["error", "{where} is stable and would be removed in {removed}", "{expected}"],
  "evolution-beta-kept": [
    "error",
    "{where} is beta since {introduced} and {fate}",
    "a deprecation at most {limit} releases after the introduction",
  ],
  "evolution-no-notice": [
    "error",
    "{where} would be removed in {removed}, before the deprecation period of a beta version ends",
    "a removal at least {limit} releases after the deprecation",
  ],
  "evolution-less-stable": [
    "error",
    "{where} is deprecated in favour of {replacement}, which is less stable",
    "a replacement that is at least as stable",
  ],
  "evolution-metric-early": [
    "error",
    "metric {name} is {stability} since {introduced} and deprecated already in {deprecated}",
    "a deprecation at least {life} releases after the introduction",
  ],
  "evolution-metric-removed": [
    "error",
    "metric {name} is {stability} and was removed without the deprecation period",
    "the metric, with `deprecated` saying since when, for more than {notice} releases",
  ],
  "evolution-metric-demoted": [
    "error",
    "the stability of metric {name} was lowered from {former} to {stability}",
    "the stability it had, and `deprecated` if it is to go",
  ],
  "evolution-gate-alpha-on": [
    "error",
    "gate {name} is alpha since {since} and on by default",
    "`alpha {since}`, which is off, or `beta {since}`",
  ],
  "evolution-gate-unwarned": [
    "error",
    "gate {name} is beta since {since} and would be removed in {dropped} without a release that warns about it",
    "a step `deprecated` at least one release before",
  ],
  "evolution-gate-dropped": [
    "error",
    "gate {name} is {stage} since {since} and would be removed in {dropped}",
    "at least {notice} releases between the two",
  ],
} as const satisfies { [code: string]: readonly [Severity, string, string] };

export type DiagnosticCode = keyof typeof TABLE;
export const DIAGNOSTIC_CODES = Object.keys(TABLE) as DiagnosticCode[];

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly expected: string;
  readonly suggestion?: string;
  readonly at: Location;
}

/** Values for the {parameters} of a message, and what `didYouMean` searches for the word that was probably meant. */
export type Parameters = { readonly [name: string]: string | number };

/** Collects problems so that one run shows all of them. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();

  report(code: DiagnosticCode, at: Location, parameters: Parameters = {}, suggestion?: string): void {
    const [severity, message, expected] = TABLE[code];
    const diagnostic: Diagnostic = {
      code,
      severity,
      message: fill(message, parameters),
      expected: fill(expected, parameters),
      ...(suggestion === undefined ? {} : { suggestion }),
      at,
    };
    this.#found.set(`${at.file}:${at.line}:${at.column}:${code}:${diagnostic.message}`, diagnostic);
  }

  /** Number of diagnostics so far. */
  get count(): number {
    return this.#found.size;
  }

  get hasErrors(): boolean {
    return [...this.#found.values()].some((diagnostic) => diagnostic.severity === "error");
  }

  /** Returns the diagnostics sorted by file, line and column. */
  sorted(): Diagnostic[] {
    return [...this.#found.values()].sort(
      (a, b) =>
        compareText(a.at.file, b.at.file) ||
        a.at.line - b.at.line ||
        a.at.column - b.at.column ||
        compareText(a.code, b.code),
    );
  }
}

/** Formats a diagnostic for a terminal. Editors recognize the location in the first line as a link. */
export function renderDiagnostic({ at, severity, code, message, expected, suggestion }: Diagnostic): string {
  const lines = [`${at.file}:${at.line}:${at.column} ${severity} ${code}: ${message}`];
  if (at.text !== "") lines.push(`    found:    ${oneLine(at.text)}`);
  lines.push(`    expected: ${expected}`);
  if (suggestion !== undefined) lines.push(`    did you mean ${suggestion}?`);
  return lines.join("\n");
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > 100 ? `${flat.slice(0, 99)}…` : flat;
}

function fill(template: string, parameters: Parameters): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
