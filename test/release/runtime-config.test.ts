import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

const AUTOSCALERS = "namespaces/default/horizontalpodautoscalers";
const spec = { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3 };

let plane: Plane;
let call: ReturnType<typeof createClient>;
beforeAll(async () => {
  plane = await startPlane({
    flags: { controllers: "false", "runtime-config": "autoscaling/v1=false,storage.k8s.io/v1beta1=true" },
  });
  call = createClient(plane);
  await plane.ready;
});
afterAll(() => plane.stop());

describe("an API version that --runtime-config disables", () => {
  it("is removed from routing, discovery and OpenAPI, and other versions serve its objects", async () => {
    const body = { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name: "web" }, spec };
    expect((await call("POST", `/apis/autoscaling/v2/${AUTOSCALERS}`, { body })).status).toBe(201);
    expect((await call("GET", `/apis/autoscaling/v1/${AUTOSCALERS}/web`)).status).toBe(404);
    expect((await call("GET", "/apis/autoscaling")).body.versions).toHaveLength(1);
    expect((await call("GET", "/apis/autoscaling/v1")).status).toBe(404);
    expect(Object.keys((await call("GET", "/openapi/v3")).body.paths)).not.toContain("apis/autoscaling/v1");
    expect((await call("GET", "/openapi/v2")).text).not.toContain('"/apis/autoscaling/v1/');
    expect((await call("GET", `/apis/autoscaling/v2/${AUTOSCALERS}/web`)).body.spec.maxReplicas).toBe(3);
  });
});

describe("a new beta version that --runtime-config enables", () => {
  it("is served although it is disabled by default", async () => {
    const list = await call("GET", "/apis/storage.k8s.io/v1beta1/volumeattributesclasses");
    expect(list.body.kind).toBe("VolumeAttributesClassList");
  });
});

describe("lists and watches of several versions of one object", () => {
  it("show a change in each version", async () => {
    const both = await startPlane({ flags: { controllers: "false" } });
    try {
      const speak = createClient(both);
      await both.ready;
      const body = {
        apiVersion: "autoscaling/v1",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "web" },
        spec: { ...spec, targetCPUUtilizationPercentage: 60 },
      };
      const made = await speak("POST", `/apis/autoscaling/v1/${AUTOSCALERS}`, { body });
      expect(made.status).toBe(201);
      const before = Number(made.body.metadata.resourceVersion) - 1;
      for (const version of ["v1", "v2"]) {
        const query = `watch=true&resourceVersion=${before}&timeoutSeconds=1`;
        const events = (await speak("GET", `/apis/autoscaling/${version}/${AUTOSCALERS}?${query}`)).text;
        const [first = "{}"] = events.split("\n");
        expect(JSON.parse(first)).toMatchObject({
          type: "ADDED",
          object: { apiVersion: `autoscaling/${version}`, metadata: { uid: made.body.metadata.uid } },
        });
      }
      const { items } = (await speak("GET", `/apis/autoscaling/v2/${AUTOSCALERS}`)).body;
      expect(items[0].spec.metrics[0].resource.target.averageUtilization).toBe(60);
    } finally {
      await both.stop();
    }
  });
});

describe("a server with most APIs disabled", () => {
  it.each(["api/all=false,api/v1", "api/v1=false", "api/all=false,apps/v1", "rbac.authorization.k8s.io/v1=false"])(
    "starts without warnings: %s",
    async (config) => {
      const troubles: string[] = [];
      const one = await startPlane({
        listen: false,
        flags: { "runtime-config": config },
        log: (level, message) => void (level !== "info" && troubles.push(message)),
      });
      await one.ready;
      expect((await one.fetch("/readyz")).status).toBe(200);
      await one.stop();
      expect(troubles).toEqual([]);
    },
  );
});

describe("--runtime-config", () => {
  it("logs a warning for APIs that the release does not have", async () => {
    const warnings: string[] = [];
    const one = await startPlane({
      listen: false,
      flags: {
        controllers: "false",
        "runtime-config": "batch/v1beta1=true,extensions/v1beta1/ingresses,batch/v1=true",
      },
      log: (level, message) => void (level === "warn" && warnings.push(message)),
    });
    await one.stop();
    expect(warnings).toEqual([
      "--runtime-config: release 1.33 has no batch/v1beta1 to switch on",
      "--runtime-config: release 1.33 has no extensions/v1beta1/ingresses to switch on",
    ]);
  });

  it.each(["api/all=false", "api/ga=false"])("must not disable all APIs (%s)", async (config) => {
    await expect(startPlane({ listen: false, flags: { "runtime-config": config } })).rejects.toThrow(
      "--runtime-config disables every API version",
    );
  });
});
