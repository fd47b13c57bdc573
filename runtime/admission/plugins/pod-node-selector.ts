import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import { checkLabelValue, checkQualifiedName } from "../../values/names.ts";
import { forbidden, internalError, plainFailure } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { CREATE, isFor } from "../requests.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
const PODS = { group: "", resource: "pods" };
/** Key of the node selector for namespaces without an annotation. */
const CLUSTER_DEFAULT = "clusterDefaultNodeSelector";

type Labels = ReadonlyMap<string, string>;

/**
 * Adds the node selector of the namespace to new pods: that of its annotation, or the configured default. Rejects pods whose own selector conflicts
 * with it, or contains labels that the configuration does not allow in the namespace.
 */
export function createPodNodeSelector({ naming, reader, settings }: PluginEnvironment): AdmissionPlugin {
  const configured = new Map(Object.entries(settings?.podNodeSelectors ?? {}));
  const annotation = `scheduler.alpha.${naming.vendor}.io/node-selector`;

  async function selectorOfNamespace(namespace: string): Promise<Labels> {
    const object = await reader.get(NAMESPACES, "", namespace);
    if (object === undefined) throw internalError(`namespace ${namespace} does not exist`);
    return parseLabels(object.metadata.annotations?.[annotation] ?? configured.get(CLUSTER_DEFAULT) ?? "");
  }

  async function check(request: AdmissionRequest): Promise<Labels> {
    const pod = request.object as Pod;
    const refuse = (problem: string) => forbidden(PODS, pod.metadata.name ?? "", problem);
    const required = await selectorOfNamespace(request.namespace);
    const own = Object.entries(pod.spec.nodeSelector ?? {});
    if (own.some(([key, value]) => required.has(key) && required.get(key) !== value)) {
      throw refuse("pod node label selector conflicts with its namespace node label selector");
    }
    return required;
  }

  async function validate(request: AdmissionRequest): Promise<void> {
    await check(request);
    const pod = request.object as Pod;
    const allowed = parseLabels(configured.get(request.namespace) ?? "");
    const selector = Object.entries(pod.spec.nodeSelector ?? {});
    if (allowed.size > 0 && selector.some(([key, value]) => allowed.get(key) !== value)) {
      const problem = "pod node label selector labels conflict with its namespace whitelist";
      throw forbidden(PODS, pod.metadata.name ?? "", problem);
    }
  }

  return {
    name: "PodNodeSelector",
    operations: CREATE,
    resources: new Set(["pods"]),
    async mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const { spec } = request.object as Pod;
      const required = await check(request);
      if (required.size > 0) spec.nodeSelector = { ...Object.fromEntries(required), ...spec.nodeSelector };
      await validate(request);
    },
    async validate(request) {
      if (isFor(request, "", "pods") && request.object !== undefined) await validate(request);
    },
  };
}

/** Parses the labels of a selector `a=b,c=d`. Throws a StatusError for other syntax. */
function parseLabels(selector: string): Labels {
  const labels = new Map<string, string>();
  if (selector === "") return labels;
  for (const term of selector.split(",")) {
    const parts = term.split("=");
    if (parts.length !== 2) throw plainFailure(`invalid selector: [${parts.join(" ")}]`);
    const [key = "", value = ""] = parts.map((part) => part.trim());
    const problems = [...checkQualifiedName(key), ...checkLabelValue(value)];
    if (problems.length > 0) throw plainFailure(`invalid selector: ${JSON.stringify(term)}: ${problems.join("; ")}`);
    labels.set(key, value);
  }
  return labels;
}
