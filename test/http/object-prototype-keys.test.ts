import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount" });
const IN = "/api/v1/namespaces/default";
/** Names of properties that every JavaScript object inherits. */
const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty"];

describe.each(NAMES)("a key called %s, which every JavaScript object inherits,", (name) => {
  const message = async (path: string, body: object) => (await call("POST", path, { body })).body.message as string;

  it("is an unknown resource in the limits of a LimitRange", async () => {
    const limits = [{ type: "Container", min: { cpu: "1" }, max: { [name]: "1" } }];
    const told = await message(`${IN}/limitranges`, { metadata: { name: "l" }, spec: { limits } });
    expect(told).toContain(`spec.limits[0].max[${name}]: Invalid value: ${name}: must be a standard resource type`);
  });

  it("is an unknown resource in the requests of a container", async () => {
    const containers = [{ name: "c", image: "i", resources: { requests: { [name]: "1" }, limits: { cpu: "1" } } }];
    const told = await message(`${IN}/pods`, { metadata: { name: "p" }, spec: { containers } });
    expect(told).toContain(`resources.requests[${name}]: Invalid value: ${name}: must be a standard resource type`);
  });

  it("is an absent label in matchLabelKeys of a pod", async () => {
    const term = { topologyKey: "zone", labelSelector: { matchLabels: { a: "b" } }, matchLabelKeys: [name] };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const created = await call("POST", `${IN}/pods`, {
      body: { metadata: { name: name.toLowerCase() }, spec: { affinity, containers: [{ name: "c", image: "i" }] } },
    });
    expect(created.status, created.text).toBe(201);
    const [kept] = created.body.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution;
    expect(kept.labelSelector).toEqual({ matchLabels: { a: "b" } });
  });
});
