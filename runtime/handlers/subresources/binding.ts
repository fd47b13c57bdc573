import type { ApiObject } from "../../contract/api-object.ts";
import { type FieldError, fieldErrorText } from "../../contract/field-error.ts";
import { withMeta } from "../../kinds/change-meta.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { admitValidating, admitWritten } from "../../resource/admit.ts";
import { modifyObject } from "../../resource/modify-object.ts";
import { preconditionProblem } from "../../resource/update-object.ts";
import { requiredField, unsupportedField } from "../../values/field-errors.ts";
import { badRequest, conflict, plainFailure, success } from "../../values/status-errors.ts";
import { formatTime } from "../../values/times.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { writeRequest } from "../write-context.ts";
import { type PodStatus, replaceCondition } from "./pod-conditions.ts";
import { readPosted } from "./posted-object.ts";
import type { SubresourceContext } from "./subresource-context.ts";

interface Binding extends ApiObject {
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/**
 * POST to `pods/<name>/binding`: the scheduler assigns a pod to a node. With `loadPods`, serves the older resource `bindings`, where the
 * name of the binding is that of the pod.
 */
export function bindingHandler(context: SubresourceContext, loadPods?: () => Promise<ServedResource>) {
  return async (original: ApiRequest): Promise<Answer> => {
    const posted = await readPosted(original, context, { keepsServerMeta: loadPods === undefined });
    const { object, query, write } = posted;
    const request = loadPods === undefined ? original : { ...original, resource: await loadPods() };
    const given = request.info.name === "" ? (object.metadata.name ?? "") : request.info.name;
    const binding = (await admitWritten(write, given, object, undefined, context)) as Binding;
    const name = binding.metadata.name ?? "";
    const podName = request.info.name === "" ? name : request.info.name;
    if (name !== podName) {
      throw badRequest(`name in URL does not match name in Binding object`);
    }
    const problems = checkTarget(binding).map(fieldErrorText);
    if (problems.length > 0) {
      throw plainFailure(problems.length === 1 ? `${problems[0]}` : `[${problems.join(", ")}]`);
    }
    if (podName === "") {
      throw badRequest("Name parameter required.");
    }
    await admitValidating(write, { operation: "CREATE", name: given, object: binding }, context);
    await bind({ ...request, info: { ...request.info, name: podName } }, binding, context, query.dryRun);
    return { type: "status", status: 201, body: { ...success(), code: 201 } };
  };
}

function checkTarget({ target: { kind = "", name = "" } = {} }: Binding): FieldError[] {
  return [
    ...(kind !== "" && kind !== "Node" ? [unsupportedField("target.kind", kind, ["Node", "<empty>"])] : []),
    ...(name === "" ? [requiredField("target.name")] : []),
  ];
}

async function bind(
  request: ApiRequest,
  binding: Binding,
  context: SubresourceContext,
  dryRun: boolean,
): Promise<void> {
  const { info } = request;
  const subject = { group: "", resource: "pods/binding" };
  const write = writeRequest(request, { dryRun, fieldManager: "", options: {} });
  const assign = (pod: ApiObject): ApiObject => {
    const spec = (pod.spec ?? {}) as { nodeName?: string; schedulingGates?: readonly unknown[] };
    const key = registryKey(request.resource.stored.prefix, info.namespace, info.name);
    const problem = preconditionProblem(key, binding.metadata, pod.metadata, dryRun);
    if (problem !== undefined) throw conflict(request.resource.groupResource, info.name, problem);
    if (pod.metadata.deletionTimestamp !== undefined) {
      throw conflict(subject, info.name, `pod ${info.name} is being deleted, cannot be assigned to a host`);
    }
    if ((spec.nodeName ?? "") !== "") {
      throw conflict(subject, info.name, `pod ${info.name} is already assigned to node "${spec.nodeName}"`);
    }
    if ((spec.schedulingGates ?? []).length > 0) {
      throw conflict(subject, info.name, `pod ${info.name} has non-empty .spec.schedulingGates`);
    }
    const labels = context.featureEnabled("PodTopologyLabelsAdmission") ? binding.metadata.labels : undefined;
    return bound(pod, binding, labels, formatTime(context.now()));
  };
  await modifyObject(write, info.name, assign, context);
}

function bound(pod: ApiObject, binding: Binding, labels: ApiObject["metadata"]["labels"], now: string): ApiObject {
  const status = (pod.status ?? {}) as PodStatus;
  const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: now };
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  return {
    ...withMeta(pod, {
      annotations: Object.keys(annotations).length === 0 ? undefined : annotations,
      ...(labels !== undefined && { labels: { ...pod.metadata.labels, ...labels } }),
    }),
    spec: { ...(pod.spec as object), nodeName: binding.target?.name },
    status: { ...status, conditions: replaceCondition(status.conditions, scheduled) },
  };
}
