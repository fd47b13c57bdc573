import { ConnectionError } from "../api-error.ts";
import type { RequestHeaders, Transport } from "./transport.ts";

/** Sends requests by a function with the signature of `fetch`, such as that of an in-process plane. */
export function createFetchTransport(fetch: typeof globalThis.fetch, headers: RequestHeaders): Transport {
  return {
    async send(request) {
      const { method, path, body, signal } = request;
      let response: Response;
      try {
        response = await fetch(path, {
          method,
          headers: flatten({ ...request.headers, ...headers }),
          ...(body !== undefined && { body }),
          ...(signal !== undefined && { signal }),
        });
      } catch (error) {
        throw signal?.aborted ? signal.reason : connectionError(method, path, error);
      }
      const chunks = readBody(response, request);
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        body: chunks,
        read: async (take) => {
          for await (const chunk of chunks) await take(chunk);
        },
      };
    },
    renew: () => false,
    close: () => undefined,
  };
}

/** Throws a TypeError for a header with several values: `Headers` would join them with commas. */
function flatten(headers: RequestHeaders): [string, string][] {
  return Object.entries(headers).map(([name, value]) => {
    if (typeof value === "string") return [name, value];
    if (value.length > 1) throw new TypeError(`a plane in this process takes one ${name} only`);
    return [name, value[0] ?? ""];
  });
}

async function* readBody(
  { body }: Response,
  { method, path, signal }: { readonly method: string; readonly path: string; readonly signal?: AbortSignal },
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  try {
    yield* body;
  } catch (error) {
    throw signal?.aborted ? signal.reason : connectionError(method, path, error);
  }
}

function connectionError(method: string, path: string, cause: unknown): ConnectionError {
  const { message, cause: deeper } = cause as Error;
  const reason = deeper instanceof Error ? deeper.message : message;
  return new ConnectionError(`${method} ${path}: ${reason}`, { cause });
}
