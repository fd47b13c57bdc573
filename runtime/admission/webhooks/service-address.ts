import type { Endpoints } from "../../../api-definitions/core/v1/endpoints.ts";
import type { Service } from "../../../api-definitions/core/v1/service.ts";
import type { ObjectOf } from "../../contract/api-object.ts";
import type { ObjectReader } from "../../contract/object-access.ts";
import type { Egress } from "../../outbound/dial.ts";
import { type Address, clusterAddress, endpointAddress, type ServiceReference } from "../../values/service-address.ts";

const SERVICES = { group: "", resource: "services" };
const ENDPOINTS = { group: "", resource: "endpoints" };

/** How requests to Services are routed. */
export interface ServiceRouting {
  /** `--enable-aggregator-routing`: send requests to an endpoint instead of the cluster IP. Defaults to false. */
  readonly toEndpoints?: boolean;
  /** Returns the address of this server for a reference to its own Service; undefined for any other. */
  readonly own?: (reference: ServiceReference) => Address | undefined;
  /** Proxies to webhooks; undefined for direct connections. */
  readonly egress?: Pick<Egress, "controlplane" | "cluster"> | undefined;
}

/** Looks up Services. */
export interface ServiceLookup extends ServiceRouting {
  readonly reader: ObjectReader;
}

/** Returns the address of a webhook's Service. Throws if it does not exist or cannot be reached. */
export async function serviceAddress(reference: ServiceReference, lookup: ServiceLookup): Promise<Address> {
  const { namespace, name } = reference;
  const own = lookup.own?.(reference);
  if (own !== undefined) return own;
  const service: ObjectOf<Service> | undefined = await lookup.reader.get(SERVICES, namespace, name);
  if (!lookup.toEndpoints || service === undefined) return clusterAddress(reference, service);
  const endpoints: ObjectOf<Endpoints> | undefined = await lookup.reader.get(ENDPOINTS, namespace, name);
  return endpointAddress(reference, service, endpoints, Math.random);
}
