import { ApiError, ConnectionError } from "../client/api-error.ts";
import { connectRequester } from "../client/connect.ts";
import { KubeconfigError } from "../client/login/kubeconfig.ts";

/** An error response. The status is 0 if there was no response. */
export class ServerError extends Error {
  readonly code = "Server";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads JSON from the server of a kubeconfig's current context. Rejects with an Error that contains the reason. */
export type ReadServer = (path: string) => Promise<unknown>;

export function connectKubeconfig(file: string): ReadServer {
  const requester = open(file);
  return async (path) => {
    try {
      return await requester.json({ method: "GET", path });
    } catch (error) {
      if (error instanceof ApiError) throw new ServerError(error.httpStatus, `${error.request}: ${error.message}`);
      if (error instanceof ConnectionError) throw new ServerError(0, error.message);
      throw error;
    }
  };
}

function open(file: string): ReturnType<typeof connectRequester>["requester"] {
  try {
    return connectRequester({ kubeconfig: file, userAgent: "typeplane" }).requester;
  } catch (error) {
    // If the file cannot be read, throws the original error: the caller adds the name of the file.
    throw error instanceof KubeconfigError && error.cause instanceof Error && "syscall" in error.cause
      ? error.cause
      : error;
  }
}
