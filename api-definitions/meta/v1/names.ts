/** Identifies a kind of an API group, in any version. */
export interface GroupKind {
  /** API group of the kind. Empty for the core group. */
  group: string;
  /** Name of the kind, such as `Pod`. */
  kind: string;
}

/** Identifies a resource of an API group, in any version. */
export interface GroupResource {
  /** API group of the resource. Empty for the core group. */
  group: string;
  /** Plural name of the resource, such as `pods`. */
  resource: string;
}

/** Identifies a kind in one version of an API group. */
export interface GroupVersionKind {
  /** API group of the kind. Empty for the core group. */
  group: string;
  /** Version of the group, such as `v1`. */
  version: string;
  /** Name of the kind, such as `Pod`. */
  kind: string;
}

/** Identifies a resource in one version of an API group. */
export interface GroupVersionResource {
  /** API group of the resource. Empty for the core group. */
  group: string;
  /** Version of the group, such as `v1`. */
  version: string;
  /** Plural name of the resource, such as `pods`. */
  resource: string;
}
