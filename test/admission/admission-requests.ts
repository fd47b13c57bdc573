import type { PluginEnvironment } from "../../runtime/admission/plugin-environment.ts";
import type { AdmissionRequest, MutationRound } from "../../runtime/contract/admission.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { Authorizer } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";

export const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });

export const FIRST_ROUND: MutationRound = { number: 0, repeat: () => undefined, memory: new Map() };

export const admin = { name: "admin", groups: ["system:masters", "system:authenticated"] };

/** Returns the environment of plugins in tests: a fixed clock, ascending name suffixes, and an authorizer that allows everything. */
export function environmentOver(
  objects: InMemoryObjects,
  overrides: Partial<PluginEnvironment> = {},
): PluginEnvironment {
  let count = 0;
  const authorizer: Authorizer = { authorize: () => ({ decision: "allow", reason: "" }) };
  return {
    naming,
    reader: objects,
    writer: objects,
    authorizer,
    now: () => new Date("2026-01-01T00:00:00Z"),
    delay: async () => {},
    randomSuffix: () => `abcd${count++}`,
    featureEnabled: () => false,
    ...overrides,
  };
}

type Parts = Partial<Omit<AdmissionRequest, "resource" | "object">>;

/** Creates a request for `group/resource` or `group/resource/subresource`. Collects warnings and annotations. */
export function admissionRequest(
  target: string,
  object: object | undefined,
  parts: Parts = {},
): AdmissionRequest & { readonly warnings: string[]; readonly annotations: Record<string, string> } {
  const [group = "", resource = "", subresource = ""] = target.split("/");
  const warnings: string[] = [];
  const annotations: Record<string, string> = {};
  const typed = object === undefined ? undefined : ({ metadata: {}, ...structuredClone(object) } as ApiObject);
  const requested = {
    resource: { group, version: "v1", resource },
    kind: { group, version: "v1", kind: typed?.kind ?? "" },
  };
  return {
    operation: "CREATE",
    ...requested,
    requested,
    subresource,
    namespace: "default",
    name: typed?.metadata.name ?? "",
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: admin,
    ...parts,
    object: typed,
    warnings,
    annotations,
    warn: (message) => warnings.push(message),
    annotate: (key, value) => {
      annotations[key] = value;
    },
    waited: () => undefined,
  };
}

export const core = (resource: string) => ({ group: "", resource });

export const pod = (spec: object = {}, metadata: object = {}) => ({
  kind: "Pod",
  metadata: { name: "p", ...metadata },
  spec: { containers: [{ name: "main" }], ...spec },
});

/** Returns the objects of a new cluster: a namespace and its service account. */
export async function firstObjects(): Promise<InMemoryObjects> {
  const objects = new InMemoryObjects();
  await objects.seed(core("namespaces"), { metadata: { name: "default" }, status: { phase: "Active" } });
  await objects.seed(core("serviceaccounts"), { metadata: { name: "default", namespace: "default" } });
  return objects;
}
