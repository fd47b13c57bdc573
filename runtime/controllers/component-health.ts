import type { ApiObject } from "../contract/api-object.ts";
import type { ComputedKind } from "../contract/computed-kind.ts";
import { notFound } from "../values/status-errors.ts";

export interface ComponentHealthParts {
  /** Resolves when the store responds. */
  readonly pingStore: () => Promise<unknown>;
  /** Health endpoints of control plane components, by name. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Default health endpoints of kube-controller-manager and kube-scheduler. */
const USUAL_ENDPOINTS = {
  "controller-manager": "https://127.0.0.1:10257/healthz",
  scheduler: "https://127.0.0.1:10259/healthz",
};
const STORE = "etcd-0";
const PROBE_TIMEOUT_MS = 20_000;
const LONGEST_MESSAGE = 10 * 1024;

interface Finding {
  readonly status: "True" | "False";
  readonly message?: string;
  readonly error?: string;
}

/** Creates ComponentStatus, which probes the components of the control plane on every read. */
export function createComponentHealth({ pingStore, endpoints = USUAL_ENDPOINTS }: ComponentHealthParts): ComputedKind {
  const checks = new Map<string, () => Promise<Finding>>([
    [STORE, () => checkStore(pingStore)],
    ...Object.entries(endpoints).map(([name, url]) => [name, () => checkEndpoint(url)] as const),
  ]);
  const look = async (name: string, check: () => Promise<Finding>): Promise<ApiObject> => ({
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name },
    conditions: [{ type: "Healthy", ...(await check()) }],
  });
  return {
    list: () => Promise.all([...checks].map(([name, check]) => look(name, check))),
    async get(name) {
      const check = checks.get(name);
      if (check === undefined) throw notFound({ group: "", resource: "componentstatus" }, name);
      return look(name, check);
    },
  };
}

async function checkStore(ping: () => Promise<unknown>): Promise<Finding> {
  try {
    await ping();
    return { status: "True", message: "ok" };
  } catch (error) {
    return { status: "False", error: error instanceof Error ? error.message : String(error) };
  }
}

/** Probes a health endpoint. Does not verify the server certificate, because the components use self-signed ones by default. */
function checkEndpoint(url: string): Promise<Finding> {
  return new Promise((resolve) => {
    const failed = (message: string): void => resolve({ status: "False", message });
    // Loaded on the first request, to keep start-up fast.
    const request = process
      .getBuiltinModule("node:https")
      .get(url, { rejectUnauthorized: false, timeout: PROBE_TIMEOUT_MS }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece: string) => {
          text = (text + piece).slice(0, LONGEST_MESSAGE);
        });
        answer.on("error", (error) => failed(error.message));
        answer.on("end", () => {
          const code = answer.statusCode ?? 0;
          if (code >= 200 && code < 300) resolve({ status: "True", message: text });
          else failed(`HTTP probe failed with statuscode: ${code}`);
        });
      });
    request.on("timeout", () => request.destroy(new Error("context deadline exceeded")));
    request.on("error", (error: NodeJS.ErrnoException) => failed(`Get "${url}": ${describe(error, url)}`));
  });
}

function describe(error: NodeJS.ErrnoException, url: string): string {
  const { host } = new URL(url);
  return error.code === "ECONNREFUSED" ? `dial tcp ${host}: connect: connection refused` : error.message;
}
