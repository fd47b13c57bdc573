import type { APIService, APIServiceCondition } from "../../api-definitions/apiregistration/v1/api-service.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import { WorkQueue } from "../lib/work-queue.ts";
import { formatTime } from "../values/times.ts";
import { type Controller, type ControllerParts, queueOptions } from "./controller.ts";

type ApiService = ObjectOf<APIService>;

/** The Available condition of an APIService. */
type Verdict = Pick<APIServiceCondition, "status" | "reason" | "message">;

export interface AvailabilityParts extends ControllerParts {
  /** Calls `look` for existing APIServices with a Service, whenever their Service or server changes, and for local ones with a wrong condition. */
  readonly follow: (look: (name: string) => void) => void;
  readonly judge: (registered: ApiObject) => Promise<Verdict>;
}

/** Interval between checks of a server, and the longest backoff. A failing server is retried earlier, with exponential backoff. */
const LOOK_AGAIN_MS = 30_000;
const FIRST_RETRY_MS = 5;
const FAILED_CHECK = "FailedDiscoveryCheck";
const AT_A_TIME = 5;

/** Sets the Available condition of every APIService. */
export function createApiServiceAvailability(parts: AvailabilityParts): Controller {
  const { reader, writer } = parts;
  const name = "apiservice-availability";
  const resource = { group: parts.naming.group("apiregistration"), resource: "apiservices" };
  const failures = new Map<string, number>();
  const queue = new WorkQueue(look, { ...queueOptions(name, parts), concurrency: AT_A_TIME });

  async function look(key: string): Promise<number | undefined> {
    const registered = (await reader.get(resource, "", key)) as ApiService | undefined;
    if (registered === undefined) {
      failures.delete(key);
      return undefined;
    }
    const verdict = await parts.judge(registered);
    await note(registered, verdict);
    if (!registered.spec?.service) return undefined;
    const failed = verdict.reason === FAILED_CHECK ? (failures.get(key) ?? 0) + 1 : 0;
    failures.set(key, failed);
    return failed === 0 ? LOOK_AGAIN_MS : Math.min(FIRST_RETRY_MS * 2 ** (failed - 1), LOOK_AGAIN_MS);
  }

  async function note(registered: ApiService, verdict: Verdict): Promise<void> {
    const conditions = registered.status?.conditions ?? [];
    const before = conditions.find(({ type }) => type === "Available");
    if (before?.status === verdict.status && before.reason === verdict.reason && before.message === verdict.message)
      return;
    const since = before?.status === verdict.status ? before.lastTransitionTime : formatTime(parts.now());
    const available: APIServiceCondition = { type: "Available", ...verdict, lastTransitionTime: since };
    const status = { conditions: [...conditions.filter(({ type }) => type !== "Available"), available] };
    try {
      await writer.update(resource, { ...registered, status }, "status");
    } catch (error) {
      // The watch delivers the newer state.
      if (!hasReason(error, "NotFound", "Conflict")) throw error;
    }
  }

  return {
    name,
    async start() {
      parts.follow((key) => queue.add(key));
    },
    stop: () => queue.stop(),
    settled: () => queue.settled(),
  };
}
