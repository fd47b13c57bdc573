import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type OmitZero } from "../../vocabulary.ts";

export interface IPAddress extends ClusterScoped {
  spec?: IPAddressSpec & Always;
}

export interface IPAddressSpec {
  parentRef: ParentReference & OmitZero;
}

export interface ParentReference {
  group?: string & OmitZero;
  resource: string & OmitZero;
  namespace?: string & OmitZero;
  name: string & OmitZero;
}

export const ipAddress = kind<IPAddress>({
  plural: "ipaddresses",
  shortNames: ["ip"],
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  offByDefault: true,
  storage: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "ParentRef", type: "string" },
  ],
});
