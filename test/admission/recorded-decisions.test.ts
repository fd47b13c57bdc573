import { describe, expect, it } from "vitest";
import { createAdmissionChain } from "../../runtime/admission/create-admission-chain.ts";
import type { Pod } from "../../runtime/admission/pod-shape.ts";
import type { AdmissionChain } from "../../runtime/contract/admission.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { StatusError } from "../../runtime/contract/status.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { recordedScenarios, type Scenario } from "../auth/recorded-answers.ts";
import { admissionRequest, environmentOver } from "./admission-requests.ts";

/** What admission sets on objects: the parts of a recorded response that can be compared before defaulting. */
const SET_BY_ADMISSION: readonly (readonly string[])[] = [
  ["metadata", "annotations"],
  ["metadata", "finalizers"],
  ["spec", "tolerations"],
  ["spec", "priority"],
  ["spec", "priorityClassName"],
  ["spec", "preemptionPolicy"],
  ["spec", "serviceAccountName"],
  ["spec", "nodeSelector"],
  ["spec", "overhead"],
  ["spec", "taints"],
  ["spec", "storageClassName"],
  ["spec", "ingressClassName"],
];
const scenarios = recordedScenarios("admission").filter(({ name }) => !/policy|webhook/.test(name));

function at(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);
}

function parsePath(path: string) {
  const [plain = ""] = path.split("?");
  const match =
    /^\/api(?:s\/([^/]+))?\/v1\/(?:namespaces\/([^/]+)\/)?([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(plain) ?? [];
  const [, group = "", namespace = "", resource = "", name = "", subresource = ""] = match;
  return { group, namespace, resource, name, subresource, dryRun: path.includes("dryRun=All") };
}

function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(target as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

/** The only default on which admission depends: requests default to limits. */
function defaultRequests({ spec }: Pod): void {
  for (const { resources } of spec.containers)
    if (resources?.limits !== undefined) resources.requests = { ...resources.limits, ...resources.requests };
}

async function play(scenario: Scenario, objects: InMemoryObjects, chain: AdmissionChain): Promise<void> {
  for (const [index, step] of scenario.steps.entries()) {
    const answer = scenario.answers[index];
    if (answer === undefined || (step.method !== "POST" && step.method !== "PATCH")) continue;
    const { group, namespace, resource, name, subresource, dryRun } = parsePath(step.path);
    const where = { group, resource };
    if (resource === "localsubjectaccessreviews" || answer.status === 422 || answer.status === 409) continue;
    const old = step.method === "PATCH" ? await objects.get(where, namespace, name) : undefined;
    if (step.method === "PATCH" && old === undefined) continue;
    const object = (old === undefined ? step.body : merge(old, step.body)) as ApiObject | undefined;
    if (resource === "pods" && old === undefined) defaultRequests(object as Pod);
    const request = admissionRequest(`${group}/${resource}/${subresource}`, object, {
      operation: old === undefined ? "CREATE" : "UPDATE",
      oldObject: old,
      namespace: resource === "namespaces" ? "" : namespace,
      name: object?.metadata?.name ?? name,
      kind: { group, version: "v1", kind: resource === "namespaces" ? "Namespace" : (object?.kind ?? "") },
      dryRun,
    });
    const what = `${scenario.name} ${index}: ${step.method} ${step.path} ${request.name}`;
    const outcome = await chain
      .mutate(request)
      .then(() => chain.validate(request))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    if (outcome !== undefined && !(outcome instanceof StatusError)) throw outcome;
    if (answer.status >= 400) {
      expect({ what, ...outcome?.status }).toMatchObject({ what, ...(answer.body as object) });
      continue;
    }
    expect({ what, refused: outcome?.message }).toEqual({ what, refused: undefined });
    const warnings = (answer.headers?.Warning ?? []).map((text) => JSON.parse(text.slice("299 - ".length)) as string);
    expect({ what, warnings: request.warnings }).toEqual({ what, warnings });
    for (const path of SET_BY_ADMISSION)
      expect({ what, path, value: at(request.object, path) }).toEqual({ what, path, value: at(answer.body, path) });
    if (dryRun) continue;
    const stored = structuredClone(answer.body) as ApiObject;
    delete stored.metadata.resourceVersion;
    await objects.seed(where, stored);
  }
}

describe.skipIf(scenarios.length === 0)("admission decides as a real server did", () => {
  for (const scenario of scenarios)
    it(scenario.name, async () => {
      const objects = new InMemoryObjects();
      const core = (resource: string) => ({ group: "", resource });
      for (const name of scenario.namespaces) {
        await objects.seed(core("namespaces"), { metadata: { name }, status: { phase: "Active" } });
        await objects.seed(core("serviceaccounts"), { metadata: { name: "default", namespace: name } });
      }
      const classes = { group: "scheduling.k8s.io", resource: "priorityclasses" };
      await objects.seed(classes, {
        metadata: { name: "system-node-critical" },
        value: 2000001000,
        preemptionPolicy: "PreemptLowerPriority",
      });
      await play(scenario, objects, createAdmissionChain({ environment: environmentOver(objects) }));
    });
});
