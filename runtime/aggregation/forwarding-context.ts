import type { HeaderRules } from "./passed-headers.ts";
import type { RemoteVersion } from "./remote-versions.ts";
import type { Address } from "./service-directory.ts";

/** What forwarding a request to an extension server needs. */
export interface ForwardingContext {
  /** Who answers for a path; undefined where this server does so itself. */
  readonly ownerOf: (path: string) => RemoteVersion | undefined;
  /** Where its server is. Throws where there is no way to it. */
  readonly addressOf: (remote: RemoteVersion) => Address;
  readonly headerRules: HeaderRules;
  /** Whether other servers are told the uid of who asks. */
  readonly tellsUid: boolean;
  readonly rejectsRedirects: boolean;
  /** How long a server may take to answer a request to switch protocols; 0 waits. */
  readonly upgradeTimeoutMs: number;
  readonly stopping: AbortSignal;
  /** Told why a server is out of reach. */
  readonly onProblem: (remote: RemoteVersion, problem: unknown) => void;
}
