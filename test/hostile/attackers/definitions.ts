import { encodeBody, type Format, MEDIA_TYPES } from "../encode-body.ts";
import type { Attacker, RequestInput } from "../input.ts";
import { hostileScalar, hostileValue, mutate } from "../mutate.ts";
import type { Random } from "../random.ts";
import { expression, pattern } from "./expressions.ts";

export const CUSTOM_GROUP = "hostile.example.com";
const KINDS = 4;
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";

/** Definitions with hostile schemas, rules, patterns, defaults and columns, their objects, and policies. */
export const definitions: Attacker = {
  name: "definitions",
  lanes: 6,
  make(random) {
    const request = random.one(
      () => define(random),
      () => object(random),
      () => object(random),
      () => object(random),
      () => read(random),
      () => policy(random),
    );
    return { kind: "request", request };
  },
};

const plural = (random: Random): string => `things${random.int(KINDS)}`;

function define(random: Random): RequestInput {
  const name = plural(random);
  const path = `${DEFINITIONS}/${name}.${CUSTOM_GROUP}`;
  if (random.chance(0.08)) return { as: "admin", method: "DELETE", target: path };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}.${CUSTOM_GROUP}` },
    spec: {
      group: CUSTOM_GROUP,
      scope: "Namespaced",
      names: { plural: name, singular: name.slice(0, -1) + name.slice(-1), kind: `Thing${name.slice(-1)}` },
      versions: [version(random, "v1", true), ...random.times(1, () => version(random, "v2", false))],
      ...(random.chance(0.1) && {
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { url: "https://127.0.0.1:1/x" }, conversionReviewVersions: ["v1"] },
        },
      }),
    },
  };
  const body = Buffer.from(JSON.stringify(random.chance(0.25) ? mutate(random, definition) : definition));
  const isCreate = random.chance(0.4);
  return {
    as: "admin",
    method: isCreate ? "POST" : "PATCH",
    target: isCreate ? DEFINITIONS : `${path}?fieldManager=hostile&force=true`,
    headers: [["Content-Type", isCreate ? "application/json" : "application/apply-patch+yaml"]],
    body,
  };
}

function version(random: Random, name: string, storage: boolean): Record<string, unknown> {
  const columns = random.times(3, () => ({
    name: random.chance(0.8) ? "A" : random.hostileString(50),
    type: random.pick(["string", "integer", "number", "boolean", "date"]),
    jsonPath: jsonPath(random),
  }));
  return {
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: schema(random, 3), status: schema(random, 1) } } },
    subresources: random.pick<object>([
      {},
      { status: {} },
      { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" } },
    ]),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
    ...(random.chance(0.1) && { selectableFields: [{ jsonPath: jsonPath(random) }] }),
  };
}

const FORMATS =
  "date date-time duration email hostname ipv4 ipv6 cidr mac uri uuid uuid4 byte password bsonobjectid isbn creditcard ssn hexcolor rgbcolor int32 int64 float double k8s-short-name".split(
    " ",
  );
const PROPERTY_NAMES = ["a", "b", "items", "constructor", "__proto__", "toString", "self", "x-y", "in"];

function schema(random: Random, depth: number): Record<string, unknown> {
  const rules = random.chance(0.35) && {
    "x-kubernetes-validations": random.times(3, () => ({ rule: expression(random, "self"), message: "no" })),
  };
  const type =
    depth <= 0
      ? random.pick(["string", "integer", "boolean", "number"])
      : random.pick(["object", "object", "array", "string"]);
  switch (type) {
    case "object": {
      if (random.chance(0.2)) return { type, "x-kubernetes-preserve-unknown-fields": true };
      if (random.chance(0.2)) return { type, additionalProperties: schema(random, depth - 1), ...rules };
      const properties = Object.fromEntries(
        random.times(4, () => [random.pick(PROPERTY_NAMES), schema(random, depth - 1)] as const),
      );
      const given = random.chance(0.15) && { default: hostileValue(random, 1) };
      return { type, properties, ...given, ...(random.chance(0.1) && { nullable: true }), ...rules };
    }
    case "array":
      return {
        type,
        items: schema(random, depth - 1),
        ...(random.chance(0.7) && { maxItems: random.pick([0, 10, 1000]) }),
        ...(random.chance(0.2) && { "x-kubernetes-list-type": random.pick(["atomic", "set", "map"]) }),
        ...rules,
      };
    case "string":
      return {
        type,
        ...(random.chance(0.4) && { pattern: pattern(random) }),
        ...(random.chance(0.4) && { format: random.pick(FORMATS) }),
        ...(random.chance(0.5) && { maxLength: random.pick([5, 100, 20_000]) }),
        ...(random.chance(0.1) && { enum: random.times(3, () => random.hostileString(50)) }),
        ...(random.chance(0.1) && { default: random.hostileString(100) }),
        ...rules,
      };
    default:
      return { type, ...(random.chance(0.2) && { minimum: random.pick([0, -1e308, 5]) }), ...rules };
  }
}

function jsonPath(random: Random): string {
  return random.one(
    () => ".spec.a",
    () => ".metadata.creationTimestamp",
    () => `.spec${"..".repeat(random.length(50))}a`,
    () => `.spec[?(@.a=="${random.hostileString(50)}")]`,
    () => `.spec["${random.hostileString(50)}"]`,
    () => `.${random.hostileName()}.${random.hostileName()}`,
    () => `{.spec.${"a.".repeat(random.length(500))}}`,
    () => random.hostileString(500),
  );
}

const PATCH_TYPES = ["application/merge-patch+json", "application/json-patch+json", "application/apply-patch+yaml"];

function object(random: Random): RequestInput {
  const name = plural(random);
  const version = random.pick(["v1", "v1", "v2"]);
  const path = `/apis/${CUSTOM_GROUP}/${version}/namespaces/hostile-1/${name}`;
  const spec = Object.fromEntries(
    random.times(4, () => [random.pick(PROPERTY_NAMES), hostileValue(random, 3)] as const),
  );
  const value = {
    apiVersion: `${CUSTOM_GROUP}/${version}`,
    kind: `Thing${name.slice(-1)}`,
    metadata: { name: random.pick(["one", "two", "constructor"]) },
    spec: random.chance(0.9) ? spec : hostileScalar(random),
  };
  const method = random.pick(["POST", "POST", "PUT", "PATCH"]);
  const patchType = random.pick(PATCH_TYPES);
  const format = random.pick<Format>(["json", "json", "yaml", "cbor"]);
  const document = patchType.includes("json-patch")
    ? [
        {
          op: random.pick(["add", "replace", "copy", "test"]),
          path: "/spec/a",
          from: "/spec",
          value: hostileValue(random, 2),
        },
      ]
    : value;
  return {
    as: "admin",
    method,
    target: `${path}${method === "POST" ? "" : `/${value.metadata.name}`}${patchType.includes("apply") ? "?fieldManager=h&force=true" : ""}`,
    headers: [
      ["Content-Type", method === "PATCH" ? patchType : MEDIA_TYPES[format]],
      ["Accept", random.pick(["application/json", "application/yaml", "application/cbor"])],
    ],
    body: encodeBody(random, method === "PATCH" ? "json" : format, method === "PATCH" ? document : value),
  };
}

function read(random: Random): RequestInput {
  const path = `/apis/${CUSTOM_GROUP}/${random.pick(["v1", "v2"])}/namespaces/hostile-1/${plural(random)}`;
  const types = [
    "application/json",
    "application/yaml",
    "application/cbor",
    "application/json;as=Table;g=meta.k8s.io;v=v1",
  ];
  return {
    as: "admin",
    method: random.chance(0.95) ? "GET" : "DELETE",
    target: random.pick([
      path,
      `${path}/one`,
      `${path}/one/scale`,
      `${path}?watch=1&timeoutSeconds=1`,
      `/openapi/v3/apis/${CUSTOM_GROUP}/v1`,
      `/apis/${CUSTOM_GROUP}/v1`,
    ]),
    headers: [["Accept", random.pick(types)]],
  };
}

/** Policies that match ConfigMaps of one namespace only; otherwise they could reject all other writes. */
function policy(random: Random): RequestInput {
  const name = `policy-${random.int(3)}`;
  const matchConstraints = {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hostile-policies" } },
    resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
  };
  const rule = (): string =>
    expression(random, random.pick(["object", "object.data", "request", "params", "variables.v"]));
  const spec = {
    matchConstraints,
    failurePolicy: random.pick(["Fail", "Ignore"]),
    ...(random.chance(0.2) && { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
    variables: random.times(2, (index) => ({ name: index === 0 ? "v" : random.hostileName(), expression: rule() })),
    matchConditions: random.times(1, () => ({ name: "m", expression: rule() })),
    validations: [{ expression: rule(), messageExpression: rule() }],
    auditAnnotations: random.times(1, () => ({ key: "k", valueExpression: rule() })),
  };
  const body = (kind: string, content: object): Buffer =>
    Buffer.from(
      JSON.stringify({ apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, spec: content }),
    );
  const apply: [string, string][] = [["Content-Type", "application/apply-patch+yaml"]];
  return random.pick<RequestInput>([
    {
      as: "admin",
      method: "PATCH",
      target: `${ADMISSION}/validatingadmissionpolicies/${name}?fieldManager=h&force=true`,
      headers: apply,
      body: body("ValidatingAdmissionPolicy", spec),
    },
    {
      as: "admin",
      method: "PATCH",
      target: `${ADMISSION}/validatingadmissionpolicybindings/${name}?fieldManager=h&force=true`,
      headers: apply,
      body: body("ValidatingAdmissionPolicyBinding", {
        policyName: name,
        validationActions: ["Deny"],
        matchResources: matchConstraints,
      }),
    },
    {
      as: "admin",
      method: "POST",
      target: "/api/v1/namespaces/hostile-policies/configmaps?dryRun=All",
      headers: [["Content-Type", "application/json"]],
      body: Buffer.from(JSON.stringify({ metadata: { name: "one" }, data: { a: random.hostileString(20_000) } })),
    },
  ]);
}
