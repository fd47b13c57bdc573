import type { ObjectMeta } from "./api-object.ts";
import type { Status } from "./status.ts";
import type { UserInfo } from "./user-info.ts";

/** What the parts of the server tell the audit trail about one request while they handle it. */
export interface RequestTrail {
  /** Whether objects in answers are kept; where not, nobody needs to write them out for the trail. */
  readonly keepsAnswers: boolean;
  impersonates(user: UserInfo): void;
  /** A note under a key of its own; the first note counts. */
  annotate(key: string, value: string): void;
  /** The object in the request as the server understood it; `json` is asked for only where it is kept. */
  carries(metadata: ObjectMeta | undefined, json: () => string): void;
  /** The object in the answer, as JSON. */
  answers(json: string): void;
  /** A Status in the answer. */
  ends(status: Status): void;
  /** The first bytes of an answer that goes on for long are on their way. */
  starts(code: number): void;
  /** Something went wrong that nobody foresaw. */
  fails(error: unknown): void;
}
