import type { EmptyStruct } from "../../vocabulary.ts";

export type Patch = EmptyStruct;
