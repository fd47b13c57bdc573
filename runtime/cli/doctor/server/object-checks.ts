import type { Naming } from "../../../contract/naming.ts";
import type { Check, Finding } from "../check.ts";
import type { ServerView } from "./server-view.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
interface WithConditions {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
interface Definition extends WithConditions {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly storage: boolean }[] };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly storedVersions?: readonly string[] };
}
interface Namespace extends WithConditions {
  readonly spec?: { readonly finalizers?: readonly string[] };
}

/** The deletion of a namespace with objects takes some time. */
const STUCK_MS = 5 * 60 * 1000;

function conditionOf({ status }: WithConditions, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Formats ` (FailedDiscoveryCheck: no response)`. */
function reasonOf({ reason = "", message = "" }: Partial<Condition> = {}): string {
  const text = [reason, message].filter((part) => part !== "").join(": ");
  return text === "" ? "" : ` (${text.replace(/\.$/, "")})`;
}

export function apiServices(naming: Naming): Check<ServerView> {
  return {
    name: "api-services",
    looksAt: "APIServices that are not available",
    async run(server) {
      const services = await server.listIfServed<WithConditions>(
        `/apis/${naming.group("apiregistration")}/v1/apiservices`,
      );
      return services.flatMap((service): Finding[] => {
        const available = conditionOf(service, "Available");
        if (available === undefined || available.status === "True") return [];
        return [
          {
            severity: "error",
            finding: `The APIService ${service.metadata.name} is not available${reasonOf(available)}.`,
            advice: "Start its server, or delete the APIService: docs/operations/api-service-unavailable.md.",
          },
        ];
      });
    },
  };
}

export function definitions(naming: Naming): Check<ServerView> {
  return {
    name: "definitions",
    looksAt: "CustomResourceDefinitions that are not served, not structural or stuck in deletion",
    async run(server) {
      const found = await server.listIfServed<Definition>(
        `/apis/${naming.group("apiextensions")}/v1/customresourcedefinitions`,
      );
      return found.flatMap((definition) => troubleOfDefinition(definition, server.now().getTime()));
    },
  };
}

function troubleOfDefinition(definition: Definition, now: number): Finding[] {
  const { name, deletionTimestamp } = definition.metadata;
  const findings: Finding[] = [];
  const names = conditionOf(definition, "NamesAccepted");
  const established = conditionOf(definition, "Established");
  if (names?.status === "False")
    findings.push({
      severity: "error",
      finding: `The names of the CustomResourceDefinition ${name} are not accepted${reasonOf(names)}.`,
      advice: "Another definition has one of its names: change or delete one of the two.",
    });
  else if (established?.status !== "True")
    findings.push({
      severity: "error",
      finding: `The CustomResourceDefinition ${name} is not established, so its kind is not served${reasonOf(established)}.`,
      advice: "Wait a few seconds if it is new. Otherwise check its status and the log of the server.",
    });
  const structure = conditionOf(definition, "NonStructuralSchema");
  if (structure?.status === "True")
    findings.push({
      severity: "warning",
      finding: `The schema of the CustomResourceDefinition ${name} is not structural${reasonOf(structure)}.`,
      advice: "Correct the schema: unknown fields are not pruned and defaults are not set until then.",
    });
  const approval = conditionOf(definition, "KubernetesAPIApprovalPolicyConformant");
  if (approval?.status === "False")
    findings.push({
      severity: "warning",
      finding: `The CustomResourceDefinition ${name} uses a protected group${reasonOf(approval)}.`,
      advice: "Use a group of your own domain.",
    });
  if (deletionTimestamp !== undefined && now - Date.parse(deletionTimestamp) > STUCK_MS)
    findings.push({
      severity: "warning",
      finding: `The CustomResourceDefinition ${name} has been in deletion since ${deletionTimestamp}${reasonOf(conditionOf(definition, "Terminating"))}.`,
      advice: "Look for objects of its kind whose finalizers no controller removes: kubectl get <kind> -A -o yaml.",
    });
  return findings;
}

export function storedVersions(naming: Naming): Check<ServerView> {
  return {
    name: "stored-versions",
    looksAt: "CustomResourceDefinitions with objects that may be stored in an older version",
    async run(server) {
      const found = await server.listIfServed<Definition>(
        `/apis/${naming.group("apiextensions")}/v1/customresourcedefinitions`,
      );
      return found.flatMap(({ metadata, spec, status }): Finding[] => {
        const storage = spec.versions.find((version) => version.storage)?.name;
        const older = (status?.storedVersions ?? []).filter((version) => version !== storage);
        if (older.length === 0) return [];
        return [
          {
            severity: "warning",
            finding: `Objects of ${metadata.name} may still be stored in ${older.join(", ")}; the storage version is ${storage}.`,
            advice:
              "Run typeplane migrate-storage, which also removes the older versions from status.storedVersions; until then they must stay in spec.versions.",
          },
        ];
      });
    },
  };
}

export const namespaces: Check<ServerView> = {
  name: "namespaces",
  looksAt: "namespaces that are stuck in Terminating, and why",
  async run(server) {
    const now = server.now().getTime();
    const all = await server.list<Namespace>("/api/v1/namespaces");
    return all.flatMap((namespace): Finding[] => {
      const { name, deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp === undefined || now - Date.parse(deletionTimestamp) < STUCK_MS) return [];
      const reasons = (namespace.status?.conditions ?? [])
        .filter(({ status }) => status === "True")
        .map(({ type, message = "" }) => `${type}: ${message}`);
      const left = namespace.spec?.finalizers ?? [];
      const why = reasons.length > 0 ? reasons.join("; ") : `finalizers left: ${left.join(", ") || "none"}`;
      return [
        {
          severity: "warning",
          finding: `The namespace ${name} has been Terminating since ${deletionTimestamp} (${why.replace(/\.$/, "")}).`,
          advice: adviceFor(reasons.join(" ")),
        },
      ];
    });
  },
};

function adviceFor(reasons: string): string {
  if (/Discovery|GroupVersion/.test(reasons))
    return "Repair or delete the APIService that does not respond: docs/operations/api-service-unavailable.md.";
  if (/FinalizersRemaining/.test(reasons))
    return "Start the controllers that own these finalizers, or remove the finalizers from the objects by hand.";
  return "Check the conditions of the namespace, and whether controllers run (--controllers).";
}
