/** A kind without its version. */
export interface GroupKind {
  /** The group. */
  group: string;
  /** The kind. */
  kind: string;
}

/** A resource without its version. */
export interface GroupResource {
  /** The group. */
  group: string;
  /** The resource. */
  resource: string;
}

/** A kind in full. */
export interface GroupVersionKind {
  /** The group. */
  group: string;
  /** The version. */
  version: string;
  /** The kind. */
  kind: string;
}

/** A resource in full. */
export interface GroupVersionResource {
  /** The group. */
  group: string;
  /** The version. */
  version: string;
  /** The resource. */
  resource: string;
}
