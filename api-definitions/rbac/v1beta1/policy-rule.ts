import type { ListAtomic } from "../../vocabulary.ts";

export interface PolicyRule {
  verbs: ListAtomic<string>;
  apiGroups?: ListAtomic<string>;
  resources?: ListAtomic<string>;
  resourceNames?: ListAtomic<string>;
  nonResourceURLs?: ListAtomic<string>;
}
