import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type AtomicStruct, type Default, type Int32, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";
import type { Protocol } from "./container.ts";
import type { ObjectReference } from "./references.ts";

export interface Endpoints extends Namespaced {
  subsets?: ListAtomic<EndpointSubset>;
}

export interface EndpointSubset {
  addresses?: ListAtomic<EndpointAddress>;
  notReadyAddresses?: ListAtomic<EndpointAddress>;
  ports?: ListAtomic<EndpointPort>;
}

export interface EndpointAddress extends AtomicStruct {
  ip: string;
  hostname?: string & OmitZero;
  nodeName?: string;
  targetRef?: ObjectReference;
}

export interface EndpointPort extends AtomicStruct {
  name?: string & OmitZero;
  port: Int32;
  protocol?: Protocol & OmitZero & Default<"TCP">;
  appProtocol?: string;
}

export const endpoints = kind<Endpoints>({
  plural: "endpoints",
  shortNames: ["ep"],
  introduced: "1.0",
  deprecated: "1.33",
  replacement: "discovery.<domain>/v1 EndpointSlice",
  storedAs: "services/endpoints",
  createOnUpdate: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Endpoints", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
