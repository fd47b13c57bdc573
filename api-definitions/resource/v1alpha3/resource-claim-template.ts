import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, kind } from "../../vocabulary.ts";
import type { ResourceClaimSpec } from "./resource-claim.ts";

/** A claim to be made for each pod. */
export interface ResourceClaimTemplate extends Namespaced {
  /** What is asked for. */
  spec: ResourceClaimTemplateSpec;
}

/** A claim to be copied. */
export interface ResourceClaimTemplateSpec {
  /** Labels and annotations of the copies. */
  metadata?: ObjectMeta & Always;
  /** What they ask for. */
  spec: ResourceClaimSpec;
}

export const resourceClaimTemplate = kind<ResourceClaimTemplate>({
  plural: "resourceclaimtemplates",
  introduced: "1.31",
  deprecated: "1.34",
  removed: "1.37",
  replacement: "resource.<domain>/v1beta1 ResourceClaimTemplate",
  offByDefault: true,
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
