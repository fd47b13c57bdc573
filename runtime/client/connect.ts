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
   * A plane in this process: requests need no socket, and are the administrator's. The client has the clock of the plane, and
   * `plane.settled()` waits for its informers.
   */
  readonly plane?: { readonly fetch: typeof globalThis.fetch; readonly clock?: Clock } & Partial<Settling>;
  /** Path of a kubeconfig, or several to merge. */
  readonly kubeconfig?: string | readonly string[];
  /** A kubeconfig itself. Paths in it are relative to the working directory. */
  readonly kubeconfigText?: string;
  /** A context of the kubeconfig instead of its current one. */
  readonly context?: string;
  /** From within a pod, as its service account, whose token and authority are in a directory. */
  readonly inCluster?: boolean | { readonly directory: string };
  /** Acts as another user. */
  readonly impersonate?: Impersonation;
  /** Owner of the fields that are written, unless a request names another. Needed for apply. */
  readonly fieldManager?: string;
  readonly userAgent?: string;
  /** Of requests other than watches; a minute by default. */
  readonly timeoutMs?: number;
  /** How often a request is repeated that the server asked to send later (429, 503 with `Retry-After`); 10 by default. */
  readonly retries?: number;
  /** For tests: time, and chance for the jitter of retries (at least 0 and below 1). */
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly environment?: Environment;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 10;
const USER_AGENT = "typeplane-client";

/**
 * Connects to a plane in this process, to the server of a kubeconfig, or to the cluster this process runs in. If none is named, a
 * kubeconfig is taken (`KUBECONFIG`, `~/.kube/config`) if there is one, and the service account of the pod otherwise. Sends nothing yet.
 * Rejects with a `KubeconfigError` if there is nothing to connect with.
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

/** As `connect`: what sends the requests. */
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

/** The proxy of the kubeconfig, or else that of the environment. */
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
