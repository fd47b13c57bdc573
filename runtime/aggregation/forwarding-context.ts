import type { Address } from "../values/service-address.ts";
import type { HeaderRules } from "./passed-headers.ts";
import type { RemoteVersion } from "./remote-versions.ts";

/** What forwarding a request to an extension server needs. */
export interface ForwardingContext {
  /** The extension server of a path; undefined if this server serves it. */
  readonly ownerOf: (path: string) => RemoteVersion | undefined;
  /** The address of the extension server. Throws if it cannot be determined. */
  readonly addressOf: (remote: RemoteVersion) => Address;
  readonly headerRules: HeaderRules;
  /** Whether the UID of the user is sent to extension servers. */
  readonly tellsUid: boolean;
  readonly rejectsRedirects: boolean;
  /** Timeout for the response to a protocol upgrade; 0 means none. */
  readonly upgradeTimeoutMs: number;
  readonly stopping: AbortSignal;
  /** Called with the reason why a server cannot be reached. */
  readonly onProblem: (remote: RemoteVersion, problem: unknown) => void;
}
