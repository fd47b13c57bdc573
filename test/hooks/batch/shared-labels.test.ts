import { describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";

const { call } = servePlane();

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const job = (name: string, labels?: object) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, ...(labels && { labels }) },
  spec: {
    template: {
      metadata: { labels: { a: "b" } },
      spec: { restartPolicy: "Never", containers: [{ name: "m", image: "i" }] },
    },
  },
});

describe("a job without labels", () => {
  it("has those of its template, the generated ones too", async () => {
    const { body } = await call("POST", JOBS, { body: job("bare") });
    expect(Object.keys(body.metadata.labels)).toEqual([
      "a",
      "batch.kubernetes.io/controller-uid",
      "batch.kubernetes.io/job-name",
      "controller-uid",
      "job-name",
    ]);
    expect(body.metadata.labels).toEqual(body.spec.template.metadata.labels);
    const { body: again } = await call("PATCH", `${JOBS}/bare`, { body: {}, type: "application/merge-patch+json" });
    expect(again.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  it("has them when it is applied, too", async () => {
    const path = `${JOBS}/applied?fieldManager=me`;
    const { body } = await call("PATCH", path, { body: job("applied"), type: "application/apply-patch+yaml" });
    expect(body.metadata.labels).toEqual(body.spec.template.metadata.labels);
  });

  it("does not change the labels of a job that has its own", async () => {
    const { body } = await call("POST", JOBS, { body: job("labelled", { a: "b" }) });
    expect(body.metadata.labels).toEqual({ a: "b" });
  });

  it("has them still after an update of its status that has neither them nor those of the template", async () => {
    const { body } = await call("POST", JOBS, { body: job("finished") });
    const { metadata, spec, ...rest } = job("finished");
    const bare = { ...rest, metadata, spec: { template: { spec: spec.template.spec } } };
    for (const path of [`${JOBS}/finished/status?dryRun=All`, `${JOBS}/finished/status`]) {
      const { body: updated } = await call("PUT", path, { body: bare });
      expect(updated.metadata.labels).toEqual(body.metadata.labels);
    }
  });
});
