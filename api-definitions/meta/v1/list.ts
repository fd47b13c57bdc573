import type { RawObject } from "../../vocabulary.ts";
import type { ListOf } from "./type-meta.ts";

/** Objects of any kinds. */
export type List = ListOf<RawObject>;
