import type { TokenRequest, TokenRequestSpec } from "../../api-definitions/authentication/v1/token-request.ts";
import type { Pod } from "../../api-definitions/core/v1/pod.ts";
import type { ServiceAccount } from "../../api-definitions/core/v1/service-account.ts";
import type { Eviction } from "../../api-definitions/policy/v1/eviction.ts";
import type { ResourceToken } from "../contract/resource-token.ts";
import type { SettlingPart } from "../contract/settling.ts";
import type { Clock } from "../lib/clock.ts";
import { Discovery, type KindName } from "./discovery.ts";
import { KindClient } from "./kind-client.ts";
import type { Key, KindOf, UntypedObject } from "./object-types.ts";
import { type DeleteOptions, deleteBody, type RequestOptions } from "./options.ts";
import type { RequestObserver } from "./request-observer.ts";
import type { ApiRequest, Requester, Warning } from "./requester.ts";
import { resourceOf } from "./resource-of.ts";

export interface ClientOptions {
  readonly requester: Requester;
  /** Default namespace: of the kubeconfig's context, or of the service account. */
  readonly namespace: string;
  readonly fieldManager: string | undefined;
  readonly random: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly observer?: RequestObserver | undefined;
  readonly discovery?: Discovery;
}

/** A connection to an API server. */
export class Client {
  /** Default namespace: that of the kubeconfig's context, or of the service account. */
  readonly namespace: string;
  readonly #options: ClientOptions;
  readonly #requester: Requester;
  readonly #discovery: Discovery;

  constructor(options: ClientOptions) {
    this.namespace = options.namespace;
    this.#options = options;
    this.#requester = options.requester;
    this.#discovery = options.discovery ?? new Discovery(options.requester);
  }

  /** Clock that was passed to `connect()`. `random` returns random numbers for jitter. */
  get clock(): Clock {
    return this.#requester.clock;
  }
  get random(): () => number {
    return this.#options.random;
  }

  /**
   * Returns a client with the same connection, but another field manager, signal or observer. The signal ends all its requests for kinds; the
   * observer sees them.
   */
  with(changes: Partial<Pick<ClientOptions, "fieldManager" | "signal" | "observer">>): Client {
    return new Client({ ...this.#options, discovery: this.#discovery, ...changes });
  }

  /**
   * Returns typed requests for a kind: a result of `kind<T>()` or a token of `generated/resources/`. Throws an `UnknownKindError` for a declaration
   * whose registration in `generated/resources/` was not imported.
   */
  of<T extends object>(kind: KindOf<T>): KindClient<T> {
    return this.#kindClient(resourceOf(kind));
  }

  /** Returns requests for a kind that is known only at run time. Rejects with an `UnknownKindError` if the server does not serve it. */
  async untyped(name: KindName, { signal }: RequestOptions = {}): Promise<KindClient<UntypedObject>> {
    return this.#kindClient(await this.#discovery.find(name, signal));
  }

  /**
   * Deletes a pod if its PodDisruptionBudget allows it, otherwise rejects with a `TooManyRequestsError`. The request is not retried: the caller
   * decides when to try again.
   */
  async evict(pod: Key<Pod>, options: DeleteOptions = {}): Promise<void> {
    const body = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: pod.name, namespace: pod.namespace },
      deleteOptions: deleteBody(options),
    } satisfies Eviction;
    const { signal } = options;
    await this.#kindClient<Pod>(PODS).createAt(pod, "eviction", body, { retries: false, ...(signal && { signal }) });
  }

  /** Requests a token of a service account. Returns it with its expiration time. */
  async token(
    account: Key<ServiceAccount>,
    { signal, ...spec }: Partial<TokenRequestSpec> & RequestOptions = {},
  ): Promise<{ readonly token: string; readonly expirationTimestamp: string }> {
    const request: TokenRequest = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences: [], ...spec },
    };
    const accounts = this.#kindClient<ServiceAccount>(SERVICE_ACCOUNTS);
    const { status } = await accounts.createAt(account, "token", request, signal === undefined ? {} : { signal });
    return { token: status?.token ?? "", expirationTimestamp: status?.expirationTimestamp ?? "" };
  }

  /** Calls `listener` with each warning that the server sends, until the returned function is called. */
  onWarning(listener: (warning: Warning) => void): () => void {
    return this.#requester.onWarning(listener);
  }

  /**
   * Makes `settled()` of the in-process plane wait for this part too, until the returned function is called. Does nothing if the client is connected
   * to another server.
   */
  join(part: SettlingPart): () => void {
    return this.#requester.join(part);
  }

  /** Sends any other request, with the same login, retries and errors: `client.request({ method: "GET", path: "/version" })`. */
  request<T = unknown>(request: ApiRequest): Promise<T> {
    return this.#requester.json<T>(request);
  }

  /** Closes idle connections. */
  close(): void {
    this.#requester.close();
  }

  #kindClient<T extends object>(token: ResourceToken<T>): KindClient<T> {
    return new KindClient({ ...this.#options, token });
  }
}

const PODS: ResourceToken<Pod> = { group: "", version: "v1", kind: "Pod", resource: "pods", namespaced: true };
const SERVICE_ACCOUNTS: ResourceToken<ServiceAccount> = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  resource: "serviceaccounts",
  namespaced: true,
};
