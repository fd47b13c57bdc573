import { beforeEach, describe, expect, it, vi } from "vitest";
import type { createConverter } from "../runtime/kinds/conversion/converter.ts";
import { servePlane } from "./fixtures/serve-plane.ts";

/** Number of conversions of an object to the stored version, and from it. */
const counts = vi.hoisted(() => ({ toHub: 0, fromHub: 0 }));

vi.mock("../runtime/kinds/conversion/converter.ts", async (load) => {
  const real = await load<{ createConverter: typeof createConverter }>();
  return {
    ...real,
    createConverter: (...given: Parameters<typeof createConverter>) => {
      const { toHub, fromHub } = real.createConverter(...given);
      return {
        toHub: (object: Parameters<typeof toHub>[0]) => {
          counts.toHub += 1;
          return toHub(object);
        },
        fromHub: (object: Parameters<typeof fromHub>[0]) => {
          counts.fromHub += 1;
          return fromHub(object);
        },
      };
    },
  };
});

/** Stored as `autoscaling/v2`, so that a version of another shape must be converted. */
const PATH = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

const autoscaler = (name: string, maxReplicas: number) => ({
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas },
});

describe("requests for a version that is not the stored one", () => {
  const { call } = servePlane();

  const apply = (name: string, maxReplicas: number) =>
    call("PATCH", `${PATH}/${name}?fieldManager=test`, {
      body: autoscaler(name, maxReplicas),
      type: "application/apply-patch+yaml",
    });

  beforeEach(() => {
    counts.toHub = 0;
    counts.fromHub = 0;
  });

  it("convert what they create by applying once to the stored version, and once for the response", async () => {
    expect((await apply("created", 3)).status).toBe(201);
    expect(counts).toEqual({ toHub: 1, fromHub: 1 });
  });

  it("convert the live object, the applied one and the response once each", async () => {
    await apply("changed", 3);
    counts.toHub = counts.fromHub = 0;
    const { status, body } = await apply("changed", 4);
    expect([status, body.spec.maxReplicas]).toEqual([200, 4]);
    expect(counts).toEqual({ toHub: 1, fromHub: 2 });
  });

  it("convert nothing to the stored version for an apply that changes nothing", async () => {
    await apply("same", 3);
    counts.toHub = counts.fromHub = 0;
    expect((await apply("same", 3)).status).toBe(200);
    expect(counts).toEqual({ toHub: 0, fromHub: 2 });
  });

  it("convert each row of a table at most once", async () => {
    for (const name of ["row-a", "row-b"]) await apply(name, 3);
    for (const include of ["None", "Metadata", "Object"]) {
      counts.toHub = counts.fromHub = 0;
      const { body } = await call("GET", `${PATH}?includeObject=${include}`, { headers: { Accept: TABLE } });
      const rows = body.rows.length;
      expect(counts.toHub, include).toBe(0);
      expect(counts.fromHub, include).toBeLessThanOrEqual(rows);
    }
    counts.toHub = counts.fromHub = 0;
    await call("GET", `${PATH}/row-a`, { headers: { Accept: TABLE } });
    expect(counts.toHub + counts.fromHub).toBeLessThanOrEqual(1);
  });
});
