import type { ApiObject } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import { goQuote } from "../lib/go-quote.ts";
import { type Controller, type ControllerParts, timestamp } from "./controller.ts";
import { WorkQueue } from "./work-queue.ts";

/** Who says in the status of a flow schema whether its level exists. */
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

/** What a flow schema's status says of the level it names. */
export function danglingCondition(level: string, exists: boolean, now: Date): Condition {
  const named = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;
  return {
    type: "Dangling",
    status: exists ? "False" : "True",
    lastTransitionTime: timestamp(now),
    reason: exists ? "Found" : "NotFound",
    message: exists ? `${named} and it exists` : `${named} but there is no such object`,
  };
}

/** Says of every flow schema whether the level it names exists. */
export function createFlowSchemaLevels(parts: ControllerParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "flow-schema-levels";
  const group = parts.naming.group("flowcontrol.apiserver");
  const schemas = { group, resource: "flowschemas" };
  const levels = { group, resource: "prioritylevelconfigurations" };
  const queue = new WorkQueue(sync, {
    delay: parts.delay,
    onProblem: (key, problem) => parts.onProblem?.(name, key, problem),
  });
  const stops: (() => void)[] = [];
  const known = new Set<string>();

  async function sync(key: string): Promise<undefined> {
    const schema = (await reader.get(schemas, "", key)) as FlowSchema | undefined;
    if (schema === undefined) return;
    const level = schema.spec?.priorityLevelConfiguration?.name ?? "";
    const exists = (await reader.get(levels, "", level)) !== undefined;
    const wanted = danglingCondition(level, exists, parts.now());
    const before = schema.status?.conditions?.find(({ type }) => type === wanted.type);
    if (
      before?.status === wanted.status &&
      before.reason === wanted.reason &&
      (before.message ?? "") === wanted.message
    ) {
      return;
    }
    try {
      const said = { ...schema, status: { conditions: [wanted] } };
      await writer.update(schemas, said, "status", { fieldManager: CONSUMER, applied: true });
    } catch (error) {
      // A newer state is on its way.
      if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict")) throw error;
    }
  }

  return {
    name,
    async start() {
      stops.push(
        await feed.follow(schemas, ({ type, object }) => {
          const key = object.metadata.name ?? "";
          if (type === "put") {
            known.add(key);
            queue.add(key);
          } else {
            known.delete(key);
          }
        }),
        await feed.follow(levels, () => {
          for (const key of known) queue.add(key);
        }),
      );
    },
    async stop() {
      for (const stop of stops) stop();
      await queue.stop();
    },
    settled: () => queue.settled(),
  };
}
