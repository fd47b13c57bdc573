import type { ListAtomic } from "../../vocabulary.ts";

/** Something that is allowed. */
export interface PolicyRule {
  /** What may be done; `*` for everything. */
  verbs: ListAtomic<string>;
  /** Groups of the resources; `*` for all. */
  apiGroups?: ListAtomic<string>;
  /** With which resources; `*` for all. */
  resources?: ListAtomic<string>;
  /** Only objects with these names; all when empty. */
  resourceNames?: ListAtomic<string>;
  /** Paths outside the API, for cluster roles only. */
  nonResourceURLs?: ListAtomic<string>;
}
