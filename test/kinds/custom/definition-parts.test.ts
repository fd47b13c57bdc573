import { describe, expect, it } from "vitest";
import { acceptNames } from "../../../runtime/kinds/custom/definition/accept-names.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import { validateDefinition } from "../../../runtime/kinds/custom/definition-checks/validate-definition.ts";
import { atOnce } from "../../../runtime/lib/in-turns.ts";

const NOW = "2030-01-01T00:00:00Z";
const options = { vendor: "kubernetes", domain: "k8s.io", release: "1.33", apiVersion: "apiextensions.k8s.io/v1" };
const plain: CustomDefinition = {
  metadata: { name: "figs.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "figs", singular: "fig", kind: "Fig", listKind: "FigList" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

function problems(definition: CustomDefinition, old?: CustomDefinition): string[] {
  const { first, last } = atOnce(validateDefinition(definition, old, options as never));
  return [...first, ...last]
    .map(({ field, message }) => `${field}: ${message}`)
    .filter((problem) => !problem.startsWith("status."));
}

function withVersion(part: object): CustomDefinition {
  const [version] = plain.spec.versions ?? [];
  return { ...plain, spec: { ...plain.spec, versions: [{ ...version!, ...part }] } };
}

describe("the deprecation warning of a version", () => {
  it.each([
    ["no-break\u00a0space", 8],
    ["é\u2028", 2],
    ["é\tx", 2],
  ])("must have printable characters only: %j", (deprecationWarning, index) => {
    const [problem, ...more] = problems(withVersion({ deprecated: true, deprecationWarning }));
    expect(problem).toMatch(/^spec\.versions\[0\]\.deprecationWarning: Invalid value: /);
    expect(problem).toContain(`printable UTF-8 characters; non-printable character found at index ${index}`);
    expect(more).toEqual([]);
  });

  it("may have letters, marks and symbols of any script", () => {
    expect(problems(withVersion({ deprecated: true, deprecationWarning: "veraltet, e\u0301 日本 ☂ 🍐" }))).toEqual([]);
  });
});

describe("a rule that exceeds the cost limit", () => {
  const schemaOf = (description: string) => ({
    openAPIV3Schema: {
      type: "object",
      description,
      properties: {
        list: {
          type: "array",
          maxItems: 10000,
          items: { type: "string", maxLength: 100 },
          "x-kubernetes-validations": [{ rule: "self.all(a, self.all(b, a != b))" }],
        },
      },
    },
  });
  const [before, after] = [withVersion({ schema: schemaOf("a") }), withVersion({ schema: schemaOf("b") })];
  const single = "estimated rule cost exceeds budget";

  it("is refused in a new or changed schema", () => {
    expect(problems(before).join()).toContain(single);
    expect(problems(after, before).join()).toContain(single);
  });

  it("may stay in a schema that does not change, as far as the limit of the whole schema allows", () => {
    const found = problems({ ...before, metadata: { ...before.metadata, labels: { a: "b" } } }, before).join();
    expect(found).not.toContain(single);
    expect(found).toContain("estimated rule cost total for entire OpenAPIv3 schema exceeds budget");
  });
});

describe("a schema that was stored before a rule for schemas was added", () => {
  const schemaOf = (broken: object) => ({
    openAPIV3Schema: { type: "object", properties: { a: broken, b: { type: "string" } } },
  });
  const set = { type: "array", "x-kubernetes-list-type": "set" };

  it.each<[string, object]>([
    ["a type that is none", { type: "odd" }],
    ["a set of objects that are no atoms", { ...set, items: { type: "object", properties: {} } }],
    ["a set of items that may be null", { ...set, items: { type: "string", nullable: true } }],
  ])("may still have %s", (_what, broken) => {
    const stored = withVersion({ schema: schemaOf(broken) });
    const clean = withVersion({ schema: schemaOf({ type: "string" }) });
    const changed = withVersion({ schema: schemaOf({ ...broken, description: "changed" }) });
    expect(problems(changed)).not.toEqual([]);
    expect(problems(changed, clean)).not.toEqual([]);
    expect(problems(changed, stored)).toEqual([]);
  });
});

describe("the path of a selectable field", () => {
  const schemaOf = (properties: object) => ({ openAPIV3Schema: { type: "object", properties } });
  const select = (jsonPath: string, properties: object = { spec: { type: "object" } }) =>
    problems(withVersion({ schema: schemaOf(properties), selectableFields: [{ jsonPath }] })).map((problem) =>
      problem.replace(/^.*?\.jsonPath: Invalid value: "[^"]*": /, ""),
    );

  it.each(["..spec", ".spec..a", ".[", ".]", ".spec.["])("takes the delimiter after a dot as a name: %s", (path) => {
    expect(select(path)).toEqual(["is an invalid path: does not refer to a valid field"]);
  });

  it("must not end with a dot", () => {
    expect(select(".")).toEqual(["is an invalid path: unexpected end of JSON path"]);
    expect(select(".spec.")).toEqual(["is an invalid path: unexpected end of JSON path"]);
  });

  it("may begin with a name that only begins like metadata", () => {
    expect(select(".metadata-kind", { "metadata-kind": { type: "string" } })).toEqual([]);
    expect(
      select(".metadata.name", { metadata: { type: "object", properties: { name: { type: "string" } } } }),
    ).toEqual(["must not point to fields in metadata"]);
  });
});

describe("the conversion webhook of a definition", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const withBundle = (caBundle: string | undefined, established?: boolean): CustomDefinition =>
    ({
      ...plain,
      spec: {
        ...plain.spec,
        conversion: {
          strategy: "Webhook",
          webhook: { clientConfig: { url: "https://convert.example.com", caBundle }, conversionReviewVersions: ["v1"] },
        },
      },
      status: { conditions: established === true ? [{ type: "Established", status: "True" }] : [] },
    }) as CustomDefinition;
  const path = "spec.conversion.webhookClientConfig.caBundle";
  const noPem = "unable to load root certificates: unable to parse bytes as PEM block";

  it("may have an unreadable CA bundle before the definition is established", () => {
    expect(problems(withBundle(base64("\n")))).toEqual([]);
    expect(problems(withBundle(base64("\n")), withBundle(undefined))).toEqual([]);
  });

  it("does not get an unreadable CA bundle once the definition is established", () => {
    expect(problems(withBundle(base64("\nx")), withBundle(undefined, true))).toEqual([
      `${path}: Invalid value: []byte{0xa, 0x78}: ${noPem}`,
    ]);
    const malformed = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    expect(problems(withBundle(base64(malformed)), withBundle(undefined, true))).toEqual([
      expect.stringMatching(
        /: unable to load root certificates: failed to parse certificate: x509: malformed certificate$/,
      ),
    ]);
    const key = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n";
    expect(problems(withBundle(base64(key)), withBundle(undefined, true))).toEqual([
      expect.stringMatching(/: unable to load root certificates: no valid certificate authority data seen$/),
    ]);
  });

  it("keeps an unreadable CA bundle, even if it changes", () => {
    expect(problems(withBundle(base64("b")), withBundle(base64("a"), true))).toEqual([]);
  });

  it("must understand a known version of ConversionReview if it did so before", () => {
    const withVersions = (conversionReviewVersions: string[]): CustomDefinition => {
      const definition = withBundle(undefined);
      const webhook = { ...definition.spec.conversion?.webhook, conversionReviewVersions };
      return { ...definition, spec: { ...definition.spec, conversion: { strategy: "Webhook", webhook } } };
    };
    expect(problems(withVersions(["v3"]), withVersions(["v2"]))).toEqual([]);
    expect(problems(withVersions(["v3"]), withVersions(["v1"]))).toEqual([
      'spec.conversion.conversionReviewVersions: Invalid value: []string{"v3"}: must include at least one of v1, v1beta1',
    ]);
  });

  it("is not used if unknown fields are preserved", () => {
    const definition = withBundle(undefined);
    expect(problems({ ...definition, spec: { ...definition.spec, preserveUnknownFields: true } })).toContain(
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    );
  });

  it("holds back the condition Established while its CA bundle is unreadable", () => {
    const nothing = { has: () => false };
    const inUse = { resources: nothing, kinds: nothing };
    const unreadable = withBundle(base64("\n"));
    const status = acceptNames(unreadable, inUse, NOW);
    expect(status.conditions).toMatchObject([
      { type: "NamesAccepted", status: "True" },
      {
        type: "Established",
        status: "False",
        reason: "InvalidCABundle",
        message: "The conversion webhook CABundle is invalid",
      },
    ]);
    expect(acceptNames({ ...unreadable, status }, inUse, "2031-01-01T00:00:00Z")).toBe(status);
    expect(acceptNames({ ...withBundle(undefined), status }, inUse, NOW).conditions).toMatchObject([
      { type: "NamesAccepted", status: "True" },
      { type: "Established", status: "True", reason: "InitialNamesAccepted" },
    ]);
  });
});
