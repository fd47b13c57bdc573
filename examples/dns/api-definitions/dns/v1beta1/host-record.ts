import type { Namespaced } from "typeplane/meta/v1";
import { kind, type ListSet } from "typeplane/vocabulary";

/** A name in the zone, and the address that it leads to. */
export interface HostRecord extends Namespaced {
  /** Desired state of the record. */
  spec: HostRecordSpec;
  /** Observed state of the record. */
  status?: HostRecordStatus;
}

/** What the zone is to hold. */
export interface HostRecordSpec {
  /** Name below the zone; `host` in v1. */
  name: string;
  /** Address that it leads to; the first of `addresses` in v1. */
  address: string;
}

/** What the zone holds. */
export interface HostRecordStatus {
  /** Addresses that the provider was told last. */
  published?: ListSet<string>;
}

export const hostRecord = kind<HostRecord>({ plural: "hostrecords", subresources: { status: true } });
