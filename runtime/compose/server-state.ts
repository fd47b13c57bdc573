import type { Background } from "./background.ts";

/** Where a server is in its life; its parts look here. */
export interface ServerState {
  /** `https://127.0.0.1:6443`, once it listens. */
  url: string;
  /** Everything that happens once at the start has happened. */
  started: boolean;
  /** What goes on besides requests, once it does. */
  background?: Background;
  /** Not ready any more; requests are still answered. */
  goingDown: boolean;
  /** Fires when watches must end. */
  readonly stopping: AbortController;
}

export function createServerState(): ServerState {
  return { url: "", started: false, goingDown: false, stopping: new AbortController() };
}
