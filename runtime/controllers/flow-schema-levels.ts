import type { ApiObject } from "../contract/api-object.ts";
import { goQuote } from "../go/quote.ts";
import { formatTime } from "../values/times.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { createStatusController } from "./status-controller.ts";

/** Field manager of the `Dangling` condition in the status of FlowSchemas. */
export const CONSUMER = "api-priority-and-fairness-config-consumer-v1";

interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

interface FlowSchema extends ApiObject {
  readonly spec?: { readonly priorityLevelConfiguration?: { readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Partial<Condition>[] };
}

/** Returns the condition of a FlowSchema that reports whether its priority level exists. */
export function danglingCondition(level: string, exists: boolean, now: Date): Condition {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
  return {
    type: "Dangling",
    status: exists ? "False" : "True",
    lastTransitionTime: formatTime(now),
    reason: exists ? "Found" : "NotFound",
    message: exists ? `${named} and it exists` : `${named} but there is no such object`,
  };
}

/** Maintains the condition `Dangling` of FlowSchemas, which reports whether their priority level exists. */
export function createFlowSchemaLevels(parts: ControllerParts): Controller {
  const group = parts.naming.group("flowcontrol.apiserver");
  const levels = { group, resource: "prioritylevelconfigurations" };
  return createStatusController<FlowSchema>(parts, {
    name: "flow-schema-levels",
    subject: { group, resource: "flowschemas" },
    dependsOn: levels,
    as: { fieldManager: CONSUMER, applied: true },
    async statusOf({ spec, status }) {
      const level = spec?.priorityLevelConfiguration?.name ?? "";
      const exists = (await parts.reader.get(levels, "", level)) !== undefined;
      const wanted = danglingCondition(level, exists, parts.now());
      const before = status?.conditions?.find(({ type }) => type === wanted.type);
      const isSaid =
        before?.status === wanted.status &&
        before.reason === wanted.reason &&
        (before.message ?? "") === wanted.message;
      return isSaid ? undefined : { conditions: [wanted] };
    },
  });
}
