import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import { hasReason } from "../../contract/status.ts";
import { parseGoBool } from "../../go/bool.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { CONSUMER, danglingCondition } from "../flow-schema-levels.ts";
import type { BootstrapObject, EnsureParts } from "./bootstrap-object.ts";

const PRODUCER = { fieldManager: "api-priority-and-fairness-config-producer-v1" };
const AS_CONSUMER = { fieldManager: CONSUMER, applied: true };

/** Priority levels: shares, lendable percentage, and the number of queues with the hand size. A level without queues rejects excess requests. */
const LEVELS: Readonly<Record<string, { shares: number; lendable: number; queues?: number; hand?: number }>> = {
  "catch-all": { shares: 5, lendable: 0 },
  "global-default": { shares: 20, lendable: 50, queues: 128, hand: 6 },
  "leader-election": { shares: 10, lendable: 0, queues: 16, hand: 4 },
  "node-high": { shares: 40, lendable: 25, queues: 64, hand: 6 },
  system: { shares: 30, lendable: 33, queues: 64, hand: 6 },
  "workload-high": { shares: 40, lendable: 50, queues: 128, hand: 6 },
  "workload-low": { shares: 100, lendable: 90, queues: 128, hand: 6 },
};

interface Flow {
  readonly level: string;
  readonly precedence: number;
  readonly by?: "ByUser" | "ByNamespace";
  /** `user:…`, `group:…`, or `sa:…` for a service account in kube-system. */
  readonly subjects: readonly string[];
  /** `verbs | groups | resources`, followed by `| cluster` if cluster-scoped requests match too; `everything`; `get | paths`. */
  readonly rules: readonly string[];
}

const EVERYTHING = ["* | * | * | cluster", "* | *"];
const LEASES = "get create update | coordination.{domain} | leases";

const FLOWS: Readonly<Record<string, Flow>> = {
  exempt: { level: "exempt", precedence: 1, subjects: ["group:system:masters"], rules: EVERYTHING },
  probes: {
    level: "exempt",
    precedence: 2,
    subjects: ["group:system:unauthenticated", "group:system:authenticated"],
    rules: ["get | /healthz /readyz /livez"],
  },
  "system-leader-election": {
    level: "leader-election",
    precedence: 100,
    by: "ByUser",
    subjects: ["user:system:kube-controller-manager", "user:system:kube-scheduler", "sa:*"],
    rules: [LEASES],
  },
  "endpoint-controller": {
    level: "workload-high",
    precedence: 150,
    by: "ByUser",
    subjects: ["user:system:kube-controller-manager", "sa:endpoint-controller", "sa:endpointslicemirroring-controller"],
    rules: ["get create update | core | endpoints"],
  },
  "workload-leader-election": {
    level: "leader-election",
    precedence: 200,
    by: "ByUser",
    subjects: ["sa:*"],
    rules: ["get create update | core | endpoints configmaps", LEASES],
  },
  "system-node-high": {
    level: "node-high",
    precedence: 400,
    by: "ByUser",
    subjects: ["group:system:nodes"],
    rules: ["* | core | nodes nodes/status | cluster", "* | coordination.{domain} | leases"],
  },
  "system-nodes": {
    level: "system",
    precedence: 500,
    by: "ByUser",
    subjects: ["group:system:nodes"],
    rules: EVERYTHING,
  },
  "kube-controller-manager": {
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: ["user:system:kube-controller-manager"],
    rules: EVERYTHING,
  },
  "kube-scheduler": {
    level: "workload-high",
    precedence: 800,
    by: "ByNamespace",
    subjects: ["user:system:kube-scheduler"],
    rules: EVERYTHING,
  },
  "kube-system-service-accounts": {
    level: "workload-high",
    precedence: 900,
    by: "ByNamespace",
    subjects: ["sa:*"],
    rules: EVERYTHING,
  },
  "service-accounts": {
    level: "workload-low",
    precedence: 9000,
    by: "ByUser",
    subjects: ["group:system:serviceaccounts"],
    rules: EVERYTHING,
  },
  "global-default": {
    level: "global-default",
    precedence: 9900,
    by: "ByUser",
    subjects: ["group:system:unauthenticated", "group:system:authenticated"],
    rules: EVERYTHING,
  },
  "catch-all": {
    level: "catch-all",
    precedence: 10_000,
    by: "ByUser",
    subjects: ["group:system:unauthenticated", "group:system:authenticated"],
    rules: EVERYTHING,
  },
};

/** Returns the default priority levels and flow schemas. */
export function defaultFlowControl(naming: Naming, now: Date): BootstrapObject[] {
  const group = naming.group("flowcontrol.apiserver");
  const apiVersion = `${group}/v1`;
  const updateKey = updateAnnotation(naming);
  const annotations = { [updateKey]: "true" };
  const level = (name: string, spec: Record<string, unknown>): BootstrapObject => ({
    resource: { group, resource: "prioritylevelconfigurations" },
    object: { apiVersion, kind: "PriorityLevelConfiguration", metadata: { name, annotations }, spec, status: {} },
    as: PRODUCER,
    repair: (stored) => repairSpec(stored, name, spec, updateKey),
  });
  const levels = Object.entries(LEVELS).map(([name, { shares, lendable, queues, hand }]) =>
    level(name, {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: shares,
        limitResponse:
          queues === undefined
            ? { type: "Reject" }
            : { type: "Queue", queuing: { queues, handSize: hand, queueLengthLimit: 50 } },
        lendablePercent: lendable,
      },
    }),
  );
  const exempt = level("exempt", { type: "Exempt", exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } });
  const flows = Object.entries(FLOWS).map(([name, flow]): BootstrapObject => {
    const spec = {
      priorityLevelConfiguration: { name: flow.level },
      matchingPrecedence: flow.precedence,
      ...(flow.by !== undefined && { distinguisherMethod: { type: flow.by } }),
      rules: [rulesOf(flow, naming)],
    };
    return {
      resource: { group, resource: "flowschemas" },
      object: { apiVersion, kind: "FlowSchema", metadata: { name, annotations }, spec, status: {} },
      as: PRODUCER,
      status: { value: { conditions: [danglingCondition(flow.level, true, now)] }, as: AS_CONSUMER },
      repair: (stored) => repairSpec(stored, name, spec, updateKey),
    };
  });
  return [exempt, ...levels, ...flows];
}

/** Deletes the objects of former releases: those that are annotated for automatic updates and no longer wanted. */
export async function deleteFormerFlowControl(naming: Naming, now: Date, parts: EnsureParts): Promise<void> {
  const { reader, writer } = parts;
  const wanted = defaultFlowControl(naming, now);
  const group = naming.group("flowcontrol.apiserver");
  for (const resource of ["flowschemas", "prioritylevelconfigurations"]) {
    const names = new Set(wanted.filter((each) => each.resource.resource === resource).map(nameOf));
    for (const { metadata } of await reader.list({ group, resource })) {
      const { name = "", annotations = {} } = metadata;
      if (names.has(name) || parseGoBool(annotations[updateAnnotation(naming)] ?? "") !== true) continue;
      await writer.delete({ group, resource }, "", name).catch((error: unknown) => {
        if (!hasReason(error, "NotFound")) throw error;
      });
    }
  }
}

const nameOf = ({ object }: BootstrapObject): string => object.metadata.name ?? "";

const updateAnnotation = (naming: Naming): string => naming.key("autoupdate-spec", "apf");

const MANDATORY = new Set(["exempt", "catch-all"]);

/**
 * Restores the spec of a mandatory object. Also restores that of a suggested one, unless its annotation says that administrators manage it. Without a
 * valid annotation, a suggested object is restored if its spec was never changed. Sets the annotation to the decision.
 */
function repairSpec(stored: ApiObject, name: string, spec: object, key: string): ApiObject {
  const { annotations = {}, generation } = stored.metadata;
  const asked = parseGoBool(annotations[key] ?? "");
  const updates = MANDATORY.has(name) || (asked ?? generation === 1);
  const { exempt } = (stored.spec ?? {}) as { readonly exempt?: unknown };
  // Administrators choose the shares of the exempt level.
  const wanted = exempt !== undefined && "exempt" in spec ? { ...spec, exempt } : spec;
  const isStale = updates && !equalJson(stored.spec, wanted);
  if (!isStale && asked === updates) return stored;
  return {
    ...stored,
    metadata: { ...stored.metadata, annotations: { ...annotations, [key]: String(updates) } },
    ...(isStale && { spec: wanted }),
  };
}

function rulesOf({ subjects, rules }: Flow, naming: Naming): Record<string, unknown> {
  const parsed = rules.map((rule) =>
    rule.split(" | ").map((section) => section.replaceAll("{domain}", naming.domain).split(" ")),
  );
  const resourceRules = parsed
    .filter((sections) => sections.length > 2)
    .map(([verbs, groups = [], resources, scope]) => ({
      verbs,
      apiGroups: groups.map((group) => (group === "core" ? "" : group)),
      resources,
      ...(scope !== undefined && { clusterScope: true }),
      namespaces: ["*"],
    }));
  const nonResourceRules = parsed
    .filter((sections) => sections.length === 2)
    .map(([verbs, nonResourceURLs]) => ({ verbs, nonResourceURLs }));
  return {
    subjects: subjects.map(subjectOf),
    ...(resourceRules.length > 0 && { resourceRules }),
    ...(nonResourceRules.length > 0 && { nonResourceRules }),
  };
}

function subjectOf(text: string): Record<string, unknown> {
  const [, form, name] = /^(user|group|sa):(.+)$/.exec(text) ?? [];
  if (form === "user") return { kind: "User", user: { name } };
  if (form === "group") return { kind: "Group", group: { name } };
  return { kind: "ServiceAccount", serviceAccount: { namespace: "kube-system", name } };
}
