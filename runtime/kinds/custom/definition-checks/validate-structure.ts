import { createRequire } from "node:module";
import type { FieldError } from "../../../contract/field-error.ts";
import { fieldErrorText } from "../../../contract/field-error.ts";
import { equalJson } from "../../../lib/equal-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import { forbiddenField, invalidField, requiredField } from "../../../values/field-errors.ts";
import { type CustomSchema, extensionsOf, valueSchema } from "../schema/structural-schema.ts";
import { checkedProperties } from "./checked-properties.ts";
import { validateCompleteness } from "./validate-completeness.ts";

type Level = "root" | "item" | "field";

/** Number of schemas that are checked in one step. */
const STEP = 200;

const UNTYPED: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** The types that an int-or-string schema may repeat in `anyOf`, at its top level or in the first part of `allOf`. */
const INT_OR_STRING: readonly CustomSchema[] = [{ type: "integer" }, { type: "string" }];

/**
 * Returns the errors of a schema that is not structural. Every value needs exactly one type, declared outside of `allOf` and similar keywords,
 * which may only restrict values. Sorted by message, as in Kubernetes.
 */
export function* validateStructure(schema: CustomSchema, vendor: string, path: string): Steps<FieldError[]> {
  yield;
  const errors = yield* new Structure(vendor).place(schema, "root", path);
  yield;
  errors.push(...(yield* validateCompleteness(schema, path)));
  yield;
  return errors.sort((a, b) => (fieldErrorText(a) < fieldErrorText(b) ? -1 : 1));
}

class Structure {
  readonly #vendor: string;
  #checked = 0;

  constructor(vendor: string) {
    this.#vendor = vendor;
  }

  *place(schema: CustomSchema, level: Level, path: string): Steps<FieldError[]> {
    if (++this.#checked % STEP === 0) yield;
    const { items, additionalProperties } = schema;
    const errors: FieldError[] = [];
    if (schema.type === "array" && items === undefined)
      errors.push(requiredField(`${path}.items`, "must be specified"));
    if (items !== undefined) errors.push(...(yield* this.place(items, "item", `${path}.items`)));
    for (const [name, property] of yield* checkedProperties(schema))
      errors.push(...(yield* this.place(property, "field", `${path}.properties[${name}]`)));
    if (additionalProperties !== undefined && level === "root")
      errors.push(forbiddenField(`${path}.additionalProperties`, "must not be used at the root"));
    const values = valueSchema(schema);
    if (values !== undefined) errors.push(...(yield* this.place(values, "field", `${path}.additionalProperties`)));
    return [
      ...errors,
      ...(yield* this.#narrowing(withoutEitherType(schema), path, level)),
      ...this.#type(schema, level, path),
      ...this.#meta(schema, level, path),
    ];
  }

  #type(schema: CustomSchema, level: Level, path: string): FieldError[] {
    const { isEmbedded, isIntOrString, preservesUnknown } = extensionsOf(schema, this.#vendor);
    const { type = "", properties = {}, additionalProperties } = schema;
    const extension = (name: string) => `${path}.x-${this.#vendor}-${name}`;
    const errors: FieldError[] = [];
    if (isIntOrString && preservesUnknown)
      errors.push(
        invalidField(
          extension("preserve-unknown-fields"),
          true,
          `must be false if x-${this.#vendor}-int-or-string is true`,
        ),
      );
    if (isIntOrString && isEmbedded)
      errors.push(
        invalidField(extension("embedded-resource"), true, `must be false if x-${this.#vendor}-int-or-string is true`),
      );
    if (isEmbedded && type !== "object") {
      const why = `must be object if x-${this.#vendor}-embedded-resource is true`;
      errors.push(type === "" ? requiredField(`${path}.type`, why) : invalidField(`${path}.type`, type, why));
    } else if (type === "" && !isIntOrString && !preservesUnknown) {
      errors.push(requiredField(`${path}.type`, UNTYPED[level]));
    }
    if (isEmbedded && additionalProperties !== undefined)
      errors.push(
        forbiddenField(
          `${path}.additionalProperties`,
          `must not be used if x-${this.#vendor}-embedded-resource is set`,
        ),
      );
    if (level === "root" && type !== "" && type !== "object")
      errors.push(invalidField(`${path}.type`, type, "must be object at the root"));
    if (isEmbedded && !preservesUnknown && Object.keys(properties).length === 0) {
      const why = `must not be empty if x-${this.#vendor}-embedded-resource is true without x-${this.#vendor}-preserve-unknown-fields`;
      errors.push(requiredField(`${path}.properties`, why));
    }
    return errors;
  }

  /** Type and metadata of resources are fixed: a schema may only repeat them or restrict names. */
  #meta({ properties = {}, ...schema }: CustomSchema, level: Level, path: string): FieldError[] {
    const isResource = level === "root" || extensionsOf(schema, this.#vendor).isEmbedded;
    if (!isResource) return [];
    const errors: FieldError[] = [];
    for (const name of ["kind", "apiVersion"]) {
      const property = properties[name];
      if (property !== undefined && property.type !== "string")
        errors.push(invalidField(`${path}.properties[${name}].type`, property.type ?? "", "must be string"));
    }
    const { metadata } = properties;
    if (metadata === undefined) return errors;
    const at = `${path}.properties[metadata]`;
    if (metadata.type !== "object") errors.push(invalidField(`${at}.type`, metadata.type ?? "", "must be object"));
    if (level === "root" && !restrictsOnlyNames(metadata))
      errors.push(
        forbiddenField(
          at,
          "must not specify anything other than name and generateName, but metadata is implicitly specified",
        ),
      );
    return errors;
  }

  *#narrowing(schema: CustomSchema, path: string, level: Level): Steps<FieldError[]> {
    const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
    const errors: FieldError[] = [];
    for (const [name, schemas] of Object.entries({ anyOf, allOf, oneOf })) {
      for (const [index, part] of schemas.entries())
        errors.push(...(yield* this.#nested(part, `${path}.${name}[${index}]`, level)));
    }
    if (not !== undefined) errors.push(...(yield* this.#nested(not, `${path}.not`, level)));
    const problem = pattern === "" ? undefined : patternProblem(pattern);
    if (problem !== undefined)
      errors.push(
        invalidField(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`),
      );
    return errors;
  }

  /** Checks a schema inside `allOf`, `anyOf`, `oneOf` or `not`, which must not declare types. */
  *#nested(schema: CustomSchema, path: string, level: Level): Steps<FieldError[]> {
    if (++this.#checked % STEP === 0) yield;
    const errors = yield* this.#narrowing(schema, path, level);
    if (schema.items !== undefined) errors.push(...(yield* this.#nested(schema.items, `${path}.items`, level)));
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      errors.push(...(yield* this.#nested(property, `${path}.properties[${name}]`, "field")));
    const forbid = (name: string, how: string) =>
      errors.push(forbiddenField(`${path}.${name}`, `must be ${how} to be structural`));
    const x = (name: string) => `x-${this.#vendor}-${name}`;
    const { preservesUnknown, isEmbedded, isIntOrString, listMapKeys, listType, mapType } = extensionsOf(
      schema,
      this.#vendor,
    );
    if ((schema.type ?? "") !== "") forbid("type", "empty");
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false)
      forbid("additionalProperties", "undefined");
    if (schema.default !== undefined) forbid("default", "undefined");
    if ((schema.title ?? "") !== "") forbid("title", "empty");
    if ((schema.description ?? "") !== "") forbid("description", "empty");
    if (schema.nullable === true) forbid("nullable", "false");
    if (preservesUnknown) forbid(x("preserve-unknown-fields"), "false");
    if (isEmbedded) forbid(x("embedded-resource"), "false");
    if (isIntOrString) forbid(x("int-or-string"), "false");
    if (listMapKeys.length > 0) forbid(x("list-map-keys"), "empty");
    if (listType !== undefined) forbid(x("list-type"), "undefined");
    if (mapType !== undefined) forbid(x("map-type"), "undefined");
    if (((schema[`x-${this.#vendor}-validations`] ?? []) as readonly unknown[]).length > 0)
      forbid(x("validations"), "empty");
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, "metadata"))
      errors.push(forbiddenField(`${path}.properties[metadata]`, "must not be specified in a nested context"));
    return errors;
  }
}

/** Returns the schema without the types that an int-or-string schema may repeat. */
function withoutEitherType(schema: CustomSchema): CustomSchema {
  const { anyOf, allOf, ...rest } = schema;
  const [first, ...others] = allOf ?? [];
  const isInFirst = first !== undefined && equalJson(first.anyOf, INT_OR_STRING);
  if (!isInFirst && !equalJson(anyOf, INT_OR_STRING)) return schema;
  const { anyOf: _types, ...firstRest } = first ?? {};
  return {
    ...rest,
    ...(anyOf !== undefined && !equalJson(anyOf, INT_OR_STRING) && { anyOf }),
    ...(allOf !== undefined && { allOf: isInFirst ? [firstRest, ...others] : allOf }),
  };
}

/** Whether a schema of metadata restricts nothing but names. */
function restrictsOnlyNames({ type: _type, default: _default, properties = {}, ...rest }: CustomSchema): boolean {
  return (
    Object.keys(rest).length === 0 &&
    Object.keys(properties).every((name) => name === "name" || name === "generateName")
  );
}

function patternProblem(pattern: string): string | undefined {
  const { RE2JS } = createRequire(import.meta.url)("re2js") as typeof import("re2js");
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
