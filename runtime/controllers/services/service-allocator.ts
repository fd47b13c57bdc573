import type { ApiObject } from "../../contract/api-object.ts";
import type { Naming } from "../../contract/naming.ts";
import type { ObjectChange, ObjectFeed, ObjectWriter } from "../../contract/object-access.ts";
import { hasReason, type StatusError } from "../../contract/status.ts";
import { validateClusterIps } from "../../values/cluster-ips.ts";
import { invalidField } from "../../values/field-errors.ts";
import { internalError } from "../../values/status-errors.ts";
import { type AddressRange, canonicalAddress, familyOf, type IpFamily, staticBand } from "./address-range.ts";
import { alignClusterIps, dropFieldsOfOldType, keepAllocated } from "./carry-over.ts";
import { goStrings, settleFamilies } from "./ip-families.ts";
import { NumberPool, PoolError, type PoolItems } from "./number-pool.ts";
import { markPort, type PortRange, type PortRecord, unmarkPorts } from "./port-record.ts";
import { ServiceRanges } from "./service-ranges.ts";
import { addressesOf, isHeadless, needsClusterIp, nodePortsOf, type Service } from "./service-shape.ts";
import { invalidService, type PortSource, takeNodePorts } from "./take-node-ports.ts";

export interface ServiceAllocatorParts {
  readonly naming: Naming;
  /** `--service-cluster-ip-range`: one range, or one per family, the preferred one first. */
  readonly ranges: readonly AddressRange[];
  /** `--service-node-port-range`. */
  readonly nodePorts: PortRange;
  readonly featureEnabled: (gate: string) => boolean;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
  /** Whether ServiceCIDR objects add further ranges. */
  readonly furtherRanges?: boolean;
  /** Creates an IPAddress object for each allocated address, so that no other server allocates it. */
  readonly writer?: ObjectWriter;
  /** Record of node ports that all servers over one store share; absent if there is only one server. */
  readonly portRecord?: PortRecord;
  /** Reports addresses and ports that could not be released. They are released after the next start. */
  readonly onProblem?: (problem: unknown) => void;
}

/** A dry run returns values that are never allocated: ports above this one or above the requested ones, and the network address. */
const REHEARSAL_PORT = 32_768;

const NO_SUCH_RANGE = "the provided network does not match the current range";

/** Allocations of one write. To be committed if the write is stored, otherwise released. */
export interface ServiceAllocation {
  commit(): void;
  release(): void;
}

/** Allocates cluster IPs and node ports of Services as part of a write. */
export class ServiceAllocator {
  readonly #parts: ServiceAllocatorParts;
  readonly #addresses = new Map<IpFamily, { readonly range: AddressRange; readonly pool: NumberPool<string> }>();
  readonly #ranges: ServiceRanges;
  readonly #ports: NumberPool<number>;

  constructor(parts: ServiceAllocatorParts) {
    this.#parts = parts;
    this.#ranges = new ServiceRanges(parts.ranges);
    for (const range of parts.ranges) {
      this.#addresses.set(range.family, { range, pool: new NumberPool(addressItems(range), parts.random) });
    }
    const { first, last } = parts.nodePorts;
    const size = BigInt(last - first + 1);
    const band = staticBand(size, 32n, 16n, 128n);
    this.#ports = new NumberPool({ size, band, at: (index) => first + Number(index) }, parts.random);
  }

  /** Numbers of allocated and free addresses and ports. */
  get counts() {
    const addresses = [...this.#addresses.values()].map(({ range, pool }) => ({ cidr: range.text, ...pool.counts }));
    return { addresses, ports: this.#ports.counts };
  }

  /** Watches the Services, to know which addresses and ports are in use, and the ranges. */
  async follow(feed: ObjectFeed): Promise<() => void> {
    const { naming, furtherRanges } = this.#parts;
    const cidrs = { group: naming.group("networking"), resource: "servicecidrs" };
    const stops = await Promise.all([
      this.#followServices(feed),
      ...(furtherRanges ? [feed.follow(cidrs, (change) => this.#ranges.note(change))] : []),
    ]);
    return () => stops.forEach((stop) => void stop());
  }

  #followServices(feed: ObjectFeed): Promise<() => void> {
    const known = new Map<string, Service>();
    const listener = ({ type, object }: ObjectChange) => {
      const service = object as Service;
      const before = known.get(userOf(service));
      if (before !== undefined) this.#forget(before);
      known.delete(userOf(service));
      if (type === "delete") return;
      known.set(userOf(service), service);
      this.#learn(service);
    };
    return feed.follow({ group: "", resource: "services" }, listener);
  }

  #learn(service: Service): void {
    const user = userOf(service);
    for (const address of addressesOf(service.spec)) this.#addresses.get(familyOf(address))?.pool.use(address, user);
    for (const port of nodePortsOf(service.spec)) this.#ports.use(port, user);
  }

  #forget(service: Service): void {
    const user = userOf(service);
    for (const address of addressesOf(service.spec)) this.#addresses.get(familyOf(address))?.pool.free(address, user);
    for (const port of nodePortsOf(service.spec)) this.#ports.free(port, user);
  }

  /**
   * Completes a Service before it is stored: keeps the values of the old Service, decides the IP families, and allocates the rest. Without `next`,
   * the Service is being removed. A dry run allocates nothing.
   */
  async allocate(
    next: Service | undefined,
    old: Service | undefined,
    options: { readonly dryRun: boolean },
  ): Promise<ServiceAllocation> {
    if (next === undefined) return this.#allocation(next, old, [], []);
    if (old !== undefined) keepAllocated(next.spec, old.spec);
    alignClusterIps(next.spec, old?.spec);
    const unsound = validateClusterIps(next.spec, old?.spec, this.#parts);
    if (unsound.length > 0) throw invalidService(next, unsound);
    const problems = settleFamilies(next.spec, old?.spec, [...this.#addresses.keys()]);
    if (problems.length > 0) throw invalidService(next, problems);
    if (old !== undefined) dropFieldsOfOldType(next, old);

    const ports: number[] = [];
    const addresses: string[] = [];
    try {
      await this.#takeAddresses(next, old, addresses, options.dryRun);
      await takeNodePorts(next, old, this.#portSource(ports, options.dryRun));
    } catch (error) {
      this.#allocation(next, old, addresses, ports).release();
      throw error;
    }
    return this.#allocation(next, old, addresses, ports);
  }

  async #takeAddresses(next: Service, old: Service | undefined, taken: string[], dryRun: boolean): Promise<void> {
    const { spec } = next;
    // A headless Service cannot get addresses later: validation rejects those that it requests.
    if (!needsClusterIp(spec) || isHeadless(spec) || isHeadless(old?.spec ?? {})) return;
    const held = new Set(addressesOf(old?.spec ?? {}));
    const families = spec.ipFamilies ?? [];
    const asked = spec.clusterIPs ?? [];
    // In messages, an empty string stands for each address to be allocated.
    const addresses = [...asked, ...families.slice(asked.length).map(() => "")];
    spec.clusterIPs = addresses;
    for (const [index, family] of families.entries()) {
      const wanted = addresses[index] ?? "";
      if (wanted !== "" && held.has(canonicalAddress(wanted))) continue;
      if (wanted !== "" && old !== undefined && (old.spec.clusterIPs?.[index] ?? "") !== "") continue;
      addresses[index] = await this.#takeAddress(next, family, wanted, taken, dryRun);
    }
    spec.clusterIP = addresses[0] ?? "";
  }

  async #takeAddress(next: Service, family: IpFamily, wanted: string, taken: string[], dryRun: boolean) {
    const known = this.#addresses.get(family);
    if (known === undefined) throw internalError(`failed to allocate a serviceIP: ${family} is not configured`);
    const { range, pool } = known;
    const further = this.#parts.furtherRanges === true;
    const refuse = (why: string): StatusError => {
      const problem = `failed to allocate IP ${wanted}: ${why}`;
      return invalidService(next, [invalidField("spec.clusterIPs", goStrings(next.spec.clusterIPs ?? []), problem)]);
    };
    const exact = wanted === "" ? "" : canonicalAddress(wanted);
    if (wanted !== "") {
      if (!(further ? this.#ranges.ready(family) : [range]).some((each) => each.contains(wanted)))
        throw refuse(
          further && !dryRun
            ? NO_SUCH_RANGE
            : `the provided IP (${wanted}) is not in the valid range. The range of valid IPs is ${range.text}`,
        );
      if (!dryRun && pool.isTaken(exact)) throw refuse("provided IP is already allocated");
    }
    if (dryRun) return wanted || range.network;
    const lost: string[] = [];
    try {
      for (;;) {
        const address = wanted === "" ? this.#nextAddress(range, pool) : exact;
        pool.hold(address);
        if (await this.#record(next, family, address)) {
          taken.push(address);
          return wanted || address;
        }
        // Another server allocated it first: the watch delivers its Service.
        lost.push(address);
        if (wanted !== "") throw refuse("provided IP is already allocated");
      }
    } finally {
      for (const address of lost) pool.letGo(address);
    }
  }

  /** Returns a free address: from the range of the command line if it has one, otherwise from another range. */
  #nextAddress(range: AddressRange, pool: NumberPool<string>): string {
    const what = "failed to allocate a serviceIP";
    if (this.#parts.furtherRanges !== true) return orInternal(() => pool.next(), what);
    const first = pool.find(addressItems(range));
    if (first !== undefined && !this.#ranges.ready(range.family).some((each) => each.contains(first)))
      throw internalError(`${what}: ${NO_SUCH_RANGE}`);
    if (first !== undefined) return first;
    for (const other of this.#ranges.ready(range.family)) {
      const address = pool.find(addressItems(other));
      if (address !== undefined) return address;
    }
    throw internalError(`${what}: range is full`);
  }

  /** Creates the IPAddress object. Returns false if another server has created it first. */
  async #record(service: Service, family: IpFamily, address: string): Promise<boolean> {
    const { writer, naming } = this.#parts;
    if (writer === undefined) return true;
    const { namespace = "", name = "" } = service.metadata;
    const group = naming.group("networking");
    const record: ApiObject = {
      apiVersion: `${group}/v1`,
      kind: "IPAddress",
      metadata: {
        name: address,
        labels: {
          [naming.key("ip-family", "ipaddress")]: family,
          [naming.key("managed-by", "ipaddress")]: naming.group("ipallocator"),
        },
      },
      spec: { parentRef: { resource: "services", namespace, name } },
    };
    try {
      await writer.create({ group, resource: "ipaddresses" }, record);
      return true;
    } catch (error) {
      if (hasReason(error, "AlreadyExists")) return false;
      if (hasReason(error, "Invalid")) throw internalError(`failed to allocate a serviceIP: ${error.message}`);
      throw error;
    }
  }

  /** Returns the source of node ports for one write. A dry run checks which ports are in use, but allocates none. */
  #portSource(given: number[], dryRun: boolean): PortSource {
    const taken = new Set(dryRun ? [] : given);
    let highest = REHEARSAL_PORT;
    const note = (port: number): void => {
      highest = taken.size === 0 ? port : Math.max(highest, port);
      taken.add(port);
      if (!dryRun) given.push(port);
    };
    const refusal = (port: number): string | undefined => {
      const { first, last } = this.#parts.nodePorts;
      const isForeign = port < first || port > last;
      if (isForeign && !dryRun)
        return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
      return taken.has(port) || this.#ports.isTaken(port) ? "provided port is already allocated" : undefined;
    };
    return {
      take: async (port) => {
        const refused = refusal(port);
        if (refused !== undefined) return { refused };
        if (!dryRun && (await this.#takePort(port)) === undefined)
          return { refused: "provided port is already allocated" };
        note(port);
        return {};
      },
      takeAny: async (what) => {
        const port = dryRun ? highest + 1 : await this.#takeAnyPort(what);
        note(port);
        return port;
      },
    };
  }

  /** Returns a port that neither this nor another server has allocated, held until the write is done. */
  async #takeAnyPort(what: string): Promise<number> {
    const lost: number[] = [];
    try {
      for (;;) {
        const port = orInternal(() => this.#ports.next(), what);
        if ((await this.#takePort(port)) !== undefined) return port;
        // Another server allocated it first: the watch delivers its Service.
        this.#ports.hold(port);
        lost.push(port);
      }
    } finally {
      for (const port of lost) this.#ports.letGo(port);
    }
  }

  /** Holds a port and marks it in the shared record. Returns undefined if another server has allocated it. */
  async #takePort(port: number): Promise<number | undefined> {
    const { portRecord } = this.#parts;
    this.#ports.hold(port);
    let marked = false;
    try {
      marked = portRecord === undefined || (await markPort(portRecord, port, () => this.#ports.used));
    } finally {
      if (!marked) this.#ports.letGo(port);
    }
    return marked ? port : undefined;
  }

  /** Returns the allocation of a write. `release` frees its new values; `commit` frees the values that only the old Service had. */
  #allocation(
    next: Service | undefined,
    old: Service | undefined,
    taken: readonly string[],
    ports: readonly number[],
  ): ServiceAllocation {
    const letGo = () => {
      for (const address of taken) this.#addresses.get(familyOf(address))?.pool.letGo(address);
      for (const port of ports) this.#ports.letGo(port);
    };
    return {
      commit: () => {
        // Applied immediately, not only when the watch event arrives.
        if (old !== undefined) this.#forget(old);
        if (next !== undefined) this.#learn(next);
        letGo();
        const kept = new Set(addressesOf(next?.spec ?? {}));
        this.#erase(addressesOf(old?.spec ?? {}).filter((address) => !kept.has(address)));
        const keptPorts = new Set(nodePortsOf(next?.spec ?? {}));
        this.#unmark(nodePortsOf(old?.spec ?? {}).filter((port) => !keptPorts.has(port)));
      },
      release: () => {
        letGo();
        this.#erase(taken);
        this.#unmark(ports);
      },
    };
  }

  #unmark(ports: readonly number[]): void {
    const { portRecord, onProblem } = this.#parts;
    if (portRecord === undefined) return;
    unmarkPorts(portRecord, ports).catch((error: unknown) => onProblem?.(error));
  }

  #erase(addresses: readonly string[]): void {
    const { writer, naming, onProblem } = this.#parts;
    if (writer === undefined) return;
    const resource = { group: naming.group("networking"), resource: "ipaddresses" };
    for (const address of addresses)
      writer.delete(resource, "", address).catch((error: unknown) => {
        if (!hasReason(error, "NotFound")) onProblem?.(error);
      });
  }
}

function addressItems(range: AddressRange): PoolItems<string> {
  return { size: range.size, band: staticBand(range.size, 16n, 16n, 256n), at: (index) => range.at(index) };
}

function userOf({ metadata }: Service): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}

function orInternal<T>(take: () => T, what: string): T {
  try {
    return take();
  } catch (error) {
    if (error instanceof PoolError) throw internalError(`${what}: ${error.message}`);
    throw error;
  }
}
