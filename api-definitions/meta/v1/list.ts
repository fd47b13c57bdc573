import type { RawObject } from "../../vocabulary.ts";
import type { ListOf } from "./type-meta.ts";

/** A list of objects that may be of different kinds. */
export type List = ListOf<RawObject>;
