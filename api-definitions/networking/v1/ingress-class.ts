import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Immutable, kind, type Nullable, type OmitZero } from "../../vocabulary.ts";

/**
 * Connects Ingresses with the controller that implements them. Ingresses name it in `spec.ingressClassName`. With the
 * annotation `ingressclass.kubernetes.io/is-default-class: "true"` it applies to new Ingresses that name no class.
 */
export interface IngressClass extends ClusterScoped {
  /** Desired state of the IngressClass: its controller and parameters. */
  spec?: IngressClassSpec & Always;
}

/** Controller of an IngressClass, and the parameters that it gets. */
export interface IngressClassSpec {
  /**
   * Name of the controller that implements Ingresses of this class, as a domain-prefixed path such as
   * `acme.io/ingress-controller`, at most 250 characters long. Controllers ignore classes with a name other than
   * theirs.
   */
  controller?: string & OmitZero & Immutable;
  /**
   * Object with further configuration of the class. Which kinds are supported depends on the controller. If unset,
   * there is none.
   */
  parameters?: IngressClassParametersReference;
}

/** Reference to an object, in a namespace or of the cluster, that configures an IngressClass. */
export interface IngressClassParametersReference {
  /** API group of the kind of the object. Unset for the core group. */
  apiGroup?: string;
  /** Kind of the object. */
  kind: string;
  /** Name of the object. */
  name: string;
  /** Whether the object belongs to the cluster or to a namespace: `Cluster` or `Namespace`. */
  scope?: string & Nullable & Default<"Cluster">;
  /** Namespace of the object. Required if `scope` is `Namespace`, not allowed if it is `Cluster`. */
  namespace?: string;
}

export const ingressClass = kind<IngressClass>({
  plural: "ingressclasses",
  generation: true,
  introduced: "1.19",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    {
      name: "Controller",
      type: "string",
      path: ".spec.controller",
      description: "Name of the controller that implements the class.",
    },
    {
      name: "Parameters",
      type: "string",
      description: "Object with parameters for the controller, as `<kind>.<group>/<name>`.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
