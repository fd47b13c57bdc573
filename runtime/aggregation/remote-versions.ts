import type { ObjectChange } from "../contract/object-access.ts";
import type { PemPair } from "../lib/follow-key-pair.ts";
import type { Dial } from "../outbound/dial.ts";
import type { ServiceReference } from "../values/service-address.ts";
import { type ApiService, isAvailable, saysLocal, serviceOf } from "./api-service.ts";
import type { VersionRank } from "./merge-groups.ts";
import {
  isSameTransport,
  openTransport,
  type RemoteTransport,
  type TransportOptions,
  transportOptions,
} from "./remote-transport.ts";

/** A group version that another server serves. */
export interface RemoteVersion extends VersionRank {
  /** Name of the APIService: `v1.example.com`. */
  readonly name: string;
  readonly service: ServiceReference;
  readonly available: boolean;
  /** A string is the reason why its CA certificates cannot be used. */
  readonly transport: RemoteTransport | string;
}

export interface RemoteVersionParts {
  /** The group of APIServices, which is never forwarded. */
  readonly ownGroup: string;
  /** The client certificate of this server. */
  readonly certificate: () => PemPair | undefined;
  /** Opens connections through a proxy; undefined for direct connections. */
  readonly dial?: Dial | undefined;
}

/** Called for added or changed versions (`former` is the previous state), and for removed ones (`remote` is the last state). */
export type RemoteListener = (type: "put" | "delete", remote: RemoteVersion, former: RemoteVersion | undefined) => void;

/** Whether both have the same Service and transport. */
export function isSameServer(a: RemoteVersion, b: RemoteVersion): boolean {
  const { namespace, name, port } = a.service;
  const isSameService = b.service.namespace === namespace && b.service.name === name && b.service.port === port;
  return isSameService && a.transport === b.transport;
}

/** An index of the group versions that other servers serve, kept up to date by watching APIServices. */
export class RemoteVersions {
  readonly #parts: RemoteVersionParts;
  readonly #known = new Map<string, RemoteVersion>();
  readonly #ranks = new Map<string, VersionRank>();
  readonly #listeners: RemoteListener[] = [];
  readonly #strayListeners: ((name: string) => void)[] = [];
  /** APIServices that this server serves, but whose status does not say so yet. */
  readonly #strays = new Set<string>();

  constructor(parts: RemoteVersionParts) {
    this.#parts = parts;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  all(): readonly RemoteVersion[] {
    return [...this.#known.values()];
  }

  /** Returns a version by `<group>/<version>`. */
  at(key: string): RemoteVersion | undefined {
    return this.#known.get(key);
  }

  find(group: string, version: string): RemoteVersion | undefined {
    return this.#known.get(`${group}/${version}`);
  }

  /** Yields every APIService with its availability; local ones are always available. */
  *states(): Iterable<{ readonly name: string; readonly available: boolean }> {
    for (const [key, { group, version }] of this.#ranks)
      yield { name: `${version}.${group}`, available: this.#known.get(key)?.available ?? true };
  }

  /** Returns the priority of a local or remote version. */
  rankOf(group: string, version: string): VersionRank | undefined {
    return this.#ranks.get(`${group}/${version}`);
  }

  /** Returns the server of a path: `/apis/<group>/<version>` and below. The APIService `v1.` covers all of `/api`. */
  ownerOf(path: string): RemoteVersion | undefined {
    if (path.startsWith("/apis/")) {
      const slash = path.indexOf("/", "/apis/".length);
      const end = slash < 0 ? -1 : path.indexOf("/", slash + 1);
      return this.#known.get(path.slice("/apis/".length, end < 0 ? undefined : end));
    }
    return path === "/api" || path.startsWith("/api/") ? this.#known.get("/v1") : undefined;
  }

  listen(listener: RemoteListener): void {
    this.#listeners.push(listener);
  }

  /** Calls the listener for existing and new APIServices that this server serves, but whose status does not say so. */
  listenToStrays(listener: (name: string) => void): void {
    this.#strayListeners.push(listener);
    for (const name of this.#strays) listener(name);
  }

  change({ type, name, object }: ObjectChange): void {
    const registered = object as ApiService;
    const { group = "", version = "" } = registered.spec ?? {};
    const key = `${group}/${version}`;
    const former = this.#known.get(key);
    const { groupPriorityMinimum: groupPriority = 0, versionPriority = 0 } = registered.spec ?? {};
    if (type === "delete") this.#ranks.delete(key);
    else this.#ranks.set(key, { group, version, groupPriority, versionPriority });
    const service = type === "delete" || group === this.#parts.ownGroup ? undefined : serviceOf(registered);
    this.#strays.delete(name);
    if (service === undefined) {
      if (type === "put" && serviceOf(registered) === undefined && !saysLocal(registered)) this.#stray(name);
      this.#known.delete(key);
      if (former === undefined) return;
      retire(former.transport);
      this.#tell("delete", former, former);
      return;
    }
    const options = transportOptions(registered, service, this.#parts.certificate());
    this.#put(key, {
      name,
      group,
      version,
      service,
      groupPriority,
      versionPriority,
      available: isAvailable(registered),
      transport: transportFor(options, former?.transport, this.#parts.dial),
    });
  }

  /** Uses the changed client certificate for new connections. */
  reconnect(): void {
    const certificate = this.#parts.certificate();
    for (const [key, remote] of this.#known) {
      const { transport } = remote;
      if (typeof transport !== "string")
        this.#put(key, {
          ...remote,
          transport: transportFor({ ...transport.options, certificate }, transport, this.#parts.dial),
        });
    }
  }

  close(): void {
    for (const { transport } of this.#known.values()) if (typeof transport !== "string") transport.close();
  }

  #stray(name: string): void {
    this.#strays.add(name);
    for (const listener of this.#strayListeners) listener(name);
  }

  #put(key: string, remote: RemoteVersion): void {
    const former = this.#known.get(key);
    this.#known.set(key, remote);
    this.#tell("put", remote, former);
  }

  #tell(type: "put" | "delete", remote: RemoteVersion, former: RemoteVersion | undefined): void {
    for (const listener of this.#listeners) listener(type, remote, former);
  }
}

function transportFor(options: TransportOptions, former: RemoteTransport | string | undefined, dial: Dial | undefined) {
  if (typeof former === "object" && isSameTransport(former.options, options)) return former;
  retire(former);
  try {
    return openTransport(options, dial);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function retire(transport: RemoteTransport | string | undefined): void {
  if (typeof transport === "object") transport.retire();
}
