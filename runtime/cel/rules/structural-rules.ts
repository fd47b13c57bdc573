import type { FieldError } from "../../contract/field-error.ts";
import { equalJson } from "../../lib/equal-json.ts";
import type { EnvironmentVersion } from "../cel.ts";
import type { CelSchema } from "../schema/cel-schema.ts";
import { fromStructuralSchema, type StructuralSchema } from "../schema/structural-schema.ts";
import { compileRules, type Ratchet, type RuleSet } from "./compile-rules.ts";
import { joinPath } from "./field-path.ts";
import type { Rule, RuleBudget } from "./rule.ts";

/** The rules of a whole schema. They are evaluated for an object and, for transition rules, the old object. */
export interface SchemaRules {
  validate(
    value: unknown,
    oldValue: unknown,
    path: string,
    budget: RuleBudget,
    tolerated?: (error: FieldError) => void,
  ): FieldError[];
}

export interface StructuralRulesOptions {
  /** Part of the names of extensions: `x-<vendor>-validations`. */
  readonly vendor: string;
  readonly version?: EnvironmentVersion;
  /** Whether the schema is the root of a resource. Defaults to true. */
  readonly isResource?: boolean;
  /** Whether a value is unchanged. It may then violate the rules that it violated before. */
  readonly isUnchanged?: (value: unknown, old: unknown, schema: StructuralSchema) => boolean;
}

/** Compiles all rules of a structural schema. Undefined if it has none. */
export function compileStructuralRules(
  schema: StructuralSchema,
  options: StructuralRulesOptions,
): SchemaRules | undefined {
  const root = compileNode(schema, schema, options, options.isResource ?? true);
  if (root === undefined) return undefined;
  return {
    validate(value, oldValue, path, budget, tolerated) {
      const errors: FieldError[] = [];
      const tell = tolerated && ((error: FieldError) => tolerated(nameRoot(error)));
      const ratchet = { isSame: options.isUnchanged ?? equalJson, tolerated: tell };
      walk(root, { value, oldValue, path, ancestor: undefined }, budget, errors, ratchet);
      return errors.map(nameRoot);
    },
  };
}

/** The field name that Kubernetes reports for the whole object. */
const ROOT_FIELD = "<nil>";
const nameRoot = (error: FieldError): FieldError => (error.field === "" ? { ...error, field: ROOT_FIELD } : error);

/** The rules of one schema and of nested schemas. Absent parts have no rules. */
interface RuleNode {
  /** The schema that describes the data. */
  readonly spine: StructuralSchema;
  readonly own?: RuleSet;
  readonly alternatives: readonly RuleNode[];
  readonly properties?: ReadonlyMap<string, RuleNode>;
  readonly values?: RuleNode;
  readonly items?: RuleNode;
  /** Keys by which list items are matched with those of the old object. Items of other lists are not matched. */
  readonly listMapKeys?: readonly string[];
}

/** `spine` is the schema that describes the data; `schema` has the rules, and is the spine itself or one of its `allOf`. */
function compileNode(
  schema: StructuralSchema,
  spine: StructuralSchema,
  options: StructuralRulesOptions,
  isResource: boolean,
): RuleNode | undefined {
  const { vendor } = options;
  const rules = schema[`x-${vendor}-validations`] as readonly Rule[] | undefined;
  const child = (part: StructuralSchema | undefined, spinePart: StructuralSchema | undefined) =>
    part === undefined || spinePart === undefined
      ? undefined
      : compileNode(part, spinePart, options, spinePart[`x-${vendor}-embedded-resource`] === true);
  const properties = new Map<string, RuleNode>();
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const node = child(part, spine.properties?.[name]);
    if (node !== undefined) properties.set(name, node);
  }
  const values = child(schemaOf(schema.additionalProperties), schemaOf(spine.additionalProperties));
  const items = child(schema.items, spine.items);
  const alternatives = (schema.allOf ?? [])
    .map((part) => compileNode(part, spine, options, isResource))
    .filter((node) => node !== undefined);
  const described: CelSchema = fromStructuralSchema(spine, vendor, isResource);
  const own = rules === undefined || rules.length === 0 ? undefined : compileRules(described, rules, options);
  if (own === undefined && properties.size + alternatives.length === 0 && values === undefined && items === undefined)
    return undefined;
  const keys = spine[`x-${vendor}-list-type`] === "map" ? spine[`x-${vendor}-list-map-keys`] : undefined;
  return {
    spine,
    alternatives,
    ...(own === undefined ? {} : { own }),
    ...(properties.size === 0 ? {} : { properties }),
    ...(values === undefined ? {} : { values }),
    ...(items === undefined ? {} : { items }),
    ...(keys === undefined ? {} : { listMapKeys: keys as readonly string[] }),
  };
}

const schemaOf = (part: StructuralSchema | boolean | undefined) => (typeof part === "object" ? part : undefined);

/** A visited value with its old value, and the nearest ancestor that has an old value. */
interface Place {
  readonly value: unknown;
  readonly oldValue: unknown;
  readonly path: string;
  readonly ancestor: Before | undefined;
}

interface Before {
  readonly value: unknown;
  readonly oldValue: unknown;
  readonly spine: StructuralSchema;
}

interface RatchetOptions {
  readonly isSame: (value: unknown, old: unknown, schema: StructuralSchema) => boolean;
  readonly tolerated: ((error: FieldError) => void) | undefined;
}

function walk(node: RuleNode, place: Place, budget: RuleBudget, errors: FieldError[], options: RatchetOptions): void {
  const { value, oldValue, path } = place;
  if (value === null || value === undefined || budget.remaining < 0) return;
  if (node.own !== undefined) {
    const { tolerated } = options;
    const unchanged = () => isUnchanged(place, node.spine, options);
    const ratchet: Ratchet = { unchanged, ...(tolerated === undefined ? {} : { tolerated }) };
    errors.push(...node.own.validate(value, oldValue, path, budget, ratchet));
  }
  for (const alternative of node.alternatives) walk(alternative, place, budget, errors, options);
  const isKnown = oldValue !== undefined && oldValue !== null;
  const ancestor = isKnown ? { value, oldValue, spine: node.spine } : place.ancestor;
  const below = (next: RuleNode, part: unknown, oldPart: unknown, step: string) =>
    walk(next, { value: part, oldValue: oldPart, path: joinPath(path, step), ancestor }, budget, errors, options);
  if (Array.isArray(value)) walkItems(node, value, oldValue, below);
  else if (typeof value === "object") walkProperties(node, value as JsonObject, oldValue, below);
}

type JsonObject = Readonly<Record<string, unknown>>;
type Descend = (next: RuleNode, part: unknown, oldPart: unknown, step: string) => void;

function walkProperties(node: RuleNode, object: JsonObject, oldValue: unknown, below: Descend): void {
  const old = typeof oldValue === "object" && oldValue !== null ? (oldValue as JsonObject) : {};
  const before = (name: string) => (Object.hasOwn(old, name) ? old[name] : undefined);
  for (const name of Object.keys(object)) {
    const property = node.properties?.get(name);
    if (property !== undefined) below(property, object[name], before(name), name);
    if (node.values !== undefined) below(node.values, object[name], before(name), `[${name}]`);
  }
}

function walkItems(node: RuleNode, list: readonly unknown[], oldValue: unknown, below: Descend): void {
  const { items, listMapKeys } = node;
  if (items === undefined) return;
  const before = listMapKeys === undefined || !Array.isArray(oldValue) ? undefined : indexByKeys(oldValue, listMapKeys);
  list.forEach((item, index) => {
    const key = before === undefined ? undefined : keyOf(item, listMapKeys!);
    below(items, item, key === undefined ? undefined : before?.get(key), `[${index}]`);
  });
}

function indexByKeys(list: readonly unknown[], keys: readonly string[]): Map<string, unknown> {
  const index = new Map<string, unknown>();
  for (const item of list) {
    const key = keyOf(item, keys);
    if (key !== undefined && !index.has(key)) index.set(key, item);
  }
  return index;
}

/** Identifies an item by the scalar values of its keys. Undefined if one is missing: the item then has no match. */
function keyOf(item: unknown, keys: readonly string[]): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const parts = keys.map((key) => (Object.hasOwn(item, key) ? (item as JsonObject)[key] : undefined));
  if (parts.some((part) => part === undefined || typeof part === "object")) return undefined;
  return JSON.stringify(parts.map((part) => [typeof part, String(part)]));
}

/** Whether a value is unchanged; if it has no old value, whether its nearest ancestor with an old value is. */
function isUnchanged(
  { value, oldValue, ancestor }: Place,
  spine: StructuralSchema,
  { isSame }: RatchetOptions,
): boolean {
  if (oldValue !== undefined && oldValue !== null) return isSame(value, oldValue, spine);
  return ancestor !== undefined && isSame(ancestor.value, ancestor.oldValue, ancestor.spine);
}
