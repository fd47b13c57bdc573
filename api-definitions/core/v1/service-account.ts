import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type ListMap, type OptionalKeys, type PatchMerge } from "../../vocabulary.ts";
import type { LocalObjectReference, ObjectReference } from "./references.ts";

/**
 * An identity for processes in pods. A pod authenticates as the account that it names in `serviceAccountName`, or as
 * `default` of its namespace.
 */
export interface ServiceAccount extends Namespaced {
  /**
   * Secrets of the same namespace that belong to the account, such as token Secrets of older clusters; only `name` is
   * stored. The list restricts the Secrets that pods of the account may use only if the account has the annotation
   * `kubernetes.io/enforce-mountable-secrets: "true"`, which is deprecated. Use TokenRequest to get tokens, not this
   * list.
   */
  secrets?: ListMap<ObjectReference, "name"> & PatchMerge<"name"> & OptionalKeys;
  /**
   * Secrets of the same namespace with registry credentials. Added to new pods of the account that specify no
   * `imagePullSecrets` themselves.
   */
  imagePullSecrets?: ListAtomic<LocalObjectReference>;
  /**
   * Whether a token of the account is mounted into its pods. A pod overrides it with its own field of this name. Unset
   * means `true`.
   */
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
    { name: "Secrets", type: "string", description: "Number of Secrets in `secrets`." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
