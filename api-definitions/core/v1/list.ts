import type { ListOf } from "../../meta/v1/type-meta.ts";
import { kind, type RawObject } from "../../vocabulary.ts";

/** Objects of any kinds. */
export type List = ListOf<RawObject>;

export const list = kind<List>({ unserved: true, introduced: "1.0" });
