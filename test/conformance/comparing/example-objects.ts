import { recordedScenarios } from "../../auth/recorded-answers.ts";
import type { Parsed } from "../../fixtures/plane-client.ts";

export interface Example {
  /** Path of the list of its kind, in the namespace `default`. */
  readonly path: string;
  readonly object: Parsed;
}

const GROUPS = ["crud", "apply", "patch", "lifecycle", "admission", "golden", "rv", "invalid"];
/** Requests that create no object, and kinds that affect the server: their examples would change the responses to other requests. */
const LEFT_OUT =
  /dryRun|reviews|\/(eviction|binding|token|scale)\b|customresourcedefinitions|webhookconfigurations|apiservices|limitranges|\/namespaces$/;
const BUILT_IN = /^\/apis?\/([a-z]+\.k8s\.io|flowcontrol\.apiserver\.k8s\.io|v1|apps|batch|autoscaling|policy)\//;

/** Returns objects that a real server has accepted, each once; empty if the recordings are not available. */
export function exampleObjects(): Example[] {
  const examples = new Map<string, Example>();
  for (const { steps, answers } of GROUPS.flatMap(recordedScenarios)) {
    for (const [index, { method, path: given, body }] of steps.entries()) {
      const isCreated = method === "POST" && answers[index]?.status === 201;
      if (!isCreated || typeof body !== "object" || body === null || LEFT_OUT.test(given)) continue;
      const path = given.replace(/\?.*/, "").replace(/namespaces\/[^/]+\//, "namespaces/default/");
      if (!BUILT_IN.test(path)) continue;
      const text = JSON.stringify(body).replaceAll(/"namespace":"[^"]+"/g, '"namespace":"default"');
      const object = JSON.parse(text) as Parsed;
      if (object.metadata?.generateName !== undefined) object.metadata.generateName = undefined;
      examples.set(`${path} ${text}`, {
        path,
        object: { ...object, metadata: { name: "example", ...object.metadata } },
      });
    }
  }
  return [...examples.values()];
}
