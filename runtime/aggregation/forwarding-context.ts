import type { Address } from "../values/service-address.ts";
import type { HeaderRules } from "./passed-headers.ts";
import type { RemoteVersion } from "./remote-versions.ts";

/** Dependencies of forwarding a request to an extension server. */
export interface ForwardingContext {
  /** Returns the extension server of a path; undefined if this server serves it. */
  readonly ownerOf: (path: string) => RemoteVersion | undefined;
  /** Returns the address of the extension server. Throws if it cannot be determined. */
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
