import { isDeepStrictEqual } from "node:util";
import type { Toleration } from "../../../api-definitions/core/v1/scheduling.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { asGiven } from "../../go/source-notes.ts";
import { canonicalQuantity } from "../../values/quantity.ts";
import { plainFailure } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod, ResourceList } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE, isFor } from "../requests.ts";
import { mergeTolerations } from "../tolerations.ts";

interface RuntimeClass extends ApiObject {
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: Toleration[] };
}

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** Sets the overhead and the scheduling rules of a pod's runtime class. */
export function createRuntimeClass({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const classes = { group: naming.group("node"), resource: "runtimeclasses" };

  async function classOf(request: AdmissionRequest): Promise<RuntimeClass | undefined> {
    const name = (request.object as Pod).spec.runtimeClassName;
    if (name === undefined) return undefined;
    if (name === "") throw plainFailure("resource name may not be empty");
    const found = await reader.get(classes, "", name);
    if (found === undefined) throw refuseAdmission(request, `pod rejected: RuntimeClass "${name}" not found`);
    return found;
  }

  return {
    name: "RuntimeClass",
    operations: CREATE,
    resources: new Set(["pods"]),
    async mutate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const runtimeClass = await classOf(request);
      const { spec } = request.object as Pod;
      if (runtimeClass?.overhead !== undefined) {
        const fixed = runtimeClass.overhead.podFixed;
        if (!isEmpty(spec.overhead) && !sameAmounts(spec.overhead, fixed)) throw refuseAdmission(request, MISMATCH);
        if (fixed !== undefined) spec.overhead = { ...fixed };
      }
      const scheduling = runtimeClass?.scheduling;
      if (scheduling === undefined) return;
      for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
        const own = spec.nodeSelector?.[key];
        if (own !== undefined && own !== value)
          throw refuseAdmission(
            request,
            `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
          );
        spec.nodeSelector = { ...spec.nodeSelector, [key]: value };
      }
      const tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? []);
      if (tolerations.length > 0) spec.tolerations = tolerations;
    },
    async validate(request) {
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const runtimeClass = await classOf(request);
      const { spec } = request.object as Pod;
      const overhead = asGiven(spec, "overhead");
      if (runtimeClass?.overhead !== undefined) {
        if (!sameAmounts(overhead, runtimeClass.overhead.podFixed)) throw refuseAdmission(request, MISMATCH);
      } else if (overhead !== undefined)
        throw refuseAdmission(
          request,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
        );
    },
  };
}

function isEmpty(list: ResourceList | undefined): boolean {
  return list === undefined || Object.keys(list).length === 0;
}

function sameAmounts(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const canonical = (list: ResourceList) =>
    Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, canonicalQuantity(String(amount))]));
  return isDeepStrictEqual(canonical(a), canonical(b));
}
