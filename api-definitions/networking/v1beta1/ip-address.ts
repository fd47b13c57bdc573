import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type OmitZero } from "../../vocabulary.ts";

/**
 * Records that an IP address is in use. The server creates and deletes one for each cluster IP of a Service; users
 * rarely write them. Its name is the address in its canonical form, such as `10.0.0.1` or `2001:db8::1`, so that no
 * address can be assigned twice.
 */
export interface IPAddress extends ClusterScoped {
  /** Desired state of the IPAddress: the object that uses it. */
  spec?: IPAddressSpec & Always;
}

/** The object that an IP address is assigned to. */
export interface IPAddressSpec {
  /** Object that uses the address, such as a Service. Required, and cannot be changed after creation. */
  parentRef: ParentReference & OmitZero;
}

/** Reference to the object that uses an IP address. */
export interface ParentReference {
  /** API group of the resource. Empty for the core group. */
  group?: string & OmitZero;
  /** Resource of the object in plural, such as `services`. */
  resource: string & OmitZero;
  /** Namespace of the object. Empty for objects of the cluster. */
  namespace?: string & OmitZero;
  /** Name of the object. */
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "ParentRef",
      type: "string",
      description: "Object that uses the address, as `<resource>/<namespace>/<name>`.",
    },
  ],
});
