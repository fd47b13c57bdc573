import type { RawObject } from "../../vocabulary.ts";
import type { ListOf } from "./type-meta.ts";

export type List = ListOf<RawObject>;
