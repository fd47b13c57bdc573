import type { Parsed } from "../../fixtures/plane-client.ts";
import type { Example } from "./example-objects.ts";

/** Group of both custom kinds. */
export const GROUP = "compare.example.com";

const string = { type: "string" };
const integer = { type: "integer" };
const object = (properties: Parsed, more: Parsed = {}): Parsed => ({ type: "object", properties, ...more });
const list = (items: Parsed, more: Parsed = {}): Parsed => ({ type: "array", items, ...more });

const part = object(
  {
    name: string,
    port: { ...integer, minimum: 1, maximum: 65_535, default: 80 },
    protocol: { ...string, default: "TCP" },
  },
  { required: ["name"] },
);

const spec = object(
  {
    replicas: { ...integer, format: "int32", minimum: 0, maximum: 10, default: 1 },
    size: { type: "number", exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
    colour: { ...string, enum: ["red", "green", ""], default: "red" },
    code: { ...string, pattern: "^[a-z]+$", minLength: 2, maxLength: 8 },
    when: { ...string, format: "date-time", nullable: true },
    address: { ...string, format: "ipv4" },
    data: { ...string, format: "byte" },
    lasts: { ...string, format: "duration" },
    amount: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: integer } },
    labels: { type: "object", additionalProperties: { ...string, maxLength: 5 }, maxProperties: 3 },
    parts: list(part, {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "protocol"],
      maxItems: 4,
    }),
    tags: list(string, { "x-kubernetes-list-type": "set", maxItems: 5 }),
    steps: list({ ...object({ run: string }), nullable: true }, { "x-kubernetes-list-type": "atomic", minItems: 1 }),
    fixed: { ...object({ a: string, b: integer }), "x-kubernetes-map-type": "atomic" },
    embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    isOn: { type: "boolean", default: false },
    either: object({ one: string, two: integer }, { oneOf: [{ required: ["one"] }, { required: ["two"] }] }),
    nested: { ...object({ deep: object({ value: { ...integer, default: 3 } }, { default: {} }) }), default: {} },
    immutable: { ...string, "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "is immutable" }] },
    word: {
      ...string,
      maxLength: 20,
      "x-kubernetes-validations": [
        { rule: "!self.startsWith('x')", messageExpression: "'must not be ' + self", reason: "FieldValueForbidden" },
      ],
    },
  },
  {
    required: ["code"],
    "x-kubernetes-validations": [
      { rule: "self.replicas <= 5 || self.colour == 'green'", message: "many must be green", fieldPath: ".replicas" },
      { rule: "!has(self.tags) || self.tags.all(t, t.size() < 6)", reason: "FieldValueInvalid" },
      {
        rule: "oldSelf.hasValue() ? self.code == oldSelf.value().code || self.isOn : true",
        optionalOldSelf: true,
        message: "code",
      },
    ],
  },
);

const schemaWith = (more: Parsed): Parsed => ({
  openAPIV3Schema: object({
    spec,
    status: object({ replicas: integer, selector: string, state: { ...string, enum: ["Up", "Down"] }, ...more }),
  }),
});
const schema = schemaWith({});
const olderSchema = schemaWith({ phase: string });

const columns = [
  { name: "Colour", type: "string", jsonPath: ".spec.colour" },
  { name: "Replicas", type: "integer", format: "int32", jsonPath: ".spec.replicas" },
  { name: "Size", type: "number", jsonPath: ".spec.size", priority: 1 },
  { name: "On", type: "boolean", jsonPath: ".spec.isOn" },
  { name: "When", type: "date", jsonPath: ".spec.when" },
  { name: "Names", type: "string", jsonPath: ".spec.parts[*].name", description: "Names of parts" },
  { name: "Label", type: "string", jsonPath: ".metadata.labels.app\\.kubernetes\\.io/name" },
];

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
      categories: ["all"],
    },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema,
        additionalPrinterColumns: columns,
        selectableFields: [{ jsonPath: ".spec.colour" }, { jsonPath: ".spec.isOn" }, { jsonPath: ".spec.replicas" }],
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        schema: olderSchema,
        deprecated: true,
        deprecationWarning: "use v1",
        subresources: { status: {} },
      },
      { name: "v1alpha1", served: false, storage: false, schema: olderSchema },
    ],
    conversion: { strategy: "None" },
  },
};

const gadgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `gadgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Cluster",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Deep copies, so that versions do not share parts that are changed. */
export const DEFINITIONS: readonly Parsed[] = JSON.parse(JSON.stringify([widgets, gadgets]));
export const DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const whole = {
  code: "abc",
  replicas: 2,
  size: 1.5,
  colour: "green",
  when: "2020-01-01T00:00:00Z",
  address: "1.2.3.4",
  data: "eA==",
  lasts: "3s",
  amount: "10%",
  free: { known: 1, other: { a: [1] } },
  labels: { a: "b" },
  parts: [{ name: "a" }, { name: "b", protocol: "UDP", port: 81 }],
  tags: ["a", "b"],
  steps: [{ run: "x" }, null],
  fixed: { a: "b" },
  embedded: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", x: "y" }, data: { a: "b" }, more: 1 },
  either: { one: "x" },
  immutable: "i",
  word: "w",
  unknown: { a: 1 },
};

/** Objects of both kinds, in every served version. */
export const CUSTOM_EXAMPLES: readonly Example[] = [
  ...["v1", "v1beta1"].flatMap((version) => [
    widget(version, { metadata: { name: "whole", labels: { "app.kubernetes.io/name": "n" } }, spec: whole }),
    widget(version, { metadata: { name: "small" }, spec: { code: "ab" } }),
    widget(version, { metadata: { name: "wrong" }, spec: { code: "ab", replicas: 7, colour: "red" } }),
    widget(version, {
      metadata: { name: "stated" },
      spec: { code: "ab", free: null, nested: { deep: null } },
      status: { state: "Up", replicas: 1 },
    }),
  ]),
  {
    path: `/apis/${GROUP}/v1/gadgets`,
    object: {
      apiVersion: `${GROUP}/v1`,
      kind: "Gadget",
      metadata: { name: "g", finalizers: ["example.com/f"] },
      a: [1, { b: null }],
      spec: 1.5,
    },
  },
];

function widget(version: string, more: Parsed): Example {
  const path = `/apis/${GROUP}/${version}/namespaces/default/widgets`;
  return { path, object: { apiVersion: `${GROUP}/${version}`, kind: "Widget", ...more } };
}
