import type { Service } from "../../../api-definitions/core/v1/service.ts";
import type { ObjectOf } from "../../contract/api-object.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import { goQuote } from "../../go/quote.ts";
import { notFound } from "../../values/status-errors.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

const SERVICES = { group: "", resource: "services" };

/** The address of a Service. Throws if it does not exist or cannot be reached. */
export async function serviceAddress(
  namespace: string,
  name: string,
  port: number,
  reader: ObjectReader,
): Promise<Address> {
  const service: ObjectOf<Service> | undefined = await reader.get(SERVICES, namespace, name);
  if (service === undefined) throw notFound({ group: "", resource: "service" }, name);
  const { type = "ClusterIP", clusterIP = "", externalName = "", ports } = service.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port };
  if (clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
  if (!ports?.some((declared) => declared.port === port))
    throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  return { host: clusterIP, port };
}
