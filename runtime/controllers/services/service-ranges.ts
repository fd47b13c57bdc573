import type { ApiObject } from "../../contract/api-object.ts";
import type { ObjectChange } from "../../contract/object-access.ts";
import { AddressRange, AddressRangeError, type IpFamily } from "./address-range.ts";

/** A ServiceCIDR: ranges of addresses for Services. */
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

/** Minimum prefix length of IPv6 ranges. Larger ranges are ignored. */
const SHORTEST_PREFIX = 64;

/** Ranges of service addresses: those of the command line, then those of ServiceCIDR objects. */
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

  /** Returns the ranges of a family that are ready for allocation, without duplicates. */
  ready(family: IpFamily): readonly AddressRange[] {
    const offered = [...this.#known.values()].flatMap(({ ranges, ready }) => (ready ? ranges : []));
    const all = new Map(
      [...this.#own.filter((range) => this.isReady(range)), ...offered].map((each) => [each.text, each]),
    );
    return [...all.values()].filter((range) => range.family === family);
  }

  /** Whether a range of the command line is ready. It is not if ServiceCIDRs contain this range and none of them is ready. */
  isReady({ text }: AddressRange): boolean {
    const tellers = [...this.#known.values()].filter(({ ranges }) => ranges.some((range) => range.text === text));
    return tellers.length === 0 || tellers.some(({ ready }) => ready);
  }
}

/** Returns the valid and usable ranges of a ServiceCIDR. */
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

/** Whether a ServiceCIDR is ready. Without a Ready condition it is, because the controller that sets the condition may not be running. */
function isReady({ metadata, status }: ServiceCidr): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  const ready = (status?.conditions ?? []).find(({ type }) => type === "Ready");
  return ready === undefined || ready.status === "True";
}
