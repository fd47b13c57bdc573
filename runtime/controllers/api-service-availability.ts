import type { ApiObject } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import { type Controller, type ControllerParts, timestamp } from "./controller.ts";
import { WorkQueue } from "./work-queue.ts";

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

interface ApiService extends ApiObject {
  spec?: { service?: { namespace?: string; name?: string; port?: number } };
  status?: { conditions?: Condition[] };
}

interface Service extends ApiObject {
  spec?: { ports?: { port: number }[] };
}

/** What there is to say about an APIService that names a service. */
interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/**
 * Says of every APIService whether its server can be reached. This server passes no requests on, so one that another
 * server should answer is never available; the condition says what is missing first.
 */
export function createApiServiceAvailability(parts: ControllerParts): Controller {
  const { reader, writer, feed } = parts;
  const name = "apiservice-availability";
  const apiServices = { group: parts.naming.group("apiregistration"), resource: "apiservices" };
  const services = { group: "", resource: "services" };
  const queue = new WorkQueue(sync, {
    delay: parts.delay,
    onProblem: (key, problem) => parts.onProblem?.(name, key, problem),
  });
  const stops: (() => void)[] = [];
  const remote = new Set<string>();

  async function judge({ spec }: ApiService): Promise<Verdict> {
    const { namespace = "", name: service = "", port = 443 } = spec?.service ?? {};
    const where = `service/${service} in "${namespace}"`;
    const found = (await reader.get(services, namespace, service)) as Service | undefined;
    if (found === undefined) {
      return { status: "False", reason: "ServiceNotFound", message: `${where} is not present` };
    }
    if (!found.spec?.ports?.some((each) => each.port === port)) {
      return { status: "False", reason: "ServicePortError", message: `${where} is not listening on port ${port}` };
    }
    return { status: "False", reason: "EndpointsNotFound", message: `cannot find endpointslices for ${where}` };
  }

  async function sync(key: string): Promise<undefined> {
    const registered = (await reader.get(apiServices, "", key)) as ApiService | undefined;
    if (registered?.spec?.service === undefined) return;
    const verdict = await judge(registered);
    const conditions = registered.status?.conditions ?? [];
    const before = conditions.find(({ type }) => type === "Available");
    if (before?.status === verdict.status && before.reason === verdict.reason && before.message === verdict.message) {
      return;
    }
    const since = before?.status === verdict.status ? before.lastTransitionTime : timestamp(parts.now());
    const available: Condition = { type: "Available", ...verdict, lastTransitionTime: since };
    const status = { conditions: [...conditions.filter(({ type }) => type !== "Available"), available] };
    try {
      await writer.update(apiServices, { ...registered, status }, "status");
    } catch (error) {
      // A newer state is on its way.
      if (!hasReason(error, "NotFound") && !hasReason(error, "Conflict")) throw error;
    }
  }

  return {
    name,
    async start() {
      stops.push(
        await feed.follow(apiServices, ({ type, object }) => {
          const key = object.metadata.name ?? "";
          if (type === "put" && (object as ApiService).spec?.service !== undefined) remote.add(key);
          else remote.delete(key);
          if (remote.has(key)) queue.add(key);
        }),
        await feed.follow(services, () => {
          for (const key of remote) queue.add(key);
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
