import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Random } from "../../hostile/random.ts";
import type { ComparedRequest, RequestMaker } from "./compared-request.ts";
import { expressionText, randomType } from "./expression-text.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";
const REASONS = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate", undefined];
const PATHS = [".i", ".o.b", ".m['a']", ".lm", ".zz", "i", ".emb.metadata.name", " ", undefined, undefined, undefined];

const string = { type: "string" };
const integer = { type: "integer" };
const list = (items: Parsed, more: Parsed = {}): Parsed => ({ type: "array", items, ...more });
const LIST_TYPE = "x-kubernetes-list-type";
const part = { type: "object", properties: { k: string, v: integer, w: { type: "number" } }, required: ["k"] };

/** Fields of all types that expressions can access, each with a value. */
const FIELDS: Readonly<Record<string, readonly [schema: Parsed, value?: unknown]>> = {
  i: [integer, 5],
  i32: [{ ...integer, format: "int32" }, -3],
  missing: [integer],
  n: [{ type: "number" }, 2.5],
  s: [string, "Hello, wörld"],
  missingText: [string],
  short: [{ ...string, maxLength: 10 }, "abc"],
  phase: [{ ...string, enum: ["On", "Off"] }, "On"],
  b: [{ type: "boolean" }, true],
  data: [{ ...string, format: "byte" }, "aGVsbG8="],
  day: [{ ...string, format: "date" }, "2024-02-29"],
  at: [{ ...string, format: "date-time" }, "2024-12-31T23:59:59.5+01:00"],
  lasts: [{ ...string, format: "duration" }, "1h2m"],
  id: [{ ...string, format: "uuid" }, "123e4567-e89b-12d3-a456-426614174000"],
  addr: [string, "192.168.1.1"],
  net: [string, "192.168.0.0/16"],
  link: [string, "https://ex.com/a?b=c"],
  q: [string, "500m"],
  li: [list(integer), [4, 2, 2, 9]],
  ln: [list({ type: "number" }, { maxItems: 5 }), [1, 2.5]],
  ls: [list({ ...string, maxLength: 4 }, { maxItems: 5 }), ["b", "a"]],
  at1: [list(string, { [LIST_TYPE]: "atomic" }), ["x", "y"]],
  seti: [list(integer, { [LIST_TYPE]: "set" }), [1, 2]],
  sets: [list(string, { [LIST_TYPE]: "set", maxItems: 10 }), ["p", "q"]],
  lm: [
    list(part, { [LIST_TYPE]: "map", "x-kubernetes-list-map-keys": ["k"], maxItems: 8 }),
    [
      { k: "a", v: 1 },
      { k: "b", v: 2, w: 1 },
    ],
  ],
  la: [list(part), [{ k: "a", v: 1 }, { k: "a" }]],
  lnul: [list({ ...part, nullable: true }), [null, { k: "z" }]],
  m: [
    { type: "object", additionalProperties: string, maxProperties: 4 },
    { a: "x", b: "y" },
  ],
  mi: [
    { type: "object", additionalProperties: integer },
    { a: 1, "é-x": 2 },
  ],
  o: [
    { type: "object", properties: { a: integer, b: string, c: string, k: string, v: integer } },
    { a: 7, b: "text", k: "a", v: 1 },
  ],
  o2: [
    { type: "object", properties: { k: string, v: { ...integer, nullable: true } } },
    { k: "a", v: null },
  ],
  ios: [{ "x-kubernetes-int-or-string": true }, 80],
  ios2: [{ "x-kubernetes-int-or-string": true }, "80%"],
  any: [
    { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { x: integer } },
    { x: 3, l: [1, "a", 2.5, null, { y: 1 }], deep: { y: "t" }, f: 1.25, nil: null },
  ],
  emb: [
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { apiVersion: "v1", kind: "Thing", metadata: { name: "me" }, spec: { a: 1 } },
  ],
  nul: [{ ...string, nullable: true }, null],
};
const VALUE = Object.fromEntries(
  Object.entries(FIELDS).flatMap(([name, [, value]]) => (value === undefined ? [] : [[name, value]])),
);
const PROPERTIES = Object.fromEntries(Object.entries(FIELDS).map(([name, [schema]]) => [name, schema]));
/** Large values make nearly every rule too expensive, so most schemas limit sizes. */
const BOUNDED = boundedSchema(PROPERTIES);

/** Definitions whose rules are evaluated for a default value, and definitions and policies whose expressions may be invalid. */
export const expressions: RequestMaker = (random) =>
  random.pick([evaluated, evaluated, evaluated, compiled, compiled, policy, webhook])(random);

type Maker = (random: Random) => ComparedRequest;

/** Every rule fails. Its message is the value of an expression, or an error. */
const evaluated: Maker = (random) => {
  const rules = Array.from({ length: 12 }, () => {
    const text = expressionText(random, randomType(random), 1 + random.int(3), false);
    const holds = random.pick([
      `[${text}].size() == 0`,
      `type(${text}) == type(null_type)`,
      `[${text}] == []`,
      `has(self.missing) && [${text}] == []`,
    ]);
    return random.chance(0.7)
      ? { rule: holds, messageExpression: `"%s".format([${text}])` }
      : { rule: holds, message: "m" };
  });
  const schema = { type: "object", properties: BOUNDED, default: VALUE, "x-kubernetes-validations": rules };
  return definition(schema, "evaluated");
};

/** Valid positions of rules: in the root and in fields. */
const compiled: Maker = (random) => {
  const validations = (): Parsed => ({ "x-kubernetes-validations": Array.from({ length: 5 }, () => ruleOf(random)) });
  const properties = structuredClone(random.chance(0.5) ? BOUNDED : PROPERTIES);
  const field = random.pick(Object.keys(properties));
  const rule = {
    rule: random.pick(["self == self", "self == oldSelf", "oldSelf.hasValue()", expressionText(random, "bool", 2)]),
  };
  properties[field] = { ...properties[field], "x-kubernetes-validations": [rule] };
  return definition({ type: "object", properties, ...validations() }, "compiled");
};

function ruleOf(random: Random): Parsed {
  const rule: Parsed = {
    rule: expressionText(random, random.chance(0.97) ? "bool" : randomType(random), 1 + random.int(4)),
    message: random.pick(["m", " m ", undefined, undefined, undefined]),
    messageExpression: random.chance(0.3) ? expressionText(random, "string", 2) : undefined,
    reason: random.pick(REASONS),
    fieldPath: random.pick(PATHS),
    optionalOldSelf: random.chance(0.1) ? true : undefined,
  };
  return JSON.parse(JSON.stringify(rule)) as Parsed;
}

const policy: Maker = (random) => {
  const text = (type: string) =>
    expressionText(random, type, 1 + random.int(3)).replaceAll(
      /\bself\b/g,
      random.pick(["object", "oldObject", "params", "variables.a", "object.spec"]),
    );
  const bool = () =>
    random.chance(0.2) ? `authorizer.group('apps').resource(${text("string")}).check('get').allowed()` : text("bool");
  const spec: Parsed = {
    failurePolicy: "Fail",
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    },
    variables: [
      { name: "a", expression: text(randomType(random)) },
      { name: random.pick(["b", "a", "1"]), expression: text("string") },
    ],
    validations: [
      { expression: bool(), messageExpression: text("string") },
      { expression: bool(), message: "m", reason: random.pick(["Forbidden", "Invalid", "Other"]) },
    ],
    matchConditions: random.times(2, (index) => ({ name: `c${index}`, expression: bool() })),
    auditAnnotations: random.times(2, (index) => ({ key: `k${index}`, valueExpression: text("string") })),
    ...(random.chance(0.4) && { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
  };
  return post(
    `${REGISTRATION}/validatingadmissionpolicies`,
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicy",
    "p",
    { spec },
  );
};

const webhook: Maker = (random) => {
  const text = () => expressionText(random, "bool", 1 + random.int(4)).replaceAll(/\bself\b/g, "object");
  const one = {
    name: "w.compare.example.com",
    clientConfig: { url: "https://127.0.0.1:1/" },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    matchConditions: Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, expression: text() })),
  };
  return post(
    `${REGISTRATION}/validatingwebhookconfigurations`,
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    "w",
    { webhooks: [one] },
  );
};

function definition(spec: Parsed, what: string): ComparedRequest {
  const group = "expressions.example.com";
  const openAPIV3Schema = { type: "object", properties: { spec } };
  const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
  const body = { group, scope: "Namespaced", names, versions: [version] };
  return post(
    DEFINITIONS,
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    `things.${group}`,
    { spec: body },
    what,
  );
}

function post(
  path: string,
  apiVersion: string,
  kind: string,
  name: string,
  rest: Parsed,
  what = kind,
): ComparedRequest {
  const body = { apiVersion, kind, metadata: { name }, ...rest };
  return { method: "POST", path: `${path}?dryRun=All`, bodies: [body, body], what };
}

function boundedSchema(properties: Readonly<Record<string, Parsed>>): Record<string, Parsed> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, bounded(schema)]));
}

function bounded(schema: Parsed): Parsed {
  const { properties, items, additionalProperties } = schema;
  return {
    ...(schema.type === "string" && !schema.format && { maxLength: 40 }),
    ...(schema.type === "array" && { maxItems: 10 }),
    ...(additionalProperties !== undefined && { maxProperties: 10 }),
    ...schema,
    ...(properties !== undefined && { properties: boundedSchema(properties) }),
    ...(items !== undefined && { items: bounded(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: bounded(additionalProperties) }),
  };
}
