import { conversion } from "typeplane/vocabulary";
import type { HostRecord } from "./v1/host-record.ts";
import type { HostRecord as HostRecordV1beta1 } from "./v1beta1/host-record.ts";

/** v1 has several addresses, v1beta1 has one. The others are kept in an annotation of v1beta1 objects. */
export const hostRecordV1beta1 = conversion<HostRecordV1beta1, HostRecord>({
  rename: { "spec.name": "spec.host" },
  toHub({ spec }, hub) {
    hub.spec.addresses = [spec.address];
  },
  fromHub({ spec }, older) {
    older.spec.address = spec.addresses?.[0] ?? "";
  },
});
