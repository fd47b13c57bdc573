/** Why a server could not start, with the recommended action. The exit status is 1. */
export class StartError extends Error {
  readonly code = "Start";
}

/** Creates a StartError about the value of a flag. */
export function unusable(flag: string, value: string, error: unknown): StartError {
  const why = error instanceof Error ? error.message : String(error);
  return new StartError(`--${flag}=${value}: ${why}`, { cause: error });
}

/** Converts errors of `listen` to StartErrors that name the flag to change. Returns other errors unchanged. */
export function explainListening(error: unknown, address: string, port: number): unknown {
  const words = LISTENING[(error as NodeJS.ErrnoException | undefined)?.code ?? ""];
  const isListening = (error as NodeJS.ErrnoException | undefined)?.syscall === "listen";
  return isListening && words !== undefined ? new StartError(words(address, port), { cause: error }) : error;
}

const LISTENING: Readonly<Record<string, ((address: string, port: number) => string) | undefined>> = {
  EADDRINUSE: (address, port) =>
    `port ${port} of ${address} is already in use: stop the process that listens on it, or choose another with --secure-port (0 chooses a free port)`,
  EADDRNOTAVAIL: (address) => `--bind-address=${address}: this machine has no such address`,
  EACCES: (_address, port) =>
    `--secure-port=${port}: no permission to listen on this port; ports from 1024 on need none`,
};
