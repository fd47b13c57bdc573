import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type Int32, type Minimum, type OmitZero } from "../../vocabulary.ts";

/** Configuration of the admission plugin EventRateLimit: how many Events may be written per second. */
export interface Configuration extends TypeMeta {
  /** Limits on writing Events. An Event is rejected with status 429 if one of them is reached. At least one is required. */
  limits: Limit[] & Always;
}

/** Limit on the number of Events that are written per second. */
export interface Limit {
  /** What is counted together. */
  type: LimitType;
  /** Number of Events per second that are allowed on average. Must be positive. */
  qps: Int32 & Minimum<1>;
  /** Number of Events that are allowed at once before `qps` limits them. Must be positive. */
  burst: Int32 & Minimum<1>;
  /**
   * Maximum number of namespaces, users or sources whose counts are kept. The least recently used one is forgotten and starts again with
   * its full burst. Unset or 0 means 4096. Ignored for the type `Server`.
   */
  cacheSize?: Int32 & Minimum<0> & OmitZero;
}

/** What an Event limit counts together. */
export type LimitType =
  /** All Events that the server receives. */
  | "Server"
  /** The Events of a namespace. */
  | "Namespace"
  /** The Events that a user writes. */
  | "User"
  /** The Events of one source about one object. */
  | "SourceAndObject";

export const configuration = configKind<Configuration>({ group: "eventratelimit.admission.<domain>" });
