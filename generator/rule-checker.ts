import { compileRules } from "../runtime/cel/rules/compile-rules.ts";
import type { CelSchema } from "../runtime/cel/schema/cel-schema.ts";
import type { RuleChecker } from "./checks/check-context.ts";
import type { JsonValue, Markers, ScalarName, TypeExpr, ValidationRule } from "./model/contract.ts";
import type { FieldModel, Model, StructModel } from "./model/model.ts";
import { findType, isRef, isScalar, jsonFields } from "./model/type-walk.ts";

/** Returns a checker that compiles CEL rules against their type, with the engine of the server. */
export function createRuleChecker(): RuleChecker {
  return (model, type, rule) => {
    const { rules } = compileRules(schemaOf(model, type, {}), [rule]);
    const problem = rules[0]?.error ?? rules[0]?.messageExpressionError;
    return problem === undefined ? undefined : firstLine(problem);
  };
}

/** Returns the message of the first rule that a value violates. Skips rules that do not compile or that compare with an old value. */
export function brokenRule(
  model: Model,
  type: TypeExpr,
  rules: readonly ValidationRule[],
  value: JsonValue,
): string | undefined {
  if (rules.length === 0) return undefined;
  const schema = schemaOf(model, type, {});
  const sound = rules.filter((rule) => compileRules(schema, [rule]).rules[0]?.error === undefined);
  const [error] = compileRules(schema, sound).validate(value, undefined, "", { remaining: RULE_BUDGET });
  return error?.message;
}

/** Cost limit, greater than the cost of any rule on a default. */
const RULE_BUDGET = 1_000_000;

/** Returns the first line of `rule compilation error: ERROR: <input>:1:6: undefined field 'x'`, without the source excerpt below it. */
function firstLine(problem: string): string {
  return problem.split("\n")[0]!.replace(/^.*ERROR: <input>:/, "at ");
}

/** Returns the schema of a type for expressions. Objects are expanded on access, so that types may be recursive. */
function schemaOf(model: Model, type: TypeExpr, markers: Markers): CelSchema {
  if (typeof type === "object") {
    const { maxItems, maxProperties, listType, listMapKeys } = markers;
    if ("map" in type) {
      return {
        kind: "map",
        values: schemaOf(model, type.map, {}),
        ...(maxProperties !== undefined && { maxProperties }),
      };
    }
    return {
      kind: "list",
      items: schemaOf(model, type.list, {}),
      ...(maxItems !== undefined && { maxItems }),
      ...(listType && { listType }),
      ...(listMapKeys && { listMapKeys }),
    };
  }
  if (isScalar(type)) return scalarSchema(type, markers);
  const named = isRef(type) ? findType(model, type) : undefined;
  if (named === undefined) return { kind: "any" };
  return named.form === "alias"
    ? schemaOf(model, named.is, { ...named.markers, ...markers })
    : structSchema(model, named);
}

function structSchema(model: Model, struct: StructModel): CelSchema {
  const fields = new Map<string, FieldModel>(jsonFields(model, struct).map((field) => [field.name, field]));
  const isResource = ["apiVersion", "kind", "metadata"].every((name) => fields.has(name));
  return {
    kind: "object",
    name: struct.ref,
    propertyNames: () => fields.keys(),
    property: (name) => {
      const field = fields.get(name);
      return field && schemaOf(model, field.type, field.markers);
    },
    required: [...fields.values()].filter((field) => !field.optional).map((field) => field.name),
    ...(isResource && { isResource }),
  };
}

const PLAIN = {
  boolean: "boolean",
  int32: "integer",
  int64: "integer",
  double: "number",
  intOrString: "intOrString",
} as const;
const FORMATS: { readonly [scalar in ScalarName]?: string } = {
  bytes: "byte",
  time: "date-time",
  microTime: "date-time",
};

function scalarSchema(scalar: ScalarName, { maxLength, closed, enum: values }: Markers): CelSchema {
  const plain = PLAIN[scalar as keyof typeof PLAIN];
  if (plain !== undefined) return { kind: plain };
  const format = FORMATS[scalar];
  if (format !== undefined) return { kind: "string", format };
  if (scalar !== "string" && scalar !== "duration" && scalar !== "quantity") return { kind: "any" };
  return {
    kind: "string",
    ...(maxLength !== undefined && { maxLength }),
    ...(closed && values && { enum: values }),
  };
}
