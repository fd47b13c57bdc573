import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type ListMap, type OptionalKeys, type PatchMerge } from "../../vocabulary.ts";
import type { LocalObjectReference, ObjectReference } from "./references.ts";

/** An identity for programs that run in pods. */
export interface ServiceAccount extends Namespaced {
  /** Secrets that pods of this account may use. */
  secrets?: ListMap<ObjectReference, "name"> & PatchMerge<"name"> & OptionalKeys;
  /** Secrets with credentials to fetch images. */
  imagePullSecrets?: ListAtomic<LocalObjectReference>;
  /** Whether pods get the account's token unless they say otherwise. */
  automountServiceAccountToken?: boolean;
}

export const serviceAccount = kind<ServiceAccount>({
  plural: "serviceaccounts",
  shortNames: ["sa"],
  introduced: "1.0",
  returnsDeleted: true,
  subresources: { token: { kind: "authentication.<domain>/v1 TokenRequest", verbs: ["create"] } },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Secrets", type: "string", description: "How many secrets there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
