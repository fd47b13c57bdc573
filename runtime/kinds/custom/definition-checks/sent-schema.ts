import { asGiven, notesOf } from "../../../go/source-notes.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { isJsonObject, type JsonObject, setOwn } from "../../../lib/json-object.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

/** Key of `items` that are not a single schema: null or a list. */
export const OTHER_ITEMS: unique symbol = Symbol("other items");

/** A schema as a client may send it. Includes keywords that are parsed and then rejected. */
export type SentSchema = CustomSchema & {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly additionalItems?: unknown;
  readonly patternProperties?: object;
  readonly definitions?: Readonly<Record<string, CustomSchema>>;
  readonly dependencies?: Readonly<Record<string, CustomSchema | readonly string[]>>;
  readonly [OTHER_ITEMS]?: null | readonly unknown[];
};

/** Result of one traversal of all parts of a schema. */
interface Survey {
  /** Whether `asSent` would return the schema itself. */
  isSentAsIs: boolean;
  /** The rules keywords that were found: `x-<vendor>-validations`. */
  readonly rules: Set<string>;
}

const surveys = new WeakMap<object, Survey>();

/** Whether a schema, or a part of it, contains the rules keyword of a vendor. */
export function hasRules(schema: object | null | undefined, vendor: string): boolean {
  return schema !== undefined && schema !== null && surveyOf(schema).rules.has(`x-${vendor}-validations`);
}

/** Traverses a schema once and caches the result for all checks. */
function surveyOf(schema: object): Survey {
  let survey = surveys.get(schema);
  if (survey === undefined) {
    survey = { isSentAsIs: true, rules: new Set() };
    look(schema, survey);
    surveys.set(schema, survey);
  }
  return survey;
}

function look(part: object, survey: Survey): void {
  if (notesOf(part)?.empties?.has("dependencies")) survey.isSentAsIs = false;
  for (const key in part) {
    const member = (part as Record<string, unknown>)[key];
    if (typeof member !== "object") continue;
    if (member === null) {
      if (key === "items") survey.isSentAsIs = false;
      continue;
    }
    if (key === "dependencies" || (key === "items" && Array.isArray(member))) survey.isSentAsIs = false;
    else if (key.endsWith("-validations")) survey.rules.add(key);
    look(member, survey);
  }
}

/** Number of parts of a schema that are read in one step. */
const PARTS_PER_STEP = 1000;

/** Returns a schema as it was sent: see `copyAsSent`. */
export function* asSent(schema: object): Steps<unknown> {
  return surveyOf(schema).isSentAsIs ? schema : yield* copyAsSent(schema);
}

/**
 * Copies a schema, with `items` that are not a single schema under OTHER_ITEMS, and with `dependencies` even if they were sent empty. Parts
 * without any of these are not copied.
 */
function* copyAsSent(value: unknown): Steps<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (let i = 0; i < value.length; i++) {
      if (i % PARTS_PER_STEP === PARTS_PER_STEP - 1) yield;
      copy.push(isContainer(value[i]) ? yield* copyAsSent(value[i]) : value[i]);
    }
    return copy.every((item, index) => item === value[index]) ? value : copy;
  }
  if (!isJsonObject(value)) return value;
  const { items } = value;
  const hasOther = items === null || (Array.isArray(items) && items.length === 0);
  const dependencies = asGiven(value as JsonObject, "dependencies");
  const isOther = hasOther || dependencies !== undefined || Array.isArray(items);
  const keys = Object.keys(value);
  // The copy is created at the first difference.
  let copy: Sent | undefined = isOther ? {} : undefined;
  for (let i = 0; i < keys.length; i++) {
    if (i % PARTS_PER_STEP === PARTS_PER_STEP - 1) yield;
    const key = keys[i] as string;
    if (key === "items" && hasOther) continue;
    const member = value[key];
    const sent = isContainer(member) && !isSentAsIs(member) ? yield* copyAsSent(member) : member;
    if (copy === undefined && sent !== member) copy = copyOf(value, keys, i);
    if (copy !== undefined) setOwn(copy, key, sent);
  }
  if (copy === undefined) return value;
  if (dependencies !== undefined) copy.dependencies = dependencies;
  if (hasOther || Array.isArray(items)) copy[OTHER_ITEMS] = items;
  return copy;
}

type Sent = { [key: string]: unknown; [OTHER_ITEMS]?: unknown };

/** Copies the first `count` members of an object. */
function copyOf(value: Record<string, unknown>, keys: readonly string[], count: number): Sent {
  const copy: Sent = {};
  for (let i = 0; i < count; i++) setOwn(copy, keys[i] as string, value[keys[i] as string]);
  return copy;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether copying would return this part unchanged. Checked without recursion, which suffices for most parts: they are scalars. */
function isSentAsIs(part: object): boolean {
  if (notesOf(part) !== undefined || (part as { items?: unknown }).items === null) return false;
  for (const key in part) if (isContainer((part as Record<string, unknown>)[key])) return false;
  return true;
}
