import type { ApiObject } from "../../contract/api-object.ts";
import type { ObjectChange } from "../../contract/object-access.ts";
import { AddressRange, AddressRangeError, type IpFamily } from "./address-range.ts";

/** Ranges of addresses for services, as an object. */
export interface ServiceCidr extends ApiObject {
  readonly spec?: { readonly cidrs?: readonly string[] | null };
  readonly status?: { readonly conditions?: readonly ReadyCondition[] | null };
}

interface ReadyCondition {
  readonly type: string;
  readonly status: string;
}

interface Known {
  readonly ranges: readonly AddressRange[];
  readonly ready: boolean;
}

/** Shortest prefix of IPv6 ranges; larger ranges are ignored. */
const SHORTEST_PREFIX = 64;

/** Ranges of service addresses: those of the command line first, then those that ServiceCIDR objects add. */
export class ServiceRanges {
  readonly #own: readonly AddressRange[];
  readonly #known = new Map<string, Known>();

  constructor(own: readonly AddressRange[]) {
    this.#own = own;
  }

  note({ type, object }: ObjectChange): void {
    const name = object.metadata.name ?? "";
    if (type === "delete") this.#known.delete(name);
    else this.#known.set(name, { ranges: rangesOf(object), ready: isReady(object) });
  }

  /** Ranges of a family that are ready for allocation, without duplicates. */
  ready(family: IpFamily): readonly AddressRange[] {
    const offered = [...this.#known.values()].flatMap(({ ranges, ready }) => (ready ? ranges : []));
    const all = new Map(
      [...this.#own.filter((range) => this.isReady(range)), ...offered].map((each) => [each.text, each]),
    );
    return [...all.values()].filter((range) => range.family === family);
  }

  /** A range of the command line is ready unless all ServiceCIDRs with this range are not ready. */
  isReady({ text }: AddressRange): boolean {
    const tellers = [...this.#known.values()].filter(({ ranges }) => ranges.some((range) => range.text === text));
    return tellers.length === 0 || tellers.some(({ ready }) => ready);
  }
}

/** The valid and usable ranges of a ServiceCIDR. */
export function rangesOf(object: ServiceCidr): AddressRange[] {
  return (object.spec?.cidrs ?? []).flatMap((cidr) => {
    try {
      const range = new AddressRange(cidr);
      return range.family === "IPv6" && range.bits < SHORTEST_PREFIX ? [] : [range];
    } catch (error) {
      if (error instanceof AddressRangeError) return [];
      throw error;
    }
  });
}

/** A ServiceCIDR without a Ready condition counts as ready: no controller may be running that sets it. */
function isReady({ metadata, status }: ServiceCidr): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "True";
}
