import type { Toleration } from "../../../api-definitions/core/v1/scheduling.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import { parseJson } from "../../encoding/json/parse-json.ts";
import { plainFailure } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { isBestEffort, type Pod } from "../pod-shape.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";
import { areTolerationsAllowed, mergeTolerations } from "../tolerations.ts";

const NAMESPACES = { group: "", resource: "namespaces" };

/**
 * Adds default tolerations to new pods and rejects tolerations that are not allowed. Each of the two lists is read from an annotation of the
 * namespace; without the annotation, from the configuration of the plugin.
 */
export function createPodTolerationRestriction({
  naming,
  reader,
  settings,
  featureEnabled,
}: PluginEnvironment): AdmissionPlugin {
  const { default: defaults = [], whitelist = [] } = settings?.podTolerations ?? {};
  const annotation = (name: string) => `scheduler.alpha.${naming.vendor}.io/${name}`;

  /** Returns the tolerations in an annotation of the pod's namespace; undefined without the annotation. */
  async function fromNamespace({ namespace }: AdmissionRequest, name: string): Promise<Toleration[] | undefined> {
    const object = await reader.get(NAMESPACES, "", namespace);
    const text = object?.metadata.annotations?.[annotation(name)];
    return text === undefined ? undefined : readTolerations(text);
  }

  async function validate(request: AdmissionRequest): Promise<void> {
    const { tolerations = [] } = (request.object as Pod).spec;
    if (tolerations.length === 0) return;
    const ofNamespace = await fromNamespace(request, "tolerationsWhitelist");
    const allowed = ofNamespace ?? whitelist;
    if (allowed.length > 0 && !areTolerationsAllowed(tolerations, allowed)) {
      const scope = ofNamespace === undefined ? "cluster" : "namespace";
      throw plainFailure(
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
      );
    }
  }

  return {
    name: "PodTolerationRestriction",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    async mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const pod = request.object as Pod;
      const added =
        request.operation === "CREATE" ? ((await fromNamespace(request, "defaultTolerations")) ?? defaults) : [];
      const pressure: Toleration = {
        key: naming.key("memory-pressure", "node"),
        operator: "Exists",
        effect: "NoSchedule",
      };
      const all = isBestEffort(pod, featureEnabled) ? added : [...added, pressure];
      if (all.length > 0) pod.spec.tolerations = mergeTolerations(pod.spec.tolerations ?? [], all);
      await validate(request);
    },
    async validate(request) {
      if (isFor(request, "", "pods") && request.object !== undefined) await validate(request);
    },
  };
}

/** Parses a list of tolerations. Throws a StatusError if the JSON is invalid. */
function readTolerations(text: string): Toleration[] {
  if (text === "") return [];
  let value: unknown;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    throw plainFailure((error as Error).message);
  }
  if (value === null) return [];
  const isToleration = (one: unknown) =>
    typeof one === "object" &&
    one !== null &&
    !Array.isArray(one) &&
    Object.entries(one).every(([name, field]) => typeof field === (name === "tolerationSeconds" ? "number" : "string"));
  if (!Array.isArray(value) || !value.every(isToleration)) {
    throw plainFailure("json: cannot unmarshal the annotation into Go value of type []v1.Toleration");
  }
  return value as Toleration[];
}
