import { goQuote } from "../go/quote.ts";
import type { ServiceReference } from "../values/service-address.ts";
import { type ApiService, serviceOf } from "./api-service.ts";
import type { ServiceDirectory } from "./service-directory.ts";

/** The Available condition of an APIService. */
export interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** Requests a discovery path of an extension server. Throws if that fails. */
export type ProbeServer = (service: ServiceReference, path: string) => Promise<void>;

export interface AvailabilityParts {
  readonly services: ServiceDirectory;
  readonly probe: ProbeServer;
}

/** Number of parallel requests to a server; one success suffices. */
const ATTEMPTS = 5;

/** Returns whether the server of an APIService is available. If not, with the first reason. */
export async function judgeAvailability(registered: ApiService, parts: AvailabilityParts): Promise<Verdict> {
  const service = serviceOf(registered);
  if (service === undefined) return LOCAL;
  await parts.services.open();
  const missing = findMissing(service, parts.services);
  if (missing !== undefined) return { status: "False", ...missing };
  const path = discoveryPath(registered);
  const problem = await lastProblem(Array.from({ length: ATTEMPTS }, () => parts.probe(service, path)));
  return problem === undefined ? PASSED : { status: "False", reason: "FailedDiscoveryCheck", message: problem };
}

const LOCAL: Verdict = { status: "True", reason: "Local", message: "Local APIServices are always available" };
const PASSED: Verdict = { status: "True", reason: "Passed", message: "all checks passed" };

function findMissing(
  service: ServiceReference,
  services: ServiceDirectory,
): Pick<Verdict, "reason" | "message"> | undefined {
  const where = `service/${service.name} in ${goQuote(service.namespace)}`;
  const found = services.service(service);
  if (found === undefined) return { reason: "ServiceNotFound", message: `${where} is not present` };
  if ((found.spec?.type ?? "ClusterIP") !== "ClusterIP") return undefined;
  const port = found.spec?.ports?.find((declared) => declared.port === service.port);
  if (port === undefined) {
    return { reason: "ServicePortError", message: `${where} is not listening on port ${service.port}` };
  }
  const endpoints = services.endpoints(service);
  if (endpoints === undefined) {
    return { reason: "EndpointsNotFound", message: `cannot find endpoints for ${where}` };
  }
  const portName = port.name ?? "";
  const isBacked = endpoints.subsets?.some(
    ({ addresses, ports }) => addresses?.length && ports?.some(({ name = "" }) => name === portName),
  );
  if (isBacked) return undefined;
  const message = `endpoints for ${where} have no addresses with port name ${goQuote(portName)}`;
  return { reason: "MissingEndpoints", message };
}

function discoveryPath({ metadata, spec }: ApiService): string {
  const { group = "", version = "" } = spec ?? {};
  return metadata.name === "v1." ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** Resolves with undefined once one attempt succeeds, otherwise with the last error. */
async function lastProblem(attempts: readonly Promise<void>[]): Promise<string | undefined> {
  let last = "";
  const failing = attempts.map((attempt) =>
    attempt.catch((error: unknown) => {
      last = error instanceof Error ? error.message : String(error);
      throw error;
    }),
  );
  return Promise.any(failing).then(
    () => undefined,
    () => last,
  );
}
