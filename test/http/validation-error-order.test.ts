import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "m", image: "" }] } };
const selector = { matchLabels: { a: "b" } };

/** Returns the fields for which a new object is rejected, in the order of the errors. */
async function fieldsOf(path: string, spec: object): Promise<string[]> {
  const { body } = await call("POST", path, { body: { metadata: { name: "n" }, spec } });
  const { causes } = body.details as { causes: { field: string }[] };
  return causes.map(({ field }) =>
    field.replace(/^spec\.(?:jobTemplate\.spec)?/, (found) => (found === "spec." ? "" : "jobTemplate")),
  );
}

describe("validation errors of a new object", () => {
  const IMAGE = "template.spec.containers[0].image";

  it("are in the order of Kubernetes for DaemonSets, Deployments and StatefulSets", async () => {
    const APPS = "/apis/apps/v1/namespaces/default";
    const amounts = { minReadySeconds: -1, revisionHistoryLimit: -1 };
    const updateStrategy = { type: "odd" };
    expect(await fieldsOf(`${APPS}/daemonsets`, { selector, template, ...amounts, updateStrategy })).toEqual([
      IMAGE,
      "minReadySeconds",
      "updateStrategy",
      "revisionHistoryLimit",
    ]);
    const deployment = { selector, template, ...amounts, replicas: -1, strategy: { type: "odd" } };
    expect(await fieldsOf(`${APPS}/deployments`, deployment)).toEqual([
      "replicas",
      IMAGE,
      "strategy",
      "minReadySeconds",
      "revisionHistoryLimit",
    ]);
    const set = { selector, template, replicas: -1, minReadySeconds: -1, podManagementPolicy: "odd" };
    // The containers of a StatefulSet are not validated before it creates pods.
    expect(await fieldsOf(`${APPS}/statefulsets`, set)).toEqual(["podManagementPolicy", "replicas", "minReadySeconds"]);
  });

  it("are in the order of Kubernetes for ReplicationControllers and CronJobs", async () => {
    const controllers = "/api/v1/namespaces/default/replicationcontrollers";
    const controller = { selector: { z: "z" }, template, replicas: -1, minReadySeconds: -1 };
    expect(await fieldsOf(controllers, controller)).toEqual([
      "minReadySeconds",
      "replicas",
      "template.metadata.labels",
      IMAGE,
    ]);
    const jobs = { parallelism: -1, ttlSecondsAfterFinished: -1, template };
    const cronJob = { schedule: "", startingDeadlineSeconds: -1, failedJobsHistoryLimit: -1, concurrencyPolicy: "odd" };
    const path = "/apis/batch/v1/namespaces/default/cronjobs";
    expect(await fieldsOf(path, { ...cronJob, jobTemplate: { spec: jobs } })).toEqual([
      "schedule",
      "startingDeadlineSeconds",
      "concurrencyPolicy",
      "jobTemplate.parallelism",
      "jobTemplate.ttlSecondsAfterFinished",
      "jobTemplate.template.spec.containers[0].image",
      "jobTemplate.template.spec.restartPolicy",
      "failedJobsHistoryLimit",
    ]);
  });
});

describe("validation of a CronJob", () => {
  it("reports startingDeadlineSeconds before timeZone", async () => {
    const jobTemplate = { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } };
    const spec = { schedule: "* * * * *", timeZone: "Nowhere/Odd", startingDeadlineSeconds: -1, jobTemplate };
    const fields = await fieldsOf("/apis/batch/v1/namespaces/default/cronjobs", spec);
    expect(fields.slice(0, 2)).toEqual(["startingDeadlineSeconds", "timeZone"]);
  });
});
