import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type ListMap, type PatchMerge } from "../../vocabulary.ts";
import type { LocalObjectReference, ObjectReference } from "./references.ts";

export interface ServiceAccount extends Namespaced {
  secrets?: ListMap<ObjectReference, "name"> & PatchMerge<"name">;
  imagePullSecrets?: ListAtomic<LocalObjectReference>;
  automountServiceAccountToken?: boolean;
}

export const serviceAccount = kind<ServiceAccount>({
  plural: "serviceaccounts",
  returnsDeleted: true,
  shortNames: ["sa"],
  introduced: "1.0",
  subresources: { token: { kind: "authentication.<domain>/v1 TokenRequest", verbs: ["create"] } },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Secrets", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
