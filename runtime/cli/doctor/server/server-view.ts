import { X509Certificate } from "node:crypto";
import { ApiError } from "../../../client/api-error.ts";
import { connectRequester } from "../../../client/connect.ts";
import {
  type Entry,
  type Kubeconfig,
  mergeKubeconfigs,
  pemOf,
  readKubeconfigs,
  selectContext,
  textOf,
} from "../../../client/login/kubeconfig.ts";
import type { Requester } from "../../../client/requester.ts";
import { connectTls } from "../../../outbound/connect-tls.ts";
import { MetricsText } from "../metrics-text.ts";

/** Address of a server: paths of kubeconfigs, or the contents of one. */
export type ServerAddress =
  | { readonly kubeconfig: string | readonly string[] }
  | { readonly kubeconfigText: string; readonly directory: string };

const TIMEOUT_MS = 30_000;
const TLS_TIMEOUT_MS = 5_000;
const RETRIES = 2;
const PAGE = 500;

/** A running server, as used by checks. Responses are cached, because several checks read the same lists. */
export class ServerView {
  readonly url: string;
  /** The clock of the machine on which this command runs. */
  readonly now: () => Date;
  readonly #requester: Requester;
  readonly #cluster: Entry;
  readonly #user: Entry | undefined;
  readonly #lists = new Map<string, Promise<readonly unknown[]>>();
  #metrics: Promise<MetricsText> | undefined;

  constructor(address: ServerAddress, now: () => Date = () => new Date()) {
    const { cluster, user } = selectContext(configOf(address));
    this.#cluster = cluster;
    this.#user = user;
    this.url = textOf(cluster, "server");
    this.now = now;
    this.#requester = connectRequester({
      ...("kubeconfig" in address ? { kubeconfig: address.kubeconfig } : { kubeconfigText: address.kubeconfigText }),
      userAgent: "typeplane-doctor",
      timeoutMs: TIMEOUT_MS,
      retries: RETRIES,
    }).requester;
  }

  /** Returns the time of the server from the `Date` header, if it sends one. Rejects with the reason if the server does not respond. */
  async serverTime(): Promise<Date | undefined> {
    const response = await this.#requester.open({ method: "GET", path: "/version" });
    for await (const _ of response.body);
    const date = new Date(response.header("date") ?? "");
    return Number.isNaN(date.getTime()) ? undefined : date;
  }

  read<T>(path: string): Promise<T> {
    return this.#requester.json<T>({ method: "GET", path });
  }

  /** Returns status and text of a path with a plain-text response. For an error, the text is the beginning of the response. */
  async text(path: string): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const bytes = await this.#requester.bytes({ method: "GET", path, accept: "text/plain, */*", retries: false });
      return { status: 200, text: bytes.toString("utf8") };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.httpStatus, text: error.message };
      throw error;
    }
  }

  /** Returns all objects of a collection. */
  list<T>(path: string): Promise<readonly T[]> {
    let list = this.#lists.get(path);
    if (list === undefined) {
      list = this.#readPages(path);
      this.#lists.set(path, list);
    }
    return list as Promise<readonly T[]>;
  }

  /** Like `list`, but returns an empty list if the server does not serve the collection. */
  async listIfServed<T>(path: string): Promise<readonly T[]> {
    try {
      return await this.list<T>(path);
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 404) return [];
      throw error;
    }
  }

  /** Returns the metrics of the first reading. */
  metrics(): Promise<MetricsText> {
    this.#metrics ??= this.metricsNow();
    return this.#metrics;
  }

  async metricsNow(): Promise<MetricsText> {
    const bytes = await this.#requester.bytes({ method: "GET", path: "/metrics", accept: "text/plain" });
    return new MetricsText(bytes.toString("utf8"));
  }

  /** Returns the certificates in the kubeconfig by purpose. */
  kubeconfigCertificates(): { readonly authority: string | undefined; readonly client: string | undefined } {
    return {
      authority: pemOf(this.#cluster, "certificate-authority"),
      client: this.#user && pemOf(this.#user, "client-certificate"),
    };
  }

  /** Returns the certificate of the server; undefined without TLS, or if the kubeconfig specifies a proxy. */
  servingCertificate(): Promise<X509Certificate | undefined> {
    const { protocol, hostname, port } = new URL(this.url);
    if (protocol !== "https:" || textOf(this.#cluster, "proxy-url") !== "") return Promise.resolve(undefined);
    const host = hostname.replace(/^\[|\]$/g, "");
    const name = textOf(this.#cluster, "tls-server-name");
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        host,
        port: Number(port || 443),
        // Only inspects the certificate, which may be untrusted or expired: that is what the check reports.
        rejectUnauthorized: false,
        ...(name !== "" && { servername: name }),
      });
      socket.setTimeout(TLS_TIMEOUT_MS, () => socket.destroy(new Error("no TLS handshake within 5 seconds")));
      socket.once("error", reject);
      socket.once("secureConnect", () => {
        const { raw } = socket.getPeerCertificate();
        socket.destroy();
        resolve(raw === undefined ? undefined : new X509Certificate(raw));
      });
    });
  }

  close(): void {
    this.#requester.close();
  }

  async #readPages(path: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let next = "";
    do {
      const query = { limit: PAGE, ...(next !== "" && { continue: next }) };
      const page: { items?: unknown[]; metadata?: { continue?: string } } = await this.#requester.json({
        method: "GET",
        path,
        query,
      });
      items.push(...(page.items ?? []));
      next = page.metadata?.continue ?? "";
    } while (next !== "");
    return items;
  }
}

function configOf(address: ServerAddress): Kubeconfig {
  if ("kubeconfig" in address) return readKubeconfigs([address.kubeconfig].flat());
  return mergeKubeconfigs([{ file: `${address.directory}/kubeconfig`, text: address.kubeconfigText }]);
}
