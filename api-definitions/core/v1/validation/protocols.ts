import { Protocol } from "../../../../generated/values/core.v1.ts";
/** Protocols of ports, in the order in which messages list them. */
export const PROTOCOLS: readonly string[] = [...Protocol].sort();
