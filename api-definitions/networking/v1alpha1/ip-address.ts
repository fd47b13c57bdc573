import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type OmitZero } from "../../vocabulary.ts";

/** An address that is in use. */
export interface IPAddress extends ClusterScoped {
  /** What is asked for. */
  spec?: IPAddressSpec & Always;
}

/** Who uses an address. */
export interface IPAddressSpec {
  /** The object that uses it. */
  parentRef: ParentReference & OmitZero;
}

/** An object of any kind. */
export interface ParentReference {
  /** Group of its resource. */
  group?: string & OmitZero;
  /** Its resource. */
  resource: string & OmitZero;
  /** Its namespace. */
  namespace?: string & OmitZero;
  /** Its name. */
  name: string & OmitZero;
}

export const ipAddress = kind<IPAddress>({
  plural: "ipaddresses",
  shortNames: ["ip"],
  introduced: "1.27",
  deprecated: "1.30",
  removed: "1.33",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "ParentRef", type: "string", description: "Who uses it." },
  ],
});
