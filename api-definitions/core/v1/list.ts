import type { ListOf } from "../../meta/v1/type-meta.ts";
import { kind, type RawObject } from "../../vocabulary.ts";

/** A list of objects whose kinds may differ, as kubectl writes it. The server does not serve it as a resource. */
export type List = ListOf<RawObject>;

export const list = kind<List>({ unserved: true, introduced: "1.0" });
