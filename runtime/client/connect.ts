import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settling } from "../contract/settling.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { Client } from "./client.ts";
import {
  type Entry,
  type Environment,
  KubeconfigError,
  kubeconfigFiles,
  mergeKubeconfigs,
  pemOf,
  readKubeconfigs,
  selectContext,
  textOf,
} from "./login/kubeconfig.ts";
import type { Impersonation } from "./login/login.ts";
import { impersonationHeaders, loginOfUser, tokenFileLogin, withHeaders } from "./login/user-login.ts";
import { Requester } from "./requester.ts";
import { proxyOf } from "./transport/environment-proxy.ts";
import { createFetchTransport } from "./transport/fetch-transport.ts";
import { type Endpoint, HttpTransport } from "./transport/http-transport.ts";
import type { RequestHeaders, Transport } from "./transport/transport.ts";

export interface ConnectOptions {
  /**
   * A plane in this process. Requests need no socket and have administrator rights. The client uses the clock of the plane, and `plane.settled()`
   * waits for its informers.
   */
  readonly plane?: { readonly fetch: typeof globalThis.fetch; readonly clock?: Clock } & Partial<Settling>;
  /** Path of a kubeconfig, or several paths to merge. */
  readonly kubeconfig?: string | readonly string[];
  /** Contents of a kubeconfig. Paths in it are relative to the working directory. */
  readonly kubeconfigText?: string;
  /** Context of the kubeconfig; by default its current context. */
  readonly context?: string;
  /** Connects from within a pod as its service account. `directory` contains the token and the CA certificate. */
  readonly inCluster?: boolean | { readonly directory: string };
  /** User to impersonate. */
  readonly impersonate?: Impersonation;
  /** Field manager of all writes, unless a request names another. Required for apply. */
  readonly fieldManager?: string;
  readonly userAgent?: string;
  /** Timeout of requests other than watches; one minute by default. */
  readonly timeoutMs?: number;
  /** Maximum number of retries after a response with 429 or 503 and `Retry-After`; 10 by default. */
  readonly retries?: number;
  /** For tests: the clock, and random numbers for the jitter of retries (at least 0 and below 1). */
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly environment?: Environment;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 10;
const USER_AGENT = "typeplane-client";

/**
 * Connects to an in-process plane, to the server of a kubeconfig, or to the cluster in which this process runs. If none is specified, uses the
 * kubeconfig of `KUBECONFIG` or `~/.kube/config` if it exists, otherwise the service account of the pod. Sends no request yet. Rejects with a
 * `KubeconfigError` if no connection is configured.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { requester, namespace } = connectRequester(options);
  return new Client({
    requester,
    namespace,
    fieldManager: options.fieldManager,
    random: options.random ?? Math.random,
  });
}

/** Like `connect`, but returns the requester on which clients are based. */
export function connectRequester(options: ConnectOptions): {
  readonly requester: Requester;
  readonly namespace: string;
} {
  const {
    plane,
    clock = plane?.clock ?? systemClock,
    userAgent = USER_AGENT,
    timeoutMs = TIMEOUT_MS,
    retries = RETRIES,
  } = options;
  const { transport, namespace } = openTransport(options, clock);
  return {
    requester: new Requester({ transport, clock, userAgent, timeoutMs, retries, join: plane?.join }),
    namespace,
  };
}

interface Opened {
  readonly transport: Transport;
  readonly namespace: string;
}

function openTransport(options: ConnectOptions, clock: Clock): Opened {
  const { plane, inCluster, kubeconfig, kubeconfigText, impersonate, environment = process.env } = options;
  const as = impersonate === undefined ? {} : impersonationHeaders(impersonate);
  if (plane !== undefined) return { transport: createFetchTransport(plane.fetch, as), namespace: "default" };
  const files = kubeconfig === undefined ? kubeconfigFiles(environment) : [kubeconfig].flat();
  const isNamed = kubeconfig !== undefined || kubeconfigText !== undefined || options.context !== undefined;
  const isInCluster = inCluster ?? (!isNamed && !files.some((file) => existsSync(file)));
  if (isInCluster !== false) {
    const { directory } = isInCluster === true ? { directory: ACCOUNT_DIRECTORY } : isInCluster;
    return inClusterTransport(environment, directory, clock, as);
  }
  const config =
    kubeconfigText === undefined
      ? readKubeconfigs(files)
      : mergeKubeconfigs([{ file: join(process.cwd(), "kubeconfig"), text: kubeconfigText }]);
  const { cluster, user, namespace } = selectContext(config, options.context);
  const endpoint = endpointOf(cluster);
  const login = withHeaders(loginOfUser(user, { endpoint, environment, clock }), as);
  return { transport: new HttpTransport(withProxy(endpoint, environment), login), namespace };
}

/** Adds the proxy of the kubeconfig, or else of the environment. */
function withProxy(endpoint: Endpoint, environment: Environment): Endpoint {
  const proxyUrl = endpoint.proxyUrl ?? proxyOf(endpoint.server, environment);
  return proxyUrl === undefined ? endpoint : { ...endpoint, proxyUrl };
}

function endpointOf(cluster: Entry): Endpoint {
  const server = textOf(cluster, "server");
  if (!/^https?:\/\//.test(server) || !URL.canParse(server))
    throw new KubeconfigError(`${cluster.file}: server "${server}" is not an http or https URL`);
  const [ca, name] = [pemOf(cluster, "certificate-authority"), textOf(cluster, "tls-server-name")];
  const proxyUrl = textOf(cluster, "proxy-url");
  return {
    server,
    ...(ca !== undefined && { ca }),
    ...(name !== "" && { tlsServerName: name }),
    ...(cluster.fields["insecure-skip-tls-verify"] === true && { insecureSkipTlsVerify: true }),
    ...(proxyUrl !== "" && { proxyUrl }),
  };
}

const ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

function inClusterTransport(environment: Environment, directory: string, clock: Clock, as: RequestHeaders): Opened {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) {
    throw new KubeconfigError(
      "there is not a kubeconfig, and this process runs in no pod (KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set)",
    );
  }
  const read = (name: string): string => {
    try {
      return readFileSync(join(directory, name), "utf8");
    } catch (error) {
      throw new KubeconfigError(`the service account of this pod: ${(error as Error).message}`, { cause: error });
    }
  };
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const login = withHeaders(tokenFileLogin(join(directory, "token"), clock), as);
  const namespace = existsSync(join(directory, "namespace")) ? read("namespace").trim() : "default";
  return { transport: new HttpTransport(withProxy({ server, ca: read("ca.crt") }, environment), login), namespace };
}
