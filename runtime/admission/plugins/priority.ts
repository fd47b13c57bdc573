import type { PriorityClass as PriorityClassKind } from "../../../api-definitions/scheduling/v1/priority-class.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ObjectOf } from "../../contract/api-object.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { isFor, WRITES } from "../requests.ts";

type PriorityClass = ObjectOf<PriorityClassKind>;

/** Priority classes that system components use. */
const SYSTEM_CLASSES = new Set(["system-node-critical", "system-cluster-critical"]);

/** Sets the priority of a pod from its priority class. Allows only one default class. */
export function createPriority({ naming, reader }: PluginEnvironment): AdmissionPlugin {
  const classes = { group: naming.group("scheduling"), resource: "priorityclasses" };

  /** Returns the default class. If there are several, returns the one with the lowest value. */
  async function defaultClass(): Promise<PriorityClass | undefined> {
    const all = (await reader.list(classes)) as readonly PriorityClass[];
    return all
      .filter((each) => each.globalDefault)
      .reduce<PriorityClass | undefined>(
        (least, each) => (least === undefined || (least.value ?? 0) > (each.value ?? 0) ? each : least),
        undefined,
      );
  }

  async function classOf(request: AdmissionRequest, pod: Pod): Promise<PriorityClass> {
    const name = pod.spec.priorityClassName;
    if (!name) return (await defaultClass()) ?? { metadata: {}, value: 0, preemptionPolicy: "PreemptLowerPriority" };
    const found = (await reader.get(classes, "", name)) as PriorityClass | undefined;
    if (found === undefined) throw refuseAdmission(request, `no PriorityClass with name ${name} was found`);
    return found;
  }

  async function resolve(request: AdmissionRequest, pod: Pod): Promise<void> {
    const { metadata, value = 0, preemptionPolicy } = await classOf(request, pod);
    if (!pod.spec.priorityClassName && metadata.name !== undefined) pod.spec.priorityClassName = metadata.name;
    if (pod.spec.priority !== undefined && pod.spec.priority !== value)
      throw refuseAdmission(
        request,
        `the integer value of priority (${pod.spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    pod.spec.priority = value;
    if (preemptionPolicy === undefined) return;
    if (pod.spec.preemptionPolicy !== undefined && pod.spec.preemptionPolicy !== preemptionPolicy)
      throw refuseAdmission(
        request,
        `the string value of PreemptionPolicy (${pod.spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
      );
    pod.spec.preemptionPolicy = preemptionPolicy;
  }

  return {
    name: "Priority",
    operations: WRITES,
    resources: new Set(["pods", "priorityclasses"]),
    async mutate(request) {
      const isClass = isFor(request, classes.group, classes.resource);
      if (isClass && request.operation === "DELETE" && SYSTEM_CLASSES.has(request.name))
        throw refuseAdmission(request, "this is a system priority class and cannot be deleted");
      if (!isFor(request, "", "pods") || request.object === undefined) return;
      const pod = request.object as Pod;
      if (request.operation === "CREATE") return resolve(request, pod);
      const old = (request.oldObject as Pod | undefined)?.spec;
      if (old?.priority !== undefined) pod.spec.priority ??= old.priority;
      if (old?.preemptionPolicy !== undefined) pod.spec.preemptionPolicy ??= old.preemptionPolicy;
    },
    async validate(request) {
      if (!isFor(request, classes.group, classes.resource) || request.operation === "DELETE") return;
      const { globalDefault, metadata } = (request.object ?? { metadata: {} }) as PriorityClass;
      if (!globalDefault) return;
      const other = await defaultClass();
      if (other === undefined) return;
      if (request.operation === "UPDATE" && other.metadata.name === metadata.name) return;
      throw refuseAdmission(
        request,
        `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
      );
    },
  };
}
