import { describe, expect, it } from "vitest";
import type { ResourceDescriptor } from "../../../runtime/contract/resource-descriptor.ts";
import { aggregatedDiscovery, aggregatedJson, aggregatedMessage } from "../../../runtime/http/discovery/aggregated.ts";
import { ApiSurface } from "../../../runtime/kinds/api-surface.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import { outlineOf } from "../../../runtime/kinds/custom/definition/definition-source.ts";
import { describeResources } from "../../../runtime/kinds/custom/definition/describe-resources.ts";
import type { DefinitionCheckOptions } from "../../../runtime/kinds/custom/definition-checks/definition-check-options.ts";
import { validateDefinition } from "../../../runtime/kinds/custom/definition-checks/validate-definition.ts";
import type { ResourceEntry } from "../../../runtime/kinds/resource-entry.ts";
import { atOnce } from "../../../runtime/lib/in-turns.ts";
import { schemas } from "../conversions/converters.ts";
import { definitionOf } from "./definitions.ts";

let reads = 0;

/** A resource that counts every access. */
function entryOf(plural: string, group = "example.com", version = "v1"): ResourceEntry {
  const definition = definitionOf(plural, `K${plural}`, {}) as CustomDefinition;
  const spec = {
    ...definition.spec,
    group,
    versions: definition.spec.versions?.map((one) => ({ ...one, name: version })),
  };
  const [descriptor] = describeResources({ ...outlineOf(definition), spec } as CustomDefinition);
  const counted = new Proxy(descriptor as ResourceDescriptor, {
    get(target, name, receiver) {
      reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  return { descriptor: counted, loaded: undefined, load: () => Promise.reject(new Error("not loaded")) };
}

/** An API with this number of custom kinds, in groups of ten. */
function surfaceOf(count: number): ApiSurface {
  const added = Array.from({ length: count }, (_, index) =>
    entryOf(`figs${index}`, `g${Math.floor(index / 10)}.example.com`),
  );
  return new ApiSurface([], []).changed({ removed: [], added });
}

describe("the surface of what is served", () => {
  it.each([10, 1000])("with %d custom kinds looks at no other kind when one comes, is found, and goes", (count) => {
    const surface = surfaceOf(count);
    const plums = entryOf("plums", "g0.example.com");
    reads = 0;
    const larger = surface.changed({ removed: [], added: [plums] });
    expect(larger.find("g0.example.com", "v1", "plums")).toBe(plums);
    expect(larger.findStored("g0.example.com", "plums")).toBe(plums);
    const smaller = larger.changed({ removed: [plums], added: [] });
    expect(reads, "reads of descriptors").toBeLessThan(50);
    expect([surface, smaller].map((one) => one.find("g0.example.com", "v1", "plums"))).toEqual([undefined, undefined]);
    expect([...smaller.entries()]).toHaveLength(count);
  });

  it("keeps its list of groups while no version comes or goes", () => {
    const surface = surfaceOf(30);
    const { groups } = surface;
    expect(groups.map(({ name }) => name)).toEqual(["g0.example.com", "g1.example.com", "g2.example.com"]);
    const plums = entryOf("plums", "g0.example.com");
    const larger = surface.changed({ removed: [], added: [plums] });
    expect(larger.groups).toBe(groups);
    const beta = entryOf("plums", "g0.example.com", "v1beta1");
    const [first] = larger.changed({ removed: [plums], added: [plums, beta] }).groups;
    expect(first).toMatchObject({ versions: ["v1", "v1beta1"], preferredVersion: "v1", custom: true });
    expect(surface.group("g0.example.com")?.versions).toEqual(["v1"]);
    const [, emptied] = [
      surface,
      surface.changed({ removed: [...surface.customEntriesOf("g1.example.com", "v1")], added: [] }),
    ];
    expect(emptied.groups.map(({ name }) => name)).toEqual(["g0.example.com", "g2.example.com"]);
    expect(emptied.hasVersion("g1.example.com", "v1")).toBe(false);
  });
});

describe("aggregated discovery", () => {
  it("in pieces equals the document as a whole, as JSON and as protobuf", () => {
    const surface = surfaceOf(30);
    const sources = { surface, remote: () => "local" as const };
    const document = aggregatedDiscovery(surface.groups, sources, false, "apidiscovery.k8s.io/v2");
    const json = () => Buffer.concat(atOnce(aggregatedJson(surface.groups, sources, false, "apidiscovery.k8s.io/v2")));
    expect(json().toString()).toBe(`${JSON.stringify(document)}\n`);
    reads = 0;
    expect(json().toString()).toBe(`${JSON.stringify(document)}\n`);
    expect(reads, "reads of descriptors to sort them").toBeLessThan(30 * 20);
    const schema = schemas.of<Record<string, unknown>>("apidiscovery/v2.APIGroupDiscoveryList");
    const encode = (list: Record<string, unknown>) => schema.encodeProtobuf(list);
    const pieces = Buffer.concat(atOnce(aggregatedMessage(surface.groups, sources, false, encode)));
    expect(pieces.equals(encode(document))).toBe(true);
  });
});

describe("checking a definition", () => {
  it("looks at the keywords of a plain scalar a few times at most, however many checks there are", () => {
    const count = 300;
    let looks = 0;
    const scalar = (): object =>
      new Proxy(
        { type: "string", maxLength: 64 },
        {
          ownKeys(target) {
            looks++;
            return Reflect.ownKeys(target);
          },
        },
      );
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, scalar()]));
    const definition = definitionOf("figs", "Fig", { type: "object", properties }) as CustomDefinition;
    const checks = validateDefinition(
      { ...definition, status: { storedVersions: ["v1"] } } as CustomDefinition,
      undefined,
      {
        vendor: "kubernetes",
        apiVersion: "apiextensions.k8s.io/v1",
        release: "1.33",
      } as DefinitionCheckOptions,
    );
    const refused = atOnce(checks).first.map(({ field }) => field);
    expect(refused).toEqual(["spec.names.singular", "spec.names.listKind"]);
    expect(looks / count, "looks at each").toBeLessThan(5);
  });
});
