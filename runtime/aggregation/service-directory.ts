import type { Endpoints as EndpointsKind } from "../../api-definitions/core/v1/endpoints.ts";
import type { Service as ServiceKind } from "../../api-definitions/core/v1/service.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import type { GroupResource, ObjectChange, ObjectFeed } from "../contract/object-access.ts";
import { goQuote } from "../go/quote.ts";
import type { ServiceReference } from "./api-service.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

type Service = ObjectOf<ServiceKind>;
type Endpoints = ObjectOf<EndpointsKind>;

export interface ServiceDirectoryParts {
  readonly feed: ObjectFeed;
  /** Whether requests go directly to an endpoint rather than to the address of the Service. */
  readonly toEndpoints: boolean;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Parsed on first use, since most Services do not belong to an APIService. */
interface Found<T extends ApiObject> {
  readonly change: ObjectChange;
  object?: T;
}

function read<T extends ApiObject>(found: Found<T> | undefined): T | undefined {
  if (found !== undefined) found.object ??= found.change.object as T;
  return found?.object;
}

const SERVICES = { group: "", resource: "services" };
const ENDPOINTS = { group: "", resource: "endpoints" };
const NO_ADDRESS = "None";

/** Addresses of Services. The watch starts with the first call of `open`. */
export class ServiceDirectory {
  readonly #parts: ServiceDirectoryParts;
  readonly #services = new Map<string, Found<Service>>();
  readonly #endpoints = new Map<string, Found<Endpoints>>();
  readonly #listeners: ((namespace: string, name: string) => void)[] = [];
  #following: Promise<(() => void)[]> | undefined;

  constructor(parts: ServiceDirectoryParts) {
    this.#parts = parts;
  }

  /** Starts to watch Services and Endpoints; resolves when all existing ones are loaded. */
  async open(): Promise<void> {
    this.#following ??= this.#followBoth();
    await this.#following;
  }

  async close(): Promise<void> {
    const stops = await this.#following?.catch(() => []);
    for (const stop of stops ?? []) stop();
  }

  async #followBoth(): Promise<(() => void)[]> {
    const stops: (() => void)[] = [];
    try {
      stops.push(await this.#follow(SERVICES, this.#services));
      stops.push(await this.#follow(ENDPOINTS, this.#endpoints));
      return stops;
    } catch (error) {
      // The next call of `open` retries.
      this.#following = undefined;
      for (const stop of stops) stop();
      throw error;
    }
  }

  /** Calls the listener for added, changed and deleted Services and Endpoints. */
  listen(listener: (namespace: string, name: string) => void): void {
    this.#listeners.push(listener);
  }

  service({ namespace, name }: ServiceReference): Service | undefined {
    return read(this.#services.get(`${namespace}/${name}`));
  }

  endpoints({ namespace, name }: ServiceReference): Endpoints | undefined {
    return read(this.#endpoints.get(`${namespace}/${name}`));
  }

  /** The address to connect to for a Service. Throws if there is none. */
  resolve(reference: ServiceReference): Address {
    const service = this.service(reference);
    if (service === undefined) throw new Error(`service ${goQuote(reference.name)} not found`);
    return this.#parts.toEndpoints ? this.#anEndpoint(service, reference) : ownAddress(service, reference);
  }

  #anEndpoint(service: Service, reference: ServiceReference): Address {
    const { type = "ClusterIP" } = service.spec ?? {};
    if (type === "ExternalName") throw new Error(`unsupported service type ${goQuote(type)}`);
    const { name: portName = "" } = portOf(service, reference);
    const endpoints = this.endpoints(reference);
    if (endpoints === undefined) throw new Error(`endpoints ${goQuote(reference.name)} not found`);
    const usable = (endpoints.subsets ?? []).flatMap((subset) => {
      const port = subset.ports?.find(({ name = "" }) => name === portName)?.port;
      const { addresses } = subset;
      return port === undefined || !addresses?.length ? [] : [{ port, addresses }];
    });
    const subset = this.#pick(usable);
    const address = subset && this.#pick(subset.addresses);
    if (address === undefined) throw new Error(`no endpoints available for service ${goQuote(reference.name)}`);
    return { host: address.ip, port: subset?.port ?? 0 };
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#parts.random() * from.length)];
  }

  #follow(resource: GroupResource, known: Map<string, Found<ApiObject>>): Promise<() => void> {
    return this.#parts.feed.follow(resource, (change: ObjectChange) => {
      const { namespace = "", name = "" } = change.metadata;
      if (change.type === "put") known.set(`${namespace}/${name}`, { change });
      else known.delete(`${namespace}/${name}`);
      for (const listener of this.#listeners) listener(namespace, name);
    });
  }
}

function ownAddress(service: Service, reference: ServiceReference): Address {
  const { type = "ClusterIP", clusterIP = "", externalName = "" } = service.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port: reference.port };
  if (type === "ClusterIP" && clusterIP === NO_ADDRESS)
    throw new Error('cannot route to service with ClusterIP "None"');
  return { host: clusterIP, port: portOf(service, reference).port };
}

function portOf({ spec }: Service, { name, port }: ServiceReference) {
  const found = spec?.ports?.find((declared) => declared.port === port);
  if (found === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  return found;
}
