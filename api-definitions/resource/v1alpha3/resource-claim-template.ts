import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { ResourceClaimSpec } from "./resource-claim.ts";

/**
 * Template by which a ResourceClaim is created for each pod that refers to it. Use it to give every pod devices of its
 * own; use a ResourceClaim to share devices between pods. The claim belongs to the pod and is deleted with it.
 */
export interface ResourceClaimTemplate extends Namespaced {
  /** Desired state of the ResourceClaims that are created. Cannot be changed after creation. */
  spec: ResourceClaimTemplateSpec;
}

/** Metadata and content of the ResourceClaims that are created from a template. */
export interface ResourceClaimTemplateSpec {
  /** Labels and annotations of the created ResourceClaims. Other fields must be unset. */
  metadata?: ObjectMeta & Always;
  /** Content of `spec` of the created ResourceClaims. */
  spec: ResourceClaimSpec;
}

export const resourceClaimTemplate = kind<ResourceClaimTemplate>({
  plural: "resourceclaimtemplates",
  returnsDeleted: true,
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  replacement: "resource.<domain>/v1beta1 ResourceClaimTemplate",
  offByDefault: true,
  columns: [
    {
      name: "Name",
      type: "string",
      format: "name",
      path: ".metadata.name",
      description: "Name of the ResourceClaimTemplate.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the ResourceClaimTemplate was created.",
    },
  ],
});
