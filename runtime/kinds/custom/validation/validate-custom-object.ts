import { createRequire } from "node:module";
import { loadCelInTurns } from "../../../cel/load-in-turns.ts";
import type { SchemaRules } from "../../../cel/rules/structural-rules.ts";
import type { ApiObject } from "../../../contract/api-object.ts";
import type { FieldError, FieldErrorReason } from "../../../contract/field-error.ts";
import type { ObserveRules } from "../../../contract/observe-rules.ts";
import { append } from "../../../lib/append.ts";
import { inTurnsIfLong, type Steps } from "../../../lib/in-turns.ts";
import type { TypeSchema } from "../../../schema/type-schema.ts";
import { createMetadataReader, type MetadataReader, validateEmbedded } from "../../../schema/validate-embedded.ts";
import { invalidField } from "../../../values/field-errors.ts";
import type { ScalePaths } from "../definition/custom-definition.ts";
import { visitEmbedded } from "../schema/embedded-objects.ts";
import { type CustomSchema, propertySchema } from "../schema/structural-schema.ts";
import { isUnchanged } from "./unchanged.ts";
import { validateLists } from "./validate-lists.ts";
import { validateSpecReplicas, validateStatusReplicas } from "./validate-replicas.ts";
import { SchemaValidator } from "./validate-schema.ts";

/** Cost limit for all rules of one object. */
const RULE_BUDGET = 10_000_000;

/** Errors that prevent the evaluation of rules, which rely on types and sizes. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

export type Tolerate = (error: FieldError) => void;

interface Before {
  readonly old: ApiObject;
  readonly tolerate: Tolerate;
}

export interface CustomValidationOptions {
  readonly schema: CustomSchema;
  readonly vendor: string;
  readonly scale: ScalePaths | undefined;
  /** The type schema of object metadata. */
  readonly metadata: TypeSchema;
  readonly observeRules?: ObserveRules | undefined;
}

/** Validates objects of one version of a custom kind: schema, embedded resources, list types, then rules. */
export class CustomValidation {
  readonly #options: CustomValidationOptions;
  readonly #whole: SchemaValidator;
  readonly #status: SchemaValidator;
  readonly #readMetadata: MetadataReader;
  #mentionsRules: boolean | undefined;
  #rules: { readonly compiled: SchemaRules | undefined } | undefined;

  constructor(options: CustomValidationOptions) {
    const { schema, vendor } = options;
    this.#options = options;
    this.#readMetadata = createMetadataReader(options.metadata);
    this.#whole = new SchemaValidator(schema, vendor);
    this.#status = new SchemaValidator(propertySchema(schema, "status") ?? {}, vendor);
  }

  /** Await the result before validating the first object. A promise if the rules need CEL and it is not loaded yet, otherwise undefined. */
  loading(): Promise<void> | undefined {
    if (this.#rules !== undefined || !this.#hasRules()) return undefined;
    return loadCelInTurns();
  }

  /** Validates a new object, in several turns of the event loop if that takes long. */
  create(object: ApiObject): FieldError[] | Promise<FieldError[]> {
    return inTurnsIfLong(this.#createSteps(object));
  }

  *#createSteps(object: ApiObject): Steps<FieldError[]> {
    const ofSchema = this.#whole.validate(object);
    yield;
    const inside = [...this.#replicas(object), ...this.#embedded(object)];
    yield;
    const ofLists = this.#lists(object);
    yield;
    return this.#withRules(object, undefined, [...ofSchema, ...inside, ...ofLists]);
  }

  /** Validates an update. `tolerate` receives the errors that are ignored because the old object has them too. */
  update(object: ApiObject, old: ApiObject, tolerate: Tolerate): FieldError[] | Promise<FieldError[]> {
    return inTurnsIfLong(this.#updateSteps(object, old, tolerate));
  }

  *#updateSteps(object: ApiObject, old: ApiObject, tolerate: Tolerate): Steps<FieldError[]> {
    const ofSchema = this.#whole.validate(object, { old });
    yield;
    const inside = [...this.#replicas(object), ...this.#embedded(object)];
    yield;
    const ofLists = this.#newDuplicates(object, old);
    yield;
    return this.#withRules(object, { old, tolerate }, [...ofSchema, ...inside, ...ofLists]);
  }

  /** Validates an update of the `status` subresource: schema and replicas of the status only, list types and rules of the whole object. */
  updateStatus(object: ApiObject, old: ApiObject, tolerate: Tolerate): FieldError[] {
    const before = old.status === undefined ? undefined : { old: old.status };
    return this.#withRules(object, { old, tolerate }, [
      ...(object.status === undefined ? [] : this.#status.validate(object.status, before, "status")),
      ...validateStatusReplicas(object, this.#options.scale),
      ...this.#newDuplicates(object, old),
    ]);
  }

  #replicas(object: ApiObject): FieldError[] {
    const { scale } = this.#options;
    return [...validateSpecReplicas(object, scale), ...validateStatusReplicas(object, scale)];
  }

  #embedded(object: ApiObject): FieldError[] {
    const { schema, vendor } = this.#options;
    const errors: FieldError[] = [];
    visitEmbedded(object, schema, vendor, (resource, path) =>
      append(errors, validateEmbedded(resource, path, this.#readMetadata)),
    );
    return errors;
  }

  #lists(object: ApiObject): FieldError[] {
    const { schema, vendor } = this.#options;
    return validateLists(object, schema, vendor);
  }

  /** Returns the duplicates in lists, or nothing if the old object also has duplicates. */
  #newDuplicates(object: ApiObject, old: ApiObject): FieldError[] {
    const errors = this.#lists(object);
    return errors.length > 0 && this.#lists(old).length > 0 ? [] : errors;
  }

  #withRules(object: ApiObject, before: Before | undefined, errors: FieldError[]): FieldError[] {
    const rules = this.#compiledRules();
    if (rules === undefined) return errors;
    if (errors.some(({ reason }) => BLOCKING.has(reason))) return [...errors, UNCHECKED];
    const found = this.#timed("evaluation", () =>
      rules.validate(object, before?.old, "", { remaining: RULE_BUDGET }, before?.tolerate),
    );
    return [...errors, ...found];
  }

  #hasRules(): boolean {
    const { schema, vendor } = this.#options;
    this.#mentionsRules ??= JSON.stringify(schema, bigints).includes(`"x-${vendor}-validations"`);
    return this.#mentionsRules;
  }

  /** Compiles the rules. CEL is loaded with the first kind that has rules. */
  #compiledRules(): SchemaRules | undefined {
    const { schema, vendor } = this.#options;
    if (this.#rules === undefined) {
      const same = (value: unknown, old: unknown, part: CustomSchema) => isUnchanged(value, old, part, vendor);
      const compile = () => loadRules()(schema, { vendor, isUnchanged: same });
      this.#rules = { compiled: this.#hasRules() ? this.#timed("compilation", compile) : undefined };
    }
    return this.#rules.compiled;
  }

  #timed<T>(step: Parameters<ObserveRules>[0], run: () => T): T {
    const started = performance.now();
    try {
      return run();
    } finally {
      this.#options.observeRules?.(step, performance.now() - started);
    }
  }
}

function loadRules() {
  const module = createRequire(import.meta.url)("../../../cel/rules/structural-rules.ts");
  return (module as typeof import("../../../cel/rules/structural-rules.ts")).compileStructuralRules;
}

function bigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

const UNCHECKED: FieldError = invalidField(
  "<nil>",
  null,
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
);
