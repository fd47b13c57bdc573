import type { Endpoints } from "../../api-definitions/core/v1/endpoints.ts";
import type { Service } from "../../api-definitions/core/v1/service.ts";
import type { ObjectOf } from "../contract/api-object.ts";
import { goQuote } from "../go/quote.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Formats an address: `10.0.0.1:443`, `[::1]:443`. */
export function hostPort({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

type ServicePort = NonNullable<NonNullable<Service["spec"]>["ports"]>[number];

/** Returns the address of a Service: its cluster IP or external name. `service` is undefined if it does not exist. Throws if there is no address. */
export function clusterAddress(reference: ServiceReference, service: ObjectOf<Service> | undefined): Address {
  const {
    type = "ClusterIP",
    clusterIP = "",
    externalName = "",
    ports,
  } = found("service", reference, service).spec ?? {};
  if (type === "ExternalName") return { host: externalName, port: reference.port };
  if (type === "ClusterIP" && clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
  return { host: clusterIP, port: portOf(reference, ports).port };
}

/**
 * Returns the address of one endpoint of a Service, for `--enable-aggregator-routing`. `random` selects it: at least 0 and below 1. Throws if
 * there is no endpoint.
 */
export function endpointAddress(
  reference: ServiceReference,
  service: ObjectOf<Service> | undefined,
  endpoints: ObjectOf<Endpoints> | undefined,
  random: () => number,
): Address {
  const { type = "ClusterIP", ports } = found("service", reference, service).spec ?? {};
  if (type === "ExternalName") throw new Error(`unsupported service type ${goQuote(type)}`);
  const { name: portName = "" } = portOf(reference, ports);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const usable = (found("endpoints", reference, endpoints).subsets ?? []).flatMap((subset) => {
    const port = subset.ports?.find(({ name = "" }) => name === portName)?.port;
    return port === undefined || !subset.addresses?.length ? [] : [{ port, addresses: subset.addresses }];
  });
  const subset = pick(usable);
  const address = subset && pick(subset.addresses);
  if (address === undefined) throw new Error(`no endpoints available for service ${goQuote(reference.name)}`);
  return { host: address.ip, port: subset?.port ?? 0 };
}

function found<T>(what: string, { name }: ServiceReference, object: T | undefined): T {
  if (object === undefined) throw new Error(`${what} ${goQuote(name)} not found`);
  return object;
}

function portOf({ name, port }: ServiceReference, ports: readonly ServicePort[] = []): ServicePort {
  const declared = ports.find((one) => one.port === port);
  if (declared === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  return declared;
}
