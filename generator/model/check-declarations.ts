import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { FUNCTION } from "../reader/read-literal.ts";
import type { CallDeclaration, DefinitionFile, Literal } from "../reader/syntax.ts";
import { placeOf } from "./build-groups.ts";
import type { Names } from "./names.ts";

type Setting = "string" | "boolean" | "number" | "strings" | "object" | "list" | "function" | readonly string[];
type Settings = { readonly [key: string]: Setting };

const EXPECTED: { readonly [setting in Extract<Setting, string>]: string } = {
  string: "a string",
  boolean: "true or false",
  number: "a number",
  strings: "a list of strings",
  object: "an object",
  list: "a list",
  function: "a function",
};

const LIFECYCLE: Settings = { introduced: "string", deprecated: "string", removed: "string", replacement: "string" };
const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Settings that each function of the vocabulary accepts. */
const SETTINGS: { readonly [word: string]: Settings } = {
  kind: {
    ...LIFECYCLE,
    deprecationWarning: "string",
    plural: "string",
    singular: "string",
    shortNames: "strings",
    categories: "strings",
    virtual: "boolean",
    unserved: "boolean",
    verbs: "strings",
    subresources: "object",
    columns: "list",
    selectableFields: "strings",
    storage: "boolean",
    createOnUpdate: "boolean",
    returnsDeleted: "boolean",
    generation: "boolean",
    conditionalUpdate: "boolean",
    storedIn: "string",
    storedAs: "string",
    offByDefault: "boolean",
    gate: "string",
  },
  configKind: { ...LIFECYCLE, group: "string", aliases: "strings" },
  group: {
    name: "string",
    versions: "strings",
    priority: "number",
    formerPriority: "object",
    formerVersions: "strings",
    package: "string",
    kubernetes: "boolean",
    scheme: "string",
    configuration: "boolean",
    imported: "boolean",
  },
  conversion: {
    rename: "object",
    relabels: "boolean",
    toHub: "function",
    fromHub: "function",
    unordered: "strings",
    repeated: "strings",
  },
};

const COLUMN: Settings = {
  name: "string",
  type: ["string", "integer", "number", "boolean", "date"],
  format: "string",
  priority: "number",
  description: "string",
  path: "string",
};
const SCALE: Settings = {
  specReplicasPath: "string",
  statusReplicasPath: "string",
  labelSelectorPath: "string",
  kind: "string",
  verbs: "strings",
};
const SUBRESOURCE: Settings = {
  kind: "string",
  verbs: "strings",
  options: "string",
  connect: "object",
  gate: "string",
};

/** Files in which each declaration has an effect. */
const PLACES: { readonly [word: string]: readonly [pattern: RegExp, expected: string] } = {
  kind: [/^[^/]+\/[^/]+\/(?!group\.ts$|conversions\.ts$)[^/]+$/, "<group>/<version>/<kind>.ts"],
  configKind: [/^[^/]+\/[^/]+\/(?!group\.ts$|conversions\.ts$)[^/]+$/, "<group>/<version>/<kind>.ts"],
  group: [/^[^/]+\/[^/]+$/, "<group>/group.ts"],
  conversion: [/^[^/]+\/conversions\.ts$/, "<group>/conversions.ts"],
};

/** Checks that declarations have known settings of the right types, are in files where they have an effect, and name existing types. */
export function checkDeclarations(files: readonly DefinitionFile[], names: Names, diagnostics: Diagnostics): void {
  for (const file of files) {
    for (const call of file.calls) {
      checkPlace(call, file, diagnostics);
      const settings = SETTINGS[call.word];
      if (settings !== undefined) checkSettings(call, `${call.word}()`, "", call.argument.value, settings, diagnostics);
      if (call.word === "kind") checkParts(call, diagnostics);
      if (call.word === "conversion") checkTypes(call, file, names, diagnostics);
    }
    const [, second] = file.calls.filter(({ word }) => word === "group");
    if (second !== undefined) reportPlace(second, "a folder of its own", diagnostics);
  }
}

function checkPlace(call: CallDeclaration, { path }: DefinitionFile, diagnostics: Diagnostics): void {
  const [pattern, expected] = PLACES[call.word] ?? [];
  if (pattern === undefined || pattern.test(path.replace("api-definitions/", ""))) return;
  reportPlace(call, `api-definitions/${expected}`, diagnostics);
}

function reportPlace(call: CallDeclaration, expected: string, diagnostics: Diagnostics): void {
  diagnostics.report("declaration-place", call.at, { word: call.word, expected });
}

function checkParts(call: CallDeclaration, diagnostics: Diagnostics): void {
  const { columns, subresources, verbs } = call.argument.value;
  for (const [index, column] of Array.isArray(columns) ? columns.entries() : [])
    checkSettings(call, "a column", `columns.${index}`, column, COLUMN, diagnostics);
  for (const [name, value] of Object.entries(objectOf(subresources))) {
    if (value === true) continue;
    const settings = name === "scale" ? SCALE : SUBRESOURCE;
    checkSettings(call, `the subresource ${name}`, `subresources.${name}`, value, settings, diagnostics);
  }
  for (const [index, verb] of Array.isArray(verbs) ? verbs.entries() : []) {
    if (typeof verb !== "string" || VERBS.includes(verb)) continue;
    const parameters = { key: "verbs", problem: JSON.stringify(verb), expected: `one of ${VERBS.join(", ")}` };
    diagnostics.report(
      "config-value",
      placeOf(call.argument, `verbs.${index}`, call.at),
      parameters,
      closest(verb, VERBS),
    );
  }
}

function checkTypes(call: CallDeclaration, file: DefinitionFile, names: Names, diagnostics: Diagnostics): void {
  for (const type of call.types) {
    const name = type.form === "word" ? type.name : "";
    if (names.declaration(file.path, name) !== undefined) continue;
    const why = names.whyUnknown(file.path, name);
    diagnostics.report("unknown-type", type.at, { name, why }, closest(name, names.visible(file.path, name)));
  }
  if (call.types.length !== 2) {
    const parameters = { marker: "conversion", expected: "conversion<Kind, StoredKind>({ … })" };
    diagnostics.report("marker-arguments", call.at, parameters);
  }
}

function checkSettings(
  call: CallDeclaration,
  where: string,
  path: string,
  value: Literal,
  settings: Settings,
  diagnostics: Diagnostics,
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const place = placeOf(call.argument, path, call.at);
    diagnostics.report("config-value", place, { key: where, problem: shown(value), expected: EXPECTED.object });
    return;
  }
  for (const [key, one] of Object.entries(value) as [string, Literal][]) {
    const place = placeOf(call.argument, path === "" ? key : `${path}.${key}`, call.at);
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    const known = Object.keys(settings);
    if (setting === undefined)
      diagnostics.report("config-unknown", place, { key, where, expected: known.join(", ") }, closest(key, known));
    // A literal that cannot be read has already been reported.
    else if (one !== null && !fits(one, setting)) {
      const expected = typeof setting === "string" ? EXPECTED[setting] : setting.map((each) => `"${each}"`).join(", ");
      const meant = typeof setting === "object" && typeof one === "string" ? closest(one, [...setting]) : undefined;
      diagnostics.report("config-value", place, { key, problem: shown(one), expected }, meant);
    }
  }
}

function fits(value: Literal, setting: Setting): boolean {
  if (typeof setting === "object") return typeof value === "string" && setting.includes(value);
  const isText = (one: Literal): boolean => typeof one === "string" && one !== FUNCTION;
  switch (setting) {
    case "string":
      return isText(value);
    case "strings":
      return Array.isArray(value) && value.every(isText);
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "function":
      return value === FUNCTION;
    default:
      return typeof value === setting;
  }
}

function shown(value: Literal): string {
  return value === FUNCTION ? "not written out" : JSON.stringify(value);
}

function objectOf(value: Literal | undefined): { readonly [key: string]: Literal } {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as { readonly [key: string]: Literal }) : {};
}
