import { describe, expect, it } from "vitest";
import type { ApiObject } from "../../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import { validateDefinition } from "../../../runtime/kinds/custom/definition-checks/validate-definition.ts";
import { atOnce } from "../../../runtime/lib/in-turns.ts";
import { refusals, withValue } from "../../hooks/refusals.ts";

const options = { vendor: "kubernetes", domain: "k8s.io", release: "1.33" } as const;
const hooks: KindHooks<ApiObject> = {
  validate: (object, { old, apiVersion }) => {
    const checks = validateDefinition(object as CustomDefinition, old as CustomDefinition | undefined, {
      ...options,
      apiVersion,
    });
    const { first, last } = atOnce(checks);
    return [...first, ...last];
  },
};

const version = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: {} as object } } } },
};
const definition = {
  metadata: { name: "figs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "figs", singular: "fig", kind: "Fig", listKind: "FigList" },
    versions: [version] as object[],
    conversion: { strategy: "None" },
  },
  status: { storedVersions: ["v1"] },
};
const root = "spec.validation.openAPIV3Schema";
const withSpecSchema = (schema: object) =>
  withValue(definition, "spec.versions", [
    { ...version, schema: { openAPIV3Schema: { type: "object", properties: { spec: schema } } } },
  ]);

describe("a custom resource definition", () => {
  it.each<[path: string, value: unknown, ...problems: string[]]>([
    ["metadata.name", "figs.example.com"],
    ["metadata.name", "x", 'metadata.name: Invalid value: "x": must be spec.names.plural+"."+spec.group'],
    [
      "metadata.generateName",
      "x",
      'metadata.generateName: Invalid value: "x": must be spec.names.plural+"."+spec.group',
    ],
    ["spec.scope", "Odd", 'spec.scope: Unsupported value: "Odd": supported values: "Cluster", "Namespaced"'],
    ["spec.names.listKind", "Fig", 'spec.names.listKind: Invalid value: "Fig": kind and listKind may not be the same'],
    [
      "spec.versions",
      [{ ...version, schema: undefined }],
      "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required",
    ],
    [
      "spec.versions",
      [{ ...version, deprecationWarning: "x" }],
      'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
    ],
    [
      "spec.versions",
      [{ ...version, storage: false }],
      'spec.versions: Invalid value: []apiextensions.CustomResourceDefinitionVersion{apiextensions.CustomResourceDefinitionVersion{Name:"v1", Served:true, Storage:false, Deprecated:false, DeprecationWarning:(*string)(nil), Schema:(*apiextensions.CustomResourceValidation)(nil), Subresources:(*apiextensions.CustomResourceSubresources)(nil), AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil), SelectableFields:[]apiextensions.SelectableField(nil)}}: must have exactly one version marked as storage version',
    ],
    [
      "spec.conversion",
      { strategy: "Webhook" },
      "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
      "spec.conversion.conversionReviewVersions: Required value",
    ],
    [
      "spec.conversion",
      {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { name: "a", namespace: "b", path: "x//y" } },
        },
      },
      "spec.conversion.webhookClientConfig.service.path: Invalid value: \"x//y\": must start with a '/'",
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//y": segment[0] may not be empty',
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "x//y": segment[1] may not be empty',
    ],
    [
      "spec.conversion",
      {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { name: "a", namespace: "" } } },
      },
      "spec.conversion.webhookClientConfig.service.name: Required value: service name is required",
    ],
    [
      "spec.preserveUnknownFields",
      true,
      "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
    ],
    [
      "status.storedVersions",
      ["v0", "v1"],
      expect.stringMatching(
        /^status\.storedVersions\[0\]: Invalid value: "v0": missing from spec\.versions; v0 was previously a storage version/,
      ),
    ],
  ])("is checked for %s = %j", (path, value, ...problems) => {
    expect(refusals(hooks, withValue(definition, path, value))).toEqual(problems);
  });

  it("may have selectable fields in any part of the schema", () => {
    const selectable = (openAPIV3Schema: object | undefined) => ({
      ...structuredClone(definition),
      spec: {
        ...definition.spec,
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            ...(openAPIV3Schema && { schema: { openAPIV3Schema } }),
            selectableFields: [{ jsonPath: ".spec.colour" }],
          },
        ],
      },
    });
    const fieldProblems = (schema: object | undefined) =>
      refusals(hooks, selectable(schema)).filter((problem) => problem.includes("selectableFields"));
    const spec = { type: "odd", properties: { colour: { type: "string" } } };
    expect(fieldProblems({ type: "object", properties: { spec } })).toEqual([]);
    expect(fieldProblems({ properties: { spec: { ...spec, type: "object" } } })).toEqual([]);
    expect(fieldProblems(undefined)).toEqual([
      'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
    ]);
  });

  it.each<[schema: object, ...problems: string[]]>([
    [{ type: "object", properties: { a: { type: "string" } } }],
    [{}, `${root}.properties[spec].type: Required value: must not be empty for specified object fields`],
    [{ type: "array" }, `${root}.properties[spec].items: Required value: must be specified`],
    [
      { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
      `${root}.properties[spec].items: Required value: must be specified`,
      `${root}.properties[spec].items: Required value: must have a schema if x-kubernetes-list-type is map`,
    ],
    [
      { type: "object", "x-kubernetes-map-type": "odd" },
      `${root}.properties[spec].x-kubernetes-map-type: Unsupported value: "odd": supported values: "atomic", "granular"`,
    ],
    [
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" } } },
      },
      `${root}.properties[spec].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
    [
      { type: "array", "x-kubernetes-list-type": "set", items: { type: "object", properties: {} } },
      `${root}.properties[spec].items.x-kubernetes-map-type: Invalid value: "null": must be atomic as item of a list with x-kubernetes-list-type=set`,
    ],
    [
      { type: "object", anyOf: [{ type: "object", properties: { b: {} } }] },
      `${root}.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string" } },
        oneOf: [{ required: ["a"] }, { properties: { b: { minLength: 1 } } }],
      },
    ],
    [{ type: "object", anyOf: [{ additionalProperties: false }] }],
    [
      { type: "object", anyOf: [{ additionalProperties: true }] },
      `${root}.properties[spec].anyOf[0].additionalProperties: Forbidden: must be undefined to be structural`,
    ],
    [{ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }] }],
    [
      { "x-kubernetes-int-or-string": true, not: { anyOf: [{ type: "integer" }, { type: "string" }] } },
      `${root}.properties[spec].not.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${root}.properties[spec].not.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
    [{ "x-kubernetes-int-or-string": true, default: 5.5 }],
    [
      { type: "object", $schema: "x", default: 1 },
      `${root}: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`,
    ],
    [
      { type: "object", anyOf: [{ type: "object" }], $ref: "" },
      `${root}.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural`,
      `${root}.properties[spec].$ref: Forbidden: $ref is not supported`,
    ],
    [
      { type: "object", properties: { a: {} }, default: 1, definitions: { a: { type: "string" } } },
      `${root}.properties[spec].definitions: Forbidden: definitions is not supported`,
    ],
    [
      { type: "string", anyOf: [{ "x-kubernetes-validations": [{ rule: " " }] }] },
      `${root}.properties[spec].anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural`,
      `${root}.properties[spec].anyOf[0].x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    ],
    [
      {
        type: "object",
        properties: { a: { type: "array", items: { type: "string" } } },
        not: { properties: { a: { items: {} } } },
      },
    ],
    [
      { type: "integer", default: 5, "x-kubernetes-validations": [{ rule: "self < 3" }] },
      `${root}.properties[spec].default: Invalid value: "integer": failed rule: self < 3`,
    ],
    [{ type: "integer", default: 2, "x-kubernetes-validations": [{ rule: "self < 3" }] }],
    // A default is the old value, too, and then a new one.
    [
      { type: "integer", default: 2, "x-kubernetes-validations": [{ rule: "oldSelf > 2" }] },
      `${root}.properties[spec].default: Invalid value: "integer": failed rule: oldSelf > 2`,
    ],
    [
      {
        type: "integer",
        default: 2,
        "x-kubernetes-validations": [{ rule: "oldSelf.hasValue()", optionalOldSelf: true, message: "is new" }],
      },
      `${root}.properties[spec].default: Invalid value: "integer": is new`,
    ],
    [
      {
        type: "object",
        additionalProperties: { type: "string" },
        default: { a: "b" },
        "x-kubernetes-validations": [{ rule: "false", fieldPath: ".a" }],
      },
      `${root}.properties[spec].default.[a]: Invalid value: "object": failed rule: false`,
    ],
    [
      {
        type: "array",
        items: [{ type: "string", id: "a" }],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      `${root}.properties[spec].items: Forbidden: items must be a schema object and not an array`,
      `${root}.properties[spec].items[0].id: Forbidden: id is not supported`,
      expect.stringMatching(
        /items: Invalid value: apiextensions\.JSONSchemaPropsOrArray\{Schema:\(\*apiextensions\.JSONSchemaProps\)\(nil\), JSONSchemas:\[\]apiextensions\.JSONSchemaProps\{apiextensions\.JSONSchemaProps\{ID:"a", Schema:"", Ref:\(\*string\)\(nil\), Description:"", Type:"string", .*XValidations:apiextensions\.ValidationRules\(nil\)\}\}\}: must only have a single schema if x-kubernetes-list-type is map$/,
      ),
    ],
    [
      { type: "array", items: { type: "string" }, uniqueItems: true },
      `${root}.properties[spec].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    ],
    [
      {
        type: "object",
        properties: { a: { type: "string" } },
        "x-kubernetes-validations": [{ rule: "self.zz == 'a'" }],
      },
      expect.stringMatching(
        /^spec\.validation\.openAPIV3Schema\.properties\[spec\]\.x-kubernetes-validations\[0\]\.rule: Invalid value: apiextensions\.ValidationRule\{.*undefined field 'zz'/s,
      ),
    ],
  ])("must have a valid schema: %j", (schema, ...problems) => {
    expect(refusals(hooks, withSpecSchema(schema))).toEqual(problems);
  });

  it.each<[schema: object, ...problems: string[]]>([
    [
      {
        properties: { a: { type: "array", items: { type: "string" } } },
        anyOf: [{ properties: { a: { items: {} }, b: {} } }],
      },
      `${root}.properties[b]: Required value: because it is defined in ${root}.anyOf[0].properties[b]`,
    ],
    [
      { default: {} },
      `${root}.default.apiVersion: Required value: must not be empty`,
      `${root}.default.kind: Required value: must not be empty`,
    ],
    [{ default: { apiVersion: "v1", kind: "Fig" } }],
  ])("must have a valid root of its schema: %j", (schema, ...problems) => {
    const versions = [{ ...version, schema: { openAPIV3Schema: { type: "object", ...schema } } }];
    expect(refusals(hooks, withValue(definition, "spec.versions", versions))).toEqual(problems);
  });

  it("counts a stored version for one version only", () => {
    const twice = withValue(definition, "spec.versions", [version, version]);
    expect(refusals(hooks, twice).at(-1)).toBe(
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v1',
    );
  });

  it("reports only that metadata must not have defaults", () => {
    const metadata = { type: "object", default: { name: "x" } };
    const schema = { openAPIV3Schema: { type: "object", properties: { metadata } } };
    expect(refusals(hooks, withValue(definition, "spec.versions", [{ ...version, schema }]))).toEqual([
      `${root}.properties[metadata].default: Forbidden: must not be set in top-level metadata`,
    ]);
  });

  it("reports errors of each version if the schemas differ", () => {
    const other = { ...version, name: "v2", storage: false, schema: { openAPIV3Schema: { type: "string" } } };
    expect(refusals(hooks, withValue(definition, "spec.versions", [version, other]))).toEqual([
      'spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    ]);
  });

  it("cannot change kind and scope once it is established", () => {
    const established = withValue(definition, "status.conditions", [{ type: "Established", status: "True" }]);
    expect(refusals(hooks, withValue(established, "spec.scope", "Cluster"), { old: established })).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ]);
  });

  it("needs the approval annotation for protected groups", () => {
    const community = withValue(withValue(definition, "spec.group", "x.k8s.io"), "metadata.name", "figs.x.k8s.io");
    expect(refusals(hooks, community)).toEqual([
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ]);
  });
});

describe("a schema with several faults", () => {
  const at = "spec.validation.openAPIV3Schema.properties[spec]";
  const rules = (rule: object) => ({ "x-kubernetes-validations": [{ rule: "true", ...rule }] });

  it("has its rules checked, but not compiled", () => {
    const properties = { n: { type: "integer", minimum: 1, default: 0 } };
    const refused = withSpecSchema({ type: "object", properties, ...rules({ rule: "odd(", reason: "Odd" }) });
    expect(refusals(hooks, refused)).toEqual([
      `${at}.properties[n].default: Invalid value: 0:  in body should be greater than or equal to 1`,
      `${at}.x-kubernetes-validations[0].reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
    ]);
    const untyped = withSpecSchema({ type: "object", properties: { n: {} }, ...rules({ fieldPath: ".n." }) });
    expect(refusals(hooks, untyped)).toEqual([
      `${at}.properties[n].type: Required value: must not be empty for specified object fields`,
      `${at}.x-kubernetes-validations[0].fieldPath: Invalid value: ".n.": fieldPath must be a valid path`,
    ]);
  });

  it("may have numbers beyond the range of integers", () => {
    const properties = { n: { type: "integer", default: 2n ** 64n } };
    expect(refusals(hooks, withSpecSchema({ type: "object", properties }))).toEqual([
      `${at}.properties[n].default: Invalid value: "number":  in body must be of type integer: "number"`,
    ]);
  });

  it.each([
    [{ type: "integer", format: "int32" }, 1.5, "float64", "int32"],
    [{ type: "integer", format: "int64" }, true, "", "int64"],
    [{ type: "number", format: "any" }, {}, "", "any"],
    [{ type: "boolean", format: "any" }, 5, "int64", "any"],
    [{ type: "boolean", format: "int64" }, 5, "integer", "boolean"],
    [{ type: "integer", format: "int32" }, "x", "string", "integer"],
  ])("names the format of a schema whose default has another type: %j %j", (schema, value, found, wanted) => {
    const properties = { n: { ...schema, default: value } };
    expect(refusals(hooks, withSpecSchema({ type: "object", properties }))).toEqual([
      `${at}.properties[n].default: Invalid value: "${found}":  in body must be of type ${wanted}: "${found}"`,
    ]);
  });

  it("accepts a string as the default of anything but a number that has a format", () => {
    const properties = { n: { type: "boolean", format: "any", default: "x" } };
    expect(refusals(hooks, withSpecSchema({ type: "object", properties }))).toEqual([]);
  });

  it("has selectable fields and schemas both in common, or neither", () => {
    const schemaOf = (more: object) => {
      const spec = { type: "object", properties: { colour: { type: "string" }, ...more } };
      return { openAPIV3Schema: { type: "object", properties: { spec } } };
    };
    const [plain, other] = [schemaOf({}), schemaOf({ size: { type: "integer" } })];
    const selectableFields = [{ jsonPath: ".spec.colour" }];
    const problems = (first: object, second: object) => {
      const versions = [
        { name: "v1", served: true, storage: true, ...first },
        { name: "v2", served: true, storage: false, ...second },
      ];
      return refusals(hooks, withValue(definition, "spec.versions", versions));
    };
    expect(problems({ schema: plain, selectableFields }, { schema: plain, selectableFields })).toEqual([]);
    expect(problems({ schema: plain, selectableFields }, { schema: other })).toEqual([]);
    expect(problems({ schema: plain, selectableFields }, { schema: plain })).toEqual([
      'spec.versions[0].selectableFields: Invalid value: "": selectableFields may only be set when version.schema.openAPIV3Schema is not included',
    ]);
    expect(problems({ schema: plain, selectableFields }, { schema: other, selectableFields })).toEqual([
      'spec.selectableFields: Invalid value: "": selectableFields may only be set when validations.schema is included',
    ]);
  });

  it("may have selectable fields below a part without a type", () => {
    const spec = { properties: { colour: { type: "string" } } };
    const selectable = {
      ...version,
      schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      selectableFields: [{ jsonPath: ".spec.colour" }],
    };
    expect(refusals(hooks, withValue(definition, "spec.versions", [selectable]))).toEqual([
      `${at}.type: Required value: must not be empty for specified object fields`,
    ]);
  });
});

describe("rules of a schema with other errors", () => {
  const rule = { rule: "self.n > 1", fieldPath: ".n" };
  const rules = { "x-kubernetes-validations": [rule] };
  const at = `${root}.properties[spec]`;

  it("are not compiled if their part of the schema has errors", () => {
    const schema = { type: "object", properties: { n: { type: "odd" } }, ...rules };
    expect(refusals(hooks, withSpecSchema(schema))).toEqual([
      expect.stringMatching(/properties\[n\].type: Unsupported value: "odd": /),
    ]);
  });

  it("may select from a part with properties and without a type", () => {
    const schema = { properties: { n: { type: "integer" } }, ...rules };
    expect(refusals(hooks, withSpecSchema(schema))).toEqual([
      `${at}.type: Required value: must not be empty for specified object fields`,
    ]);
  });
});
