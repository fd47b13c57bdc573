import type { AccessAttributes } from "../contract/authorization.ts";
import type { AuditLevel, AuditVerdict } from "./audit-policy.ts";
import { AuditedRequest, type IncomingFacts, type TrailParts } from "./request-trail.ts";

export interface AuditorParts extends TrailParts {
  readonly verdictOn: (attributes: AccessAttributes) => AuditVerdict;
  /** Called with the level of every request, including those that are not audited. */
  readonly onLevel: (level: AuditLevel) => void;
  /** Called for requests that are rejected because their first event could not be written. */
  readonly onRejected: () => void;
}

/** Decides which requests are audited, and starts their audit trail. */
export class Auditor {
  readonly #parts: AuditorParts;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
  }

  micros(): number {
    return this.#parts.micros();
  }

  /** Returns undefined for requests that the policy does not audit; `facts` is then not called. */
  begin(attributes: AccessAttributes, facts: () => IncomingFacts): AuditedRequest | undefined {
    const verdict = this.#parts.verdictOn(attributes);
    this.#parts.onLevel(verdict.level);
    if (verdict.level === "None") return undefined;
    return new AuditedRequest(facts(), verdict, this.#parts);
  }

  rejected(): void {
    this.#parts.onRejected();
  }
}
