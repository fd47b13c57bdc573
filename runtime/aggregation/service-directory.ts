import type { Endpoints as EndpointsKind } from "../../api-definitions/core/v1/endpoints.ts";
import type { Service as ServiceKind } from "../../api-definitions/core/v1/service.ts";
import type { ApiObject, ObjectOf } from "../contract/api-object.ts";
import type { GroupResource, ObjectChange, ObjectFeed } from "../contract/object-access.ts";
import { type Address, clusterAddress, endpointAddress, type ServiceReference } from "../values/service-address.ts";

type Service = ObjectOf<ServiceKind>;
type Endpoints = ObjectOf<EndpointsKind>;

export interface ServiceDirectoryParts {
  readonly feed: ObjectFeed;
  /** Whether requests go directly to an endpoint instead of the address of the Service. */
  readonly toEndpoints: boolean;
  /** Returns random numbers, at least 0 and below 1. */
  readonly random: () => number;
}

/** An object that is parsed on first use, since most Services do not belong to an APIService. */
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

  /** Starts to watch Services and Endpoints. Resolves when all existing ones are loaded. */
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

  /** Returns the address to connect to for a Service. Throws if there is none. */
  resolve(reference: ServiceReference): Address {
    const service = this.service(reference);
    if (!this.#parts.toEndpoints) return clusterAddress(reference, service);
    return endpointAddress(reference, service, this.endpoints(reference), this.#parts.random);
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
