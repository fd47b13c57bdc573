import { describe, expect, it } from "vitest";
import { shownAs } from "../../api-definitions/go-types.ts";
import { hooks as networkPolicy } from "../../api-definitions/networking/v1/network-policy.hooks.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { goLabelSelector } from "../../runtime/go/literal.ts";
import { asGiven, holdsGivenEmpty } from "../../runtime/go/source-notes.ts";
import { schemas } from "../kinds/conversions/converters.ts";

function decode<T>(type: string, object: object): T {
  return schemas.of<ApiObject>(type as TypeRef).decode(object, { given: true }) as unknown as T;
}

interface Labelled {
  readonly metadata: { readonly labels?: Record<string, string>; readonly finalizers?: string[] };
}

describe("empty lists and maps in a request", () => {
  it("are omitted from the object and recorded as set", () => {
    const given = decode<Labelled>("core/v1.ConfigMap", { metadata: { name: "a", labels: {}, finalizers: [] } });
    expect(given.metadata).toEqual({ name: "a", creationTimestamp: null });
    expect(asGiven(given.metadata, "labels")).toEqual({});
    expect(asGiven(given.metadata, "finalizers")).toEqual([]);
    expect(holdsGivenEmpty(given)).toBe(true);
  });

  it("are not recorded if the field was absent, null or not empty", () => {
    const plain = decode<Labelled>("core/v1.ConfigMap", { metadata: { labels: null, finalizers: ["example.com/a"] } });
    expect(asGiven(plain.metadata, "labels")).toBeUndefined();
    expect(asGiven(plain.metadata, "finalizers")).toEqual(["example.com/a"]);
    expect(asGiven<Labelled, "metadata">(undefined, "metadata")).toBeUndefined();
    expect(holdsGivenEmpty(plain)).toBe(false);
  });

  it("are printed in error messages", () => {
    const { spec } = decode<{ spec: { selector: object; template: object } }>("apps/v1.Deployment", {
      spec: { selector: { matchLabels: {}, matchExpressions: [] }, template: { metadata: { labels: {} } } },
    });
    expect(goLabelSelector(spec.selector)).toBe(
      "v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement{}}",
    );
    expect(shownAs("core.PodTemplateSpec", spec.template).text).toContain(
      "Labels:map[string]string{}, Annotations:map[string]string(nil)",
    );
  });

  it("are a change of a network policy", () => {
    const policy = (spec: object) =>
      decode<never>("networking/v1.NetworkPolicy", { spec: { podSelector: {}, ...spec } });
    expect(networkPolicy.lifecycle?.raisesGeneration?.(policy({}), policy({}))).toBe(false);
    expect(networkPolicy.lifecycle?.raisesGeneration?.(policy({ ingress: [] }), policy({}))).toBe(true);
  });
});
