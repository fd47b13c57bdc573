import { describe, expect, it } from "vitest";
import { checkStructuralRules } from "../../runtime/cel/rules/check-structural-rules.ts";
import type { Rule } from "../../runtime/cel/rules/rule.ts";
import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

const string: StructuralSchema = { type: "string" };
const at = "spec.versions[0].schema.openAPIV3Schema";
const withRules = (schema: StructuralSchema, ...rules: (string | Rule)[]): StructuralSchema => ({
  ...schema,
  "x-kubernetes-validations": rules.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const object = (properties: Record<string, StructuralSchema>): StructuralSchema => ({ type: "object", properties });
const check = (schema: StructuralSchema, stored?: ReadonlySet<string>) =>
  atOnce(
    checkStructuralRules(schema, {
      vendor: "kubernetes",
      path: at,
      version: "1.32",
      ...(stored === undefined ? {} : { stored }),
    }),
  );

describe("rules of a schema that is being written", () => {
  it("are accepted if they compile and are cheap", () => {
    expect(check(object({ spec: withRules(object({ a: string }), "self.a != ''") }))).toEqual([]);
  });

  it("must compile; the error contains the rule and the reason", () => {
    expect(check(object({ spec: withRules(object({ a: string }), "self.b") }))).toEqual([
      {
        field: `${at}.properties[spec].x-kubernetes-validations[0].rule`,
        reason: "FieldValueInvalid",
        message:
          'Invalid value: apiextensions.ValidationRule{Rule:"self.b", Message:"", MessageExpression:"", Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}: ' +
          "compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b\n | ....^",
      },
    ]);
  });

  it("must be complete", () => {
    const problems = (rule: Rule) => check(withRules(object({ a: string }), rule)).map(({ message }) => message);
    expect(problems({ rule: " " })).toEqual(["Required value: rule is not specified"]);
    expect(problems({ rule: "true", message: " " })).toEqual([
      'Invalid value: " ": message must be non-empty if specified',
    ]);
    expect(problems({ rule: "true ||\nfalse" })).toEqual([
      "Required value: message must be specified if rule contains line breaks",
    ]);
    expect(problems({ rule: "true", reason: "Because" })).toEqual([
      'Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ]);
    expect(problems({ rule: "true", fieldPath: ".b" })).toEqual([
      'Invalid value: ".b": fieldPath must be a valid path',
    ]);
    expect(problems({ rule: "true", optionalOldSelf: true })).toEqual([
      "Invalid value: true: may not be set if oldSelf is not used in rule",
    ]);
    expect(problems({ rule: "true", messageExpression: "1" })[0]).toContain(
      "messageExpression must evaluate to a string",
    );
  });

  it("are not compiled, as in Kubernetes, inside a schema with rules that has no type, nor in such a schema itself", () => {
    const untyped = { "x-kubernetes-preserve-unknown-fields": true };
    const properties = { a: withRules(string, "self ==", "true"), b: string };
    const below = `${at}.properties[spec]`;
    const problem =
      "Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
    const untypedPlaces = (spec: StructuralSchema) =>
      check(object({ spec })).map(({ field, reason, message }) => {
        expect({ reason, message }).toEqual({ reason: "InternalError", message: problem });
        return field;
      });
    expect(untypedPlaces(withRules(untyped, "true"))).toEqual([`${below}.x-kubernetes-validations`]);
    expect(untypedPlaces(withRules({ ...untyped, properties }, "true"))).toEqual([
      `${below}.properties[a].x-kubernetes-validations`,
      `${below}.x-kubernetes-validations`,
    ]);
    for (const [step, spec] of [
      ["items", { type: "array", items: { ...untyped, properties } }],
      ["additionalProperties", { type: "object", additionalProperties: { ...untyped, properties } }],
    ] as const)
      expect(untypedPlaces(withRules(spec, "true"))).toEqual([
        `${below}.${step}.properties[a].x-kubernetes-validations`,
        `${below}.x-kubernetes-validations`,
      ]);
    // Without rules, or with a field without a type, the surrounding schema does not matter.
    expect(check(object({ spec: { ...untyped, properties: { a: withRules(string, "self != ''") } } }))).toEqual([]);
    expect(untypedPlaces(withRules(object({ a: withRules(untyped, "true"), b: string }), "self.b != ''"))).toEqual([
      `${below}.properties[a].x-kubernetes-validations`,
    ]);
    expect(check(object({ spec: withRules({ "x-kubernetes-int-or-string": true }, "true") }))).toEqual([]);
  });

  it("must not exceed the cost limit for the largest possible object", () => {
    const items = withRules(object({ a: string }), "self.a.contains('x') && self.a.matches('^[a-z]*$')");
    const list: StructuralSchema = { type: "array", items };
    const [error] = check(object({ list }));
    expect(error).toMatchObject({
      field: `${at}.properties[list].items.x-kubernetes-validations[0].rule`,
      reason: "FieldValueForbidden",
    });
    expect(error?.message).toContain(
      "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying",
    );
    const bounded = withRules(object({ a: { ...string, maxLength: 20 } }), "self.a.matches('^[a-z]*$')");
    expect(check(object({ list: { type: "array", maxItems: 100, items: bounded } }))).toEqual([]);
  });

  it("must not exceed the cost limit of all rules together", () => {
    const spec = withRules(
      object({ a: string }),
      ...Array(30).fill("self.a.matches('^[a-z0-9.-]{1,253}$') || self.a.matches('^[a-z]{1,63}$')"),
    );
    const list: StructuralSchema = { type: "array", items: spec, maxItems: 3 };
    const errors = check(object({ list }));
    expect(errors.at(-1)).toMatchObject({ field: at, reason: "FieldValueForbidden" });
    expect(errors.at(-1)?.message).toContain(
      "estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of",
    );
  });

  it("may use oldSelf only where items can be matched with old ones", () => {
    const item = withRules(object({ k: { ...string, maxLength: 9 } }), "self.k == oldSelf.k");
    const list: StructuralSchema = { type: "array", maxItems: 9, items: item };
    expect(check(object({ list }))[0]?.message).toContain(
      `oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}.properties[list]`,
    );
    const keyed = { ...list, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] };
    expect(check(object({ list: keyed }))).toEqual([]);
  });

  it("may use only functions of the previous release, unless they are stored already", () => {
    const rule = "isSemver(self.a)";
    const schema = withRules(object({ a: { ...string, maxLength: 9 } }), rule);
    expect(check(schema)[0]?.message).toContain("undeclared reference to 'isSemver'");
    expect(check(schema, new Set([rule]))).toEqual([]);
  });
});
