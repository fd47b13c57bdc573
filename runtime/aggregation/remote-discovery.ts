import { parseJson } from "../encoding/json/parse-json.ts";
import type { ExchangeAnswer } from "../outbound/exchange.ts";
import type { Question } from "./ask-server.ts";
import { type DiscoveredVersion, readAggregated, readResourceList } from "./read-discovery.ts";
import type { RemoteVersion } from "./remote-versions.ts";

/** Returns the discovery entry of a version: `local` if this server serves it, undefined until the extension server has responded. */
export type RemoteEntries = (group: string, version: string) => DiscoveryEntry | "local" | undefined;

/** The discovery entry of a version that another server serves. */
export interface DiscoveryEntry extends DiscoveredVersion {
  /** `Stale`: the last request to its server failed. */
  readonly freshness: "Current" | "Stale";
}

export interface RemoteDiscoveryParts {
  readonly ask: (remote: RemoteVersion, question: Question) => Promise<ExchangeAnswer>;
  readonly discoveryGroup: string;
}

interface Answered {
  readonly etag: string;
  readonly versions: ReadonlyMap<string, DiscoveredVersion>;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
const ASKER = "system:kube-aggregator";
const NOT_MODIFIED = 304;
const UNAVAILABLE = 503;
const OK = 200;

/** Cache of the discovery documents of other servers, by version. */
export class RemoteDiscovery {
  readonly #parts: RemoteDiscoveryParts;
  readonly #entries = new Map<string, DiscoveryEntry>();
  /** By server: one server may serve many versions and lists all of them in one response. */
  readonly #answered = new Map<string, Answered>();

  constructor(parts: RemoteDiscoveryParts) {
    this.#parts = parts;
  }

  /** Undefined before the first request to its server. */
  of(name: string): DiscoveryEntry | undefined {
    return this.#entries.get(name);
  }

  forget({ name }: RemoteVersion): void {
    this.#entries.delete(name);
  }

  /** Requests the document again. If that fails, the version becomes stale and has no resources. */
  async refresh(remote: RemoteVersion): Promise<void> {
    const { name, version } = remote;
    try {
      const found = await this.#discover(remote);
      this.#entries.set(name, { ...(found ?? { version, resources: [] }), freshness: "Current" });
    } catch {
      this.#entries.set(name, { version, resources: [], freshness: "Stale" });
    }
  }

  async #discover(remote: RemoteVersion): Promise<DiscoveredVersion | undefined> {
    const { namespace, name, port } = remote.service;
    const key = `${namespace}/${name}:${port}`;
    const before = this.#answered.get(key);
    const answer = await this.#ask(remote, {
      path: "/apis",
      groups: ["system:masters"],
      accept: ["v2", "v2beta1"].map((version) => this.#mediaType(version)).join(","),
      ...(before && { etag: before.etag }),
    });
    if (answer.status === UNAVAILABLE) throw new Error("unavailable");
    let { versions } = before ?? {};
    if (answer.status === OK && this.#isAggregated(answer.contentType)) {
      versions = readAggregated(parseJson(answer.body.toString("utf8")).value);
      this.#answered.set(key, { etag: answer.etag, versions });
    } else if (answer.status !== NOT_MODIFIED || versions === undefined) {
      this.#answered.delete(key);
      return this.#discoverAlone(remote);
    }
    return versions.get(`${remote.group}/${remote.version}`);
  }

  /** Requests the document of one version, for servers without aggregated discovery. */
  async #discoverAlone(remote: RemoteVersion): Promise<DiscoveredVersion> {
    const { group, version } = remote;
    const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const answer = await this.#ask(remote, { path, accept: "application/json" });
    if (answer.status !== OK) throw new Error(answer.statusText);
    return readResourceList(parseJson(answer.body.toString("utf8")).value, version);
  }

  #ask(remote: RemoteVersion, question: Omit<Question, "user" | "timeoutMs" | "maxBytes">): Promise<ExchangeAnswer> {
    return this.#parts.ask(remote, { user: ASKER, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...question });
  }

  #mediaType(version: string): string {
    return `application/json;g=${this.#parts.discoveryGroup};v=${version};as=APIGroupDiscoveryList`;
  }

  #isAggregated(contentType: string): boolean {
    const parameters = contentType.split(";").map((part) => part.trim());
    return parameters.includes("as=APIGroupDiscoveryList") && parameters.includes(`g=${this.#parts.discoveryGroup}`);
  }
}
