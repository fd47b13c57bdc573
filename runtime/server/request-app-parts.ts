import type { Aggregation } from "../aggregation/create-aggregation.ts";
import type { Audit } from "../audit/open-audit.ts";
import type { Authentication } from "../auth/authenticate/create-authentication.ts";
import type { Disturber } from "../disturb/disturber.ts";
import type { FindHandler } from "../handlers/handler.ts";
import type { RequestFairness } from "./request-fairness.ts";
import type { ServerCore } from "./server-core.ts";

/** Dependencies of the request app. */
export interface RequestAppParts {
  readonly core: ServerCore;
  readonly authentication: Authentication;
  readonly aggregation: Aggregation;
  /** Absent if auditing is off. */
  readonly audit: Audit | undefined;
  readonly findHandler: FindHandler;
  /** Absent in servers that do not disturb their clients. */
  readonly disturber: Disturber | undefined;
  /** Absent if requests are not queued. */
  readonly fairness: RequestFairness | undefined;
}
