import type { createClient, Parsed } from "../../fixtures/plane-client.ts";

export type Call = ReturnType<typeof createClient>;

export const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/** Path of namespaced objects of the defined kinds, without the resource. */
export const OBJECTS = "/apis/example.com/v1/namespaces/default";

/** Returns the definition of a namespaced kind with these versions and additional spec fields. */
export function definitionWith(plural: string, kind: string, versions: readonly object[], more: object = {}) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: { group: "example.com", scope: "Namespaced", names: { plural, kind }, versions, ...more },
  };
}

/** Returns a definition with one version, v1 by default. */
export function definitionOf(plural: string, kind: string, spec: object, version: object = {}): object {
  const status = { type: "object", properties: { replicas: { type: "integer" } } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec, status } } };
  return definitionWith(plural, kind, [{ name: "v1", served: true, storage: true, schema, ...version }]);
}

/** Returns an object of a defined kind. */
export function objectOf(kind: string, name: string, spec: object, metadata: object = {}): object {
  return { apiVersion: "example.com/v1", kind, metadata: { name, ...metadata }, spec };
}

/** Creates a definition and waits until its kind is served. */
export async function define(call: Call, definition: object | string): Promise<void> {
  const created = await call("POST", DEFINITIONS, { body: definition });
  if (created.status !== 201) throw new Error(`cannot define: ${created.text}`);
  await until(call, `${DEFINITIONS}/${created.body.metadata.name}`, ({ status }) =>
    status?.conditions?.some(
      (one: { type: string; status: string }) => one.type === "Established" && one.status === "True",
    ),
  );
}

/** Repeats a request until the response satisfies the condition. */
export async function until(call: Call, path: string, holds: (body: Parsed, status: number) => unknown): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await call("GET", path);
    if (holds(answer.body ?? {}, answer.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${path} never got there`);
}
