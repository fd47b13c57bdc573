import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { registry as kubernetes } from "../generated/registry.ts";
import { ensureClusterIdentity } from "./auth/pki/cluster-identity.ts";
import { formatKubeconfig } from "./auth/pki/kubeconfig.ts";
import { servingNames } from "./auth/pki/serving-names.ts";
import { parseFlags, readConfig } from "./cli/read-config.ts";
import type { ApiRegistry } from "./contract/api-registry.ts";
import type { Fetch } from "./http/transport/in-memory-transport.ts";
import { joinRegistries } from "./kinds/join-registries.ts";
import type { Log } from "./lib/log.ts";
import { createServer, type Server } from "./server/create-server.ts";
import { readSettings } from "./server/read-settings.ts";
import { openStore } from "./store/open-store.ts";

/** How a client reaches a plane: what a kubeconfig holds, ready for an HTTPS agent. */
export interface ClientConfig {
  /** `https://127.0.0.1:40123` */
  readonly server: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly certificateAuthority: string;
  /** PEM of the administrator's certificate and key. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Bearer token of the administrator. */
  readonly token: string;
}

export interface PlaneOptions {
  /** 0, the default, chooses a free port on loopback. */
  readonly port?: number;
  /** False: no socket is opened; the plane is reached by its `fetch`. */
  readonly listen?: boolean;
  /** Keep objects and keys here; nothing is kept without it. */
  readonly directory?: string;
  /** Flags of `typeplane serve`, as on the command line: `{ "feature-gates": "WatchList=true" }`; a list repeats one. */
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  /** Kinds of one's own, served beside those of Kubernetes: `registry` of the project's `generated/registry.ts`. */
  readonly kinds?: ApiRegistry;
  readonly log?: Log;
  /** Called when the data directory cannot be used any more: the plane must be stopped, and started again. */
  readonly onStoreLost?: (error: Error) => void;
}

/** A complete server in this process. */
export interface Plane {
  readonly client: ClientConfig;
  /** The same as text, for tools that want a file. */
  readonly kubeconfig: string;
  /**
   * Sends requests from within the process, without a socket: `await plane.fetch("/api/v1/namespaces")`. Requests are the
   * administrator's, unless they have an `Authorization` header of their own.
   */
  readonly fetch: Fetch;
  /** Resolves once system namespaces, default roles and the like exist; requests are answered before. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

const ADMIN_TOKEN_LENGTH = 32;

/**
 * Starts a server for tests and tools: in memory, on a free port of loopback, with everything on. It installs no handlers of
 * the process: an unexpected error is logged and counted where it happens, and one that reaches the process all
 * the same (`uncaughtException`) is for the program to decide about, as is a data directory that was lost (`onStoreLost`).
 */
export async function startPlane(options: PlaneOptions = {}): Promise<Plane> {
  if (options.directory !== undefined) return startIn(options.directory, options);
  const directory = mkdtempSync(join(tmpdir(), "typeplane-"));
  const forget = () => rmSync(directory, { recursive: true, force: true });
  try {
    const plane = await startIn(directory, options);
    return { ...plane, stop: () => plane.stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}

async function startIn(directory: string, options: PlaneOptions): Promise<Plane> {
  const token = randomToken();
  const flags = {
    "secure-port": String(options.port ?? 0),
    "data-dir": options.directory === undefined ? "memory" : join(directory, "data"),
    "cert-dir": join(directory, "pki"),
    ...options.flags,
  };
  const config = {
    ...readConfig(
      parseFlags(Object.entries(flags).flatMap(([name, value]) => [value].flat().map((one) => `--${name}=${one}`))),
    ),
    kubeconfigOut: undefined,
    tokenAuthFile: { path: "plane", contents: `${token},admin,admin,"system:masters"\n` },
  };
  const log = options.log ?? (() => undefined);
  const settings = await readSettings(
    options.kinds ? joinRegistries(kubernetes, options.kinds) : kubernetes,
    config,
    log,
  );
  const identity = ensureClusterIdentity({
    directory: config.certDir,
    names: servingNames({ vendor: "kubernetes", serviceAddresses: [] }),
    vendor: "kubernetes",
    now: () => new Date(),
  });
  const store = await openStore(config, options.onStoreLost);
  const server = await createServer({
    settings,
    store,
    identity,
    log,
    listens: options.listen ?? true,
  });
  return {
    client: {
      server: server.url,
      certificateAuthority: identity.serverTrustPem,
      clientCertificate: identity.admin.certificatePem,
      clientKey: identity.admin.keyPem,
      token,
    },
    kubeconfig: formatKubeconfig({ server: server.url, name: "typeplane", identity }),
    fetch: asAdministrator(server, token),
    ready: server.ready,
    stop: () => server.stop(),
  };
}

/** Adds the administrator's token to requests without an `Authorization` header. */
function asAdministrator({ fetch, url }: Server, token: string): Fetch {
  return (input, init) => {
    const request = new Request(typeof input === "string" ? new URL(input, url) : input, init);
    if (!request.headers.has("Authorization")) request.headers.set("Authorization", `Bearer ${token}`);
    return fetch(request);
  };
}

function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(ADMIN_TOKEN_LENGTH))).toString("base64url");
}
