import type { Namespaced } from "typeplane/meta/v1";
import { kind, type ListSet, type MinItems } from "typeplane/vocabulary";

/** A name in the zone, and the addresses that it leads to. */
export interface HostRecord extends Namespaced {
  /** Desired state of the record. */
  spec: HostRecordSpec;
  /** Observed state of the record. */
  status?: HostRecordStatus;
}

/** What the zone is to hold. */
export interface HostRecordSpec {
  /** Name below the zone. */
  host: string;
  /** Addresses that it leads to. */
  addresses: ListSet<string> & MinItems<1>;
}

/** What the zone holds. */
export interface HostRecordStatus {
  /** Addresses that the provider was told last. */
  published?: ListSet<string>;
}

export const hostRecord = kind<HostRecord>({ plural: "hostrecords", subresources: { status: true } });
