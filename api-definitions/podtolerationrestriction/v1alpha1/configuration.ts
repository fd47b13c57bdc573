import type { Toleration } from "../../core/v1/scheduling.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind } from "../../vocabulary.ts";

/** Configuration of the admission plugin PodTolerationRestriction, for namespaces without annotations of their own. */
export interface Configuration extends TypeMeta {
  /**
   * Tolerations that new pods get, unless the namespace has the annotation `scheduler.alpha.kubernetes.io/defaultTolerations`.
   */
  default?: Toleration[];
  /**
   * Tolerations that pods may have, unless the namespace has the annotation `scheduler.alpha.kubernetes.io/tolerationsWhitelist`. Without
   * entries, pods may have any.
   */
  whitelist?: Toleration[];
}

export const configuration = configKind<Configuration>({ group: "podtolerationrestriction.admission.<domain>" });
