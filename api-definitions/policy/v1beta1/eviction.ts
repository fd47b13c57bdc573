import type { DeleteOptions } from "../../meta/v1/delete-options.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { kind } from "../../vocabulary.ts";

export interface Eviction extends Namespaced {
  deleteOptions?: DeleteOptions;
}

export const eviction = kind<Eviction>({ unserved: true, introduced: "1.5", deprecated: "1.22", removed: "1.25" });
