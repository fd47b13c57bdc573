import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();
const V1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const V2 = V1.replace("/v1/", "/v2/");
const CPU = [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }];

let made = 0;
async function create(annotation: string, value: unknown) {
  const name = `scaler-${made++}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const metadata = { name, annotations: { [`autoscaling.alpha.kubernetes.io/${annotation}`]: text } };
  const spec = { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 3 };
  const { status, body } = await call("POST", V1, { body: { metadata, spec } });
  return { status, message: body.message, spec: (await call("GET", `${V2}/${name}`)).body.spec };
}

describe("annotations of an autoscaling/v1 HorizontalPodAutoscaler", () => {
  it.each<[annotation: string, value: unknown]>([
    ["metrics", "no JSON"],
    ["metrics", {}],
    ["metrics", [1]],
    ["metrics", [{ type: 5 }]],
    ["metrics", [{ type: "Pods", pods: { metricName: "a", targetAverageValue: "many" } }]],
    ["metrics", [{ type: "Resource", resource: { name: "memory", targetAverageUtilization: "50" } }]],
    ["metrics", [{ type: "Resource", resource: { name: "memory", targetAverageUtilization: 2 ** 31 } }]],
    ["behavior", { ScaleUp: { Policies: 5 } }],
    ["behavior", { ScaleUp: { Policies: [{ Type: "Pods", Value: 1.5, PeriodSeconds: 15 }] } }],
    ["behavior", { ScaleUp: { StabilizationWindowSeconds: "5" } }],
    ["behavior", null],
    ["conditions", [{ type: 5 }]],
    ["conditions", [{ type: "A", status: "True", lastTransitionTime: "now" }]],
    ["current-metrics", [{ type: "Pods", pods: [] }]],
  ])("are ignored if they cannot be decoded: %s %j", async (annotation, value) => {
    expect(await create(annotation, value)).toEqual({
      status: 201,
      message: undefined,
      spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, minReplicas: 1, maxReplicas: 3, metrics: CPU },
    });
  });

  it("have zero values for null and for what is missing", async () => {
    expect((await create("metrics", [null])).message).toContain(
      "spec.metrics[0].type: Required value: must specify a metric source type",
    );
    const object = { type: "Object", object: { target: { kind: "Service", name: "a" }, metricName: "hits" } };
    expect((await create("metrics", [object])).message).toContain(
      "spec.metrics[0].object.target.value: Invalid value: ",
    );
    expect(await create("conditions", [null])).toMatchObject({ status: 201, spec: { metrics: CPU } });
    expect(await create("current-metrics", [null])).toMatchObject({ status: 201, spec: { metrics: CPU } });
    expect((await create("behavior", { ScaleUp: { Policies: [null] } })).message).toContain(
      'spec.behavior.scaleUp.policies[0].type: Unsupported value: ""',
    );
  });

  it("may have names of fields in any case", async () => {
    const pods = { MetricName: "hits", targetaveragevalue: "5000m" };
    expect((await create("metrics", [{ Type: "Pods", PODS: pods }])).spec.metrics).toEqual([
      { type: "Pods", pods: { metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "5" } } },
    ]);
    const policies = [{ type: "Pods", value: 1, periodSeconds: 15 }];
    expect((await create("behavior", { scaleup: { selectpolicy: "Min", policies } })).spec.behavior.scaleUp).toEqual({
      stabilizationWindowSeconds: 0,
      selectPolicy: "Min",
      policies,
    });
  });

  it("get no default policies", async () => {
    const { message } = await create("behavior", { ScaleUp: { SelectPolicy: "Max" }, ScaleDown: null });
    expect(message).toContain("spec.behavior.scaleUp.policies: Required value: must specify at least one Policy");
  });
});

describe("the annotation of current metrics", () => {
  const CURRENT = "autoscaling.alpha.kubernetes.io/current-metrics";
  const kind = { spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 3 } };
  const counts = { currentReplicas: 1, desiredReplicas: 1 };

  it("decides about the CPU utilization of a status, whatever its field says", async () => {
    const used = [
      { type: "Resource", resource: { name: "cpu", currentAverageUtilization: 30, currentAverageValue: "0" } },
    ];
    const metadata = { name: "annotated", annotations: { [CURRENT]: JSON.stringify(used) } };
    await call("POST", V1, { body: { metadata: { name: "annotated" }, ...kind } });
    for (const status of [{ ...counts, currentCPUUtilizationPercentage: 50 }, counts]) {
      const { body } = await call("PUT", `${V1}/annotated/status`, { body: { metadata, ...kind, status } });
      expect(body.status).toEqual({ ...counts, currentCPUUtilizationPercentage: 30 });
      expect((await call("GET", `${V2}/annotated`)).body.metadata.annotations).toBe(undefined);
    }
  });
});
