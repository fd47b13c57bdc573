import { afterAll, describe, expect, it } from "vitest";
import { registry as kubernetes } from "../../generated/registry.ts";
import type { ApiRegistry } from "../../runtime/contract/api-registry.ts";
import type { ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import type { TypeDefinition } from "../../runtime/contract/type-table.ts";
import { joinRegistries } from "../../runtime/kinds/join-registries.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const LEASE = kubernetes.readCatalogue().resources.find(({ type }) => type === "coordination/v1.Lease")!;

/** A registry with one kind, Truck, in a group of its own, whose spec has a type of Kubernetes. */
function fleet(
  group = "fleet.example.com",
  change: { storage?: Partial<ResourceDescriptor["storage"]> } = {},
): ApiRegistry {
  const [folder = ""] = group.split(".");
  const module = `${folder}/v1`;
  const resource: ResourceDescriptor = {
    ...LEASE,
    group,
    kind: "Truck",
    resource: "trucks",
    singular: "truck",
    listKind: "TruckList",
    type: `${module}.Truck`,
    listType: `${module}.TruckList`,
    storage: {
      group,
      version: "v1",
      kind: "Truck",
      resource: "trucks",
      type: `${module}.Truck`,
      prefix: `${group}/trucks`,
      ...change.storage,
    },
  };
  const head = [
    { name: "kind", type: "string" },
    { name: "apiVersion", type: "string" },
  ] as const;
  const types: { readonly [name: string]: TypeDefinition } = {
    Truck: {
      fields: [
        ...head,
        { name: "metadata", type: "meta/v1.ObjectMeta", always: true, number: 1 },
        { name: "spec", type: `${module}.TruckSpec`, number: 2 },
      ],
    },
    TruckSpec: { fields: [{ name: "driver", type: "core/v1.PodTemplateSpec", number: 1 }] },
    TruckList: {
      fields: [
        ...head,
        { name: "metadata", type: "meta/v1.ListMeta", always: true, number: 1 },
        { name: "items", type: { list: `${module}.Truck` }, required: true, always: true, number: 2 },
      ],
    },
  };
  return {
    modules: { [module]: `${group}.v1` },
    uses: [],
    createTypeSource: () => ({
      module: () => ({
        module,
        group,
        version: "v1",
        protoPackage: `${group}.v1`,
        openapiPrefix: "com.example",
        types,
      }),
    }),
    readCatalogue: () => ({
      domain: "k8s.io",
      vendor: "kubernetes",
      release: "1.33",
      project: { name: folder, title: folder, domain: "example.com", release: "1.33" },
      groups: [{ name: group, versions: ["v1"] }],
      resources: [resource],
    }),
    readConfigKinds: () => [],
    readConversions: () => [],
    readFeatureGates: () => [],
    readMetrics: () => [],
    openApiSchemas: {
      modules: () => [{ module, package: "com.example", kinds: { group, version: "v1" } }],
      schemas: () => ({ Truck: { type: "object", description: "A truck." } }),
    },
    hooks: {},
    hookReads: {},
    conversions: {},
  };
}

describe("joining registries", () => {
  it("finds types of the project and types of Kubernetes", () => {
    const types = joinRegistries(kubernetes, fleet()).createTypeSource();
    expect(Object.keys(types.module("fleet/v1").types)).toEqual(["Truck", "TruckSpec", "TruckList"]);
    expect(types.module("core/v1").types).toHaveProperty("Pod");
    expect(() => types.module("core/v9")).toThrow(RangeError);
  });

  it("lists the groups of both by priority, and names the project of the own one", () => {
    const { groups, project, release } = joinRegistries(kubernetes, fleet()).readCatalogue();
    expect(groups.at(0)?.name).toBe("apiregistration.k8s.io");
    expect(groups.at(-1)?.name).toBe("fleet.example.com");
    expect([project?.name, release]).toEqual(["fleet", "1.33"]);
  });

  it("includes registries that the own one uses, each once", () => {
    const [shared, other] = [fleet("shared.example.com"), fleet("other.example.com")];
    const middle = { ...fleet("middle.example.com"), uses: [shared] };
    const joined = joinRegistries(kubernetes, { ...other, uses: [shared, middle] });
    const own = joined.readCatalogue().groups.filter((group) => !group.kubernetes);
    expect(own.map(({ name }) => name)).toEqual(["middle.example.com", "other.example.com", "shared.example.com"]);
  });

  it("refuses a group, a module, a protobuf package or a storage prefix that is taken", () => {
    const storage = { prefix: "pods" };
    expect(() => joinRegistries(kubernetes, fleet("core.example.com"))).toThrow(
      "core: the module of types core/v1 is declared elsewhere already; choose another name",
    );
    const sameProto = { ...fleet(), modules: { "fleet/v1": "k8s.io.api.core.v1" } };
    expect(() => joinRegistries(kubernetes, sameProto)).toThrow("the protobuf package k8s.io.api.core.v1 is declared");
    expect(() => joinRegistries(kubernetes, fleet("fleet.example.com", { storage })).readCatalogue()).toThrow(
      "fleet: the storage prefix pods is declared elsewhere already",
    );
    const sameGroup = { ...fleet(), modules: { "vehicles/v1": "vehicles.v1" } };
    expect(() => joinRegistries(joinRegistries(kubernetes, fleet()), sameGroup).readCatalogue()).toThrow(
      /the (group fleet.example.com|storage prefix fleet.example.com\/trucks) is declared elsewhere/,
    );
  });
});

describe("a plane with kinds of one's own", () => {
  let plane: Plane | undefined;
  afterAll(() => plane?.stop());

  it("stores and serves them, with types of Kubernetes inside, and publishes their schemas", async () => {
    plane = await startPlane({ kinds: fleet(), listen: false });
    const path = "/apis/fleet.example.com/v1/namespaces/default/trucks";
    const truck = {
      apiVersion: "fleet.example.com/v1",
      kind: "Truck",
      metadata: { name: "one" },
      spec: { driver: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "d" }] } } },
    };
    const headers = { "Content-Type": "application/json" };
    await plane.ready;
    const created = await plane.fetch(path, { method: "POST", headers, body: JSON.stringify(truck) });
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ spec: { driver: { spec: { containers: [{ name: "c" }] } } } });
    expect(await (await plane.fetch("/apis/fleet.example.com/v1")).json()).toMatchObject({
      resources: [{ name: "trucks", kind: "Truck" }],
    });
    const document = await (await plane.fetch("/openapi/v3/apis/fleet.example.com/v1")).json();
    expect(document).toHaveProperty(["components", "schemas", "com.example.Truck", "description"], "A truck.");
  });
});
