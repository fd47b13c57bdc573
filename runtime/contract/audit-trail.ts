import type { ObjectMeta } from "./api-object.ts";
import type { Status } from "./status.ts";
import type { UserInfo } from "./user-info.ts";

/** A part of a request that another program performs. Part of the annotation's name in audit events. */
export type TimedPart = "mutating-webhook" | "validating-webhook";

/** The audit trail of one request. The server calls it while it handles the request. */
export interface RequestTrail {
  /** Whether response objects are recorded; if not, callers need not serialize them. */
  readonly keepsAnswers: boolean;
  impersonates(user: UserInfo): void;
  /** Adds an annotation. The first value of a key is kept. */
  annotate(key: string, value: string): void;
  /** Records the decoded object of the request; `json` is called only if objects are recorded. */
  carries(metadata: ObjectMeta | undefined, json: () => string): void;
  /** Records the object in the response, as JSON. */
  answers(json: string): void;
  /** Records a Status in the response. */
  ends(status: Partial<Status>): void;
  /** Records the start of a long-running response. */
  starts(code: number): void;
  /** Records the duration of a part of the request, in milliseconds. Events of slow requests contain it. */
  spent(part: TimedPart, milliseconds: number): void;
  /** Records an unexpected error. */
  fails(error: unknown): void;
}
