import type { FieldError } from "../contract/field-error.ts";
import type { Markers, TypeModule, TypeSource, ValidationRule } from "../contract/type-table.ts";
import { append } from "../lib/append.ts";
import { equalJson } from "../lib/equal-json.ts";
import { fieldReader, getOwn, isJsonObject } from "../lib/json-object.ts";
import { equalMeaning } from "../values/equal-meaning.ts";
import { invalidField, requiredField } from "../values/field-errors.ts";
import { listTopology } from "./merge-type.ts";
import { type FieldShape, type ListShape, lazy, type MapShape, type Shape, type StructShape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";
import { asJson, duplicateEntries, entryKey } from "./validate-entries.ts";
import { markerChecks } from "./validate-markers.ts";

/** Remaining cost for the rules of one object. May become negative. */
export interface RuleBudget {
  remaining: number;
}

/**
 * Evaluates rules for one value. `old` is undefined on creation. Paths are relative to the value. While `unchanged` returns true, failures of
 * rules that do not use the old value are ignored.
 */
export type RuleCheck = (value: unknown, old: unknown, budget: RuleBudget, unchanged?: () => boolean) => FieldError[];
export type RuleCompiler = (shape: Shape, rules: readonly ValidationRule[]) => RuleCheck;

/** Compiles keywords of a JSON schema (`Markers.schema`). Paths are relative to the value. */
export type SchemaCompiler = (keywords: NonNullable<Markers["schema"]>) => (value: unknown) => FieldError[];

export interface ValidatorOptions {
  /**
   * Whether the types of a module enforce what OpenAPI declares: required fields, enumerations, unique list entries. Kubernetes validates its own
   * kinds by hand, with its own order and paths, which their hooks reproduce. By default only groups outside its domain are therefore enforced.
   */
  readonly enforces?: (module: TypeModule) => boolean;
  /** Compiles the CEL rules of a type. If absent, rules are not checked. */
  readonly compileRules?: RuleCompiler;
  /** Compiles keywords of JSON schemas. If absent, they are not checked. */
  readonly compileSchema?: SchemaCompiler;
  /** Validates a value that is a complete object (`EmbeddedObject`). If absent, such values are not checked. */
  readonly checkEmbedded?: (value: unknown) => FieldError[];
}

/** Cost limit of Kubernetes for the rules of one object. */
const RULE_BUDGET = 10_000_000;

/**
 * Appends errors to `errors`, with paths relative to the value. `old` is undefined if there is no old value. As in custom resources, values of
 * own kinds that an update does not change may violate rules.
 */
export type Validator = (value: unknown, old: unknown, errors: FieldError[]) => void;

interface CompiledStruct {
  validator: Validator | undefined;
  isCompiling: boolean;
  /** Whether the validator was requested while it was being compiled. */
  isUsedInside: boolean;
}

/**
 * Compiles validators from markers. A type without any declared checks has no validator and is not traversed. Values are canonical, so types
 * are not checked again.
 */
export class ValidatorCompiler {
  readonly #source: TypeSource;
  readonly #options: ValidatorOptions;
  readonly #structs = new Map<StructShape, CompiledStruct>();
  /** Structs that are assumed to have no validator. */
  #withoutAny: ReadonlySet<StructShape> = new Set();
  /** Budget of the object that is being validated. Validation is synchronous, so there is only one such object. */
  #budget: RuleBudget = { remaining: RULE_BUDGET };
  /** Results of comparing values of that object with their old values. */
  #compared = new WeakMap<object, { readonly old: unknown; readonly isSame: boolean }>();

  constructor(source: TypeSource, options: ValidatorOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** Compiles the validator of a whole object, which compares it with the old object if there is one. */
  document(shape: StructShape): (object: PlainObject, old: PlainObject | undefined) => FieldError[] {
    const validator = this.#struct(shape);
    return (object, old) => {
      const errors: FieldError[] = [];
      this.#budget = { remaining: RULE_BUDGET };
      this.#compared = new WeakMap();
      validator?.(object, old, errors);
      return errors;
    };
  }

  /** Returns the validator of a value at a position with the given markers. */
  #value(shape: Shape, markers: Markers, enforces: boolean): Validator | undefined {
    const checks: Validator[] = markerChecks(shape, enforces ? markers : { ...markers, closed: undefined });
    // Keywords of a struct type are checked with its fields, like its rules.
    if (markers.schema !== undefined && !(shape.kind === "struct" && markers.schema === shape.markers.schema))
      checks.push(...this.#schema(markers.schema));
    const { checkEmbedded } = this.#options;
    if (markers.embeddedObject && enforces && checkEmbedded !== undefined)
      checks.push((value, _old, errors) => void errors.push(...checkEmbedded(value)));
    // Kubernetes accepts any JSON for an object without a schema.
    else if (shape.kind === "scalar" && shape.scalar === "rawObject" && enforces) checks.push(objectCheck);
    if (enforces) checks.splice(0, checks.length, ...checks.map((check) => this.#tolerant(check)));
    const inside = this.#inside(shape, markers, enforces);
    if (inside !== undefined) checks.push(inside);
    // Rules of a struct type are checked with its fields; these are the rules of the position.
    const own = shape.kind === "struct" && markers.rules === shape.markers.rules ? undefined : markers.rules;
    if (own !== undefined) checks.push(...this.#rules(shape, own, enforces));
    return together(checks);
  }

  #inside(shape: Shape, markers: Markers, enforces: boolean): Validator | undefined {
    switch (shape.kind) {
      case "scalar":
        return undefined;
      case "struct":
        return this.#struct(shape);
      case "list":
        return this.#list(shape, markers, enforces);
      case "map":
        return this.#map(shape, enforces);
    }
  }

  /** Recursive types: while a struct is being compiled, its validator is assumed to exist. */
  #struct(shape: StructShape): Validator | undefined {
    if (this.#withoutAny.has(shape)) return undefined;
    const known = this.#structs.get(shape);
    if (known !== undefined) {
      known.isUsedInside ||= known.isCompiling;
      return known.validator;
    }
    let compiled: Validator | undefined;
    const entry: CompiledStruct = {
      validator: (value, old, errors) => compiled?.(value, old, errors),
      isCompiling: true,
      isUsedInside: false,
    };
    this.#structs.set(shape, entry);
    compiled = this.#ofStruct(shape);
    entry.isCompiling = false;
    if (entry.isUsedInside && this.#declaresNothing(shape)) compiled = undefined;
    entry.validator = compiled;
    return compiled;
  }

  #ofStruct(shape: StructShape): Validator | undefined {
    const enforces = this.#enforces(shape);
    const schema = this.#schema(shape.markers.schema);
    return together([
      ...this.#fields(shape),
      ...(enforces ? schema.map((check) => this.#tolerant(check)) : schema),
      ...this.#rules(shape, shape.markers.rules ?? [], enforces),
    ]);
  }

  /** Whether a recursive type needs no validator, tried under that assumption. Otherwise large schemas would be traversed for nothing. */
  #declaresNothing(shape: StructShape): boolean {
    const trial = new ValidatorCompiler(this.#source, this.#options);
    trial.#withoutAny = new Set([...this.#withoutAny, shape]);
    return trial.#ofStruct(shape) === undefined;
  }

  #fields(shape: StructShape): Validator[] {
    const enforces = this.#enforces(shape);
    const isObject = shape.flatFields.some((field) => field.name === "metadata");
    return shape.flatFields.flatMap((field) => {
      // Kubernetes trusts the controllers that write a status.
      if (!enforces && isObject && field.name === "status") return [];
      const validate = this.#field(field, enforces);
      return validate === undefined ? [] : [validate];
    });
  }

  #field(field: FieldShape, enforces: boolean): Validator | undefined {
    const { name } = field;
    const read = fieldReader(name);
    const validate = this.#value(field.type, field.markers, enforces);
    // Absent and empty lists and maps are not distinguished: a limit of zero permits both.
    const mayBeEmpty = field.markers.minItems === 0 || field.markers.minProperties === 0;
    const required = field.required && enforces && !mayBeEmpty;
    const immutable = field.markers.immutable === true;
    // An unset string that is not a pointer in Go is empty.
    const none = field.type.kind === "scalar" && field.type.scalar === "string" && !field.tracked ? "" : undefined;
    const standsForNone = !field.tracked && (required || field.markers.closed === true);
    if (validate === undefined && !required && !immutable) return undefined;
    return (object, oldObject, errors) => {
      const value = read(object as PlainObject);
      const old = oldObject ? read(oldObject as PlainObject) : undefined;
      // If unset and zero are not distinguished, an unset required string is empty here. The empty string is also never in a closed set.
      const isSet = value !== undefined && value !== null && !(value === "" && standsForNone);
      if (!isSet && required && !this.#isUnchanged(object, oldObject)) errors.push(requiredField(name));
      if (isSet && validate !== undefined) within(name, validate, value, old, errors);
      // A field can only have changed if its parent existed before.
      if (immutable && oldObject && !equalMeaning(value ?? undefined, old ?? undefined)) {
        errors.push(invalidField(name, enforces ? asJson(value ?? none) : (value ?? none), "field is immutable"));
      }
    };
  }

  #list(shape: ListShape, markers: Markers, enforces: boolean): Validator | undefined {
    const { topology, keys } = listTopology(markers);
    const checkItem = lazy(() => this.#value(shape.element, shape.element.markers, enforces));
    const unique = enforces && topology !== "atomic";
    if (checkItem() === undefined && !unique) return undefined;
    const duplicates: Validator = (value, _old, errors) =>
      void append(errors, duplicateEntries(value as readonly unknown[], topology, keys));
    const checkUnique = this.#tolerant(duplicates);
    const checkItems: Validator = (value, old, errors) => {
      const list = value as readonly unknown[];
      const validate = checkItem();
      if (validate === undefined) return;
      const before = topology === "map" && Array.isArray(old) ? indexEntries(old, keys) : undefined;
      for (let i = 0; i < list.length; i++) {
        const item = list[i];
        within(`[${i}]`, validate, item, before?.get(entryKey(item, keys)), errors);
      }
    };
    // Items with keys are compared individually.
    const checkAll = enforces && topology !== "map" ? this.#tolerant(checkItems) : checkItems;
    return unique ? together([checkUnique, checkAll]) : checkAll;
  }

  #map(shape: MapShape, enforces: boolean): Validator | undefined {
    const validate = this.#value(shape.element, shape.element.markers, enforces);
    if (validate === undefined) return undefined;
    return (value, old, errors) => {
      for (const [key, item] of Object.entries(value as PlainObject)) {
        const before = getOwn((old as PlainObject | null | undefined) ?? undefined, key);
        within(`[${key}]`, validate, item, before, errors);
      }
    };
  }

  #rules(shape: Shape, rules: readonly ValidationRule[], enforces: boolean): Validator[] {
    const compile = this.#options.compileRules;
    if (compile === undefined || rules.length === 0) return [];
    const check = lazy(() => compile(shape, rules));
    return [
      (value, old, errors) => {
        const unchanged = enforces ? () => this.#isUnchanged(value, old) : undefined;
        append(errors, check()(value, old, this.#budget, unchanged));
      },
    ];
  }

  #schema(keywords: Markers["schema"]): Validator[] {
    const compile = this.#options.compileSchema;
    if (compile === undefined || keywords === undefined) return [];
    const check = lazy(() => compile(keywords));
    return [
      (value, _old, errors) => {
        append(errors, check()(value));
      },
    ];
  }

  /** Wraps a check so that its errors are dropped if the value has not changed. */
  #tolerant(check: Validator): Validator {
    return (value, old, errors) => {
      const before = errors.length;
      check(value, old, errors);
      if (errors.length > before && this.#isUnchanged(value, old)) errors.length = before;
    };
  }

  #isUnchanged(value: unknown, old: unknown): boolean {
    if (old === undefined || old === null) return false;
    if (typeof value !== "object" || value === null) return value === old;
    const known = this.#compared.get(value);
    if (known !== undefined && known.old === old) return known.isSame;
    const isSame = equalJson(value, old);
    this.#compared.set(value, { old, isSame });
    return isSame;
  }

  #enforces(shape: StructShape): boolean {
    return (this.#options.enforces ?? isOutsideKubernetes)(this.#source.module(shape.module));
  }
}

/** Whether a group has its own domain, such as `library.example.com`, in contrast to `apps` and `node.k8s.io`. */
export function isOutsideKubernetes(module: TypeModule): boolean {
  const group = module.group ?? "";
  return group.includes(".") && !group.endsWith(".k8s.io");
}

function objectCheck(value: unknown, _old: unknown, errors: FieldError[]): void {
  if (value !== null && !isJsonObject(value)) errors.push(invalidField("", asJson(value), "must be an object"));
}

function together(checks: readonly Validator[]): Validator | undefined {
  if (checks.length <= 1) return checks[0];
  return (value, old, errors) => {
    for (const check of checks) check(value, old, errors);
  };
}

/** Runs a check and prepends the step to the paths of its errors. */
function within(step: string, check: Validator, value: unknown, old: unknown, errors: FieldError[]): void {
  const from = errors.length;
  check(value, old, errors);
  for (let i = from; i < errors.length; i++) {
    const error = errors[i] as FieldError;
    const separator = error.field === "" || error.field.startsWith("[") ? "" : ".";
    errors[i] = { ...error, field: step + separator + error.field };
  }
}

function indexEntries(list: readonly unknown[], keys: readonly string[]): ReadonlyMap<string, unknown> {
  return new Map(list.map((item) => [entryKey(item, keys), item]));
}
