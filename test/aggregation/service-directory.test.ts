import { describe, expect, it } from "vitest";
import type { Endpoints } from "../../api-definitions/core/v1/endpoints.ts";
import type { Service } from "../../api-definitions/core/v1/service.ts";
import { ServiceDirectory } from "../../runtime/aggregation/service-directory.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";

const metadata = { name: "ext", namespace: "default" };
const REFERENCE = { ...metadata, port: 443 };

async function directory(
  toEndpoints: boolean,
  spec: Service["spec"] | undefined,
  subsets?: Endpoints["subsets"],
  random = 0,
) {
  const feed = new InMemoryObjects();
  if (spec) await feed.create({ group: "", resource: "services" }, { metadata, spec });
  if (subsets) await feed.create({ group: "", resource: "endpoints" }, { metadata, subsets });
  const found = new ServiceDirectory({ feed, toEndpoints, random: () => random });
  await found.open();
  return found;
}

describe("the address of a service", () => {
  const ports = [{ name: "api", port: 443 }];
  const subsets = [
    { addresses: [], ports: [{ name: "api", port: 1 }] },
    { addresses: [{ ip: "10.0.0.1" }], ports: [{ name: "metrics", port: 2 }] },
    { addresses: [{ ip: "10.0.0.2" }, { ip: "10.0.0.3" }], ports: [{ name: "api", port: 8443 }] },
  ];

  it("is its cluster IP and port, or the external name", async () => {
    const own = await directory(false, { clusterIP: "10.9.9.9", ports });
    expect(own.resolve(REFERENCE)).toEqual({ host: "10.9.9.9", port: 443 });
    const outside = await directory(false, { type: "ExternalName", externalName: "example.com" });
    expect(outside.resolve({ ...REFERENCE, port: 1234 })).toEqual({ host: "example.com", port: 1234 });
  });

  it("is an endpoint with that port, with --enable-aggregator-routing", async () => {
    const spec = { clusterIP: "None", ports };
    expect((await directory(true, spec, subsets)).resolve(REFERENCE)).toEqual({ host: "10.0.0.2", port: 8443 });
    expect((await directory(true, spec, subsets, 0.9)).resolve(REFERENCE)).toEqual({ host: "10.0.0.3", port: 8443 });
  });

  it("is an error for a service without a cluster IP, port or endpoint", async () => {
    const problem = async (...of: Parameters<typeof directory>) => {
      const found = await directory(...of);
      return () => found.resolve(REFERENCE);
    };
    expect(await problem(false, undefined)).toThrow('service "ext" not found');
    expect(await problem(false, { clusterIP: "None", ports })).toThrow('cannot route to service with ClusterIP "None"');
    expect(await problem(false, { clusterIP: "1.1.1.1" })).toThrow('no service port 443 found for service "ext"');
    expect(await problem(true, { type: "ExternalName" })).toThrow('unsupported service type "ExternalName"');
    expect(await problem(true, { ports })).toThrow('endpoints "ext" not found');
    expect(await problem(true, { ports }, [])).toThrow('no endpoints available for service "ext"');
  });

  it("is looked up again if the store was not available at first", async () => {
    const objects = new InMemoryObjects();
    await objects.create({ group: "", resource: "services" }, { metadata, spec: { clusterIP: "10.9.9.9", ports } });
    let isAway = true;
    const feed: Pick<InMemoryObjects, "follow"> = {
      follow: async (resource, listener) => {
        if (isAway && resource.resource === "endpoints") throw new Error("away");
        return objects.follow(resource, listener);
      },
    };
    const found = new ServiceDirectory({ feed, toEndpoints: false, random: Math.random });
    await expect(found.open()).rejects.toThrow("away");
    isAway = false;
    await found.open();
    expect(found.resolve(REFERENCE)).toEqual({ host: "10.9.9.9", port: 443 });
    await found.close();
  });
});
