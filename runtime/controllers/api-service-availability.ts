import type { ApiObject } from "../contract/api-object.ts";
import { type Controller, type ControllerParts, timestamp } from "./controller.ts";
import { createStatusController } from "./status-controller.ts";

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
  const services = { group: "", resource: "services" };

  async function judge({ spec }: ApiService): Promise<Verdict> {
    const { namespace = "", name: service = "", port = 443 } = spec?.service ?? {};
    const where = `service/${service} in "${namespace}"`;
    const found = (await parts.reader.get(services, namespace, service)) as Service | undefined;
    if (found === undefined) {
      return { status: "False", reason: "ServiceNotFound", message: `${where} is not present` };
    }
    if (!found.spec?.ports?.some((each) => each.port === port)) {
      return { status: "False", reason: "ServicePortError", message: `${where} is not listening on port ${port}` };
    }
    return { status: "False", reason: "EndpointsNotFound", message: `cannot find endpointslices for ${where}` };
  }

  return createStatusController<ApiService>(parts, {
    name: "apiservice-availability",
    subject: { group: parts.naming.group("apiregistration"), resource: "apiservices" },
    isOther: ({ spec }) => spec?.service === undefined,
    dependsOn: services,
    async statusOf(registered) {
      const verdict = await judge(registered);
      const conditions = registered.status?.conditions ?? [];
      const before = conditions.find(({ type }) => type === "Available");
      if (before?.status === verdict.status && before.reason === verdict.reason && before.message === verdict.message) {
        return undefined;
      }
      const since = before?.status === verdict.status ? before.lastTransitionTime : timestamp(parts.now());
      const available: Condition = { type: "Available", ...verdict, lastTransitionTime: since };
      return { conditions: [...conditions.filter(({ type }) => type !== "Available"), available] };
    },
  });
}
