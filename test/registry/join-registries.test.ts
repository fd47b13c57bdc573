import { afterAll, describe, expect, it } from "vitest";
import { registry as kubernetes } from "../../generated/registry.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { joinRegistries } from "../../runtime/registry/join-registries.ts";
import { fleet } from "../fixtures/fleet-registry.ts";

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
