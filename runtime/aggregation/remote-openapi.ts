import { parseJson } from "../encoding/json/parse-json.ts";
import type { ExchangeAnswer } from "../outbound/exchange.ts";
import type { Question } from "./ask-server.ts";
import type { Swagger } from "./merge-openapi.ts";
import type { PublishedSwagger } from "./published-swagger.ts";
import type { RemoteVersion } from "./remote-versions.ts";

export interface RemoteOpenApiParts {
  readonly ask: (remote: RemoteVersion, question: Question) => Promise<ExchangeAnswer>;
  /** `x-kubernetes-group-version-kind` */
  readonly kindKey: string;
}

/** The OpenAPI documents of one version. */
interface Published {
  readonly remote: RemoteVersion;
  /** Hash of its OpenAPI v3 document; undefined if it has none. */
  readonly hash?: string | undefined;
  readonly swagger?: PublishedSwagger | undefined;
  /** ETag of its server's whole OpenAPI v2 document. */
  readonly etag?: string;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum depth of a document, larger than that of any real schema. */
const MAX_DEPTH = 200;
const ASKER = "system:aggregator";
const OK = 200;
const NOT_MODIFIED = 304;
const HASH = /[?&]hash=([0-9A-Za-z_-]+)(?:&|$)/;

/** The OpenAPI documents of other servers: URLs of their v3 documents, and v2 documents to merge into that of this server. */
export class RemoteOpenApi {
  readonly #parts: RemoteOpenApiParts;
  readonly #published = new Map<string, Published>();
  /** Increases with every change: documents built with an older generation are outdated. */
  generation = 0;

  constructor(parts: RemoteOpenApiParts) {
    this.#parts = parts;
  }

  /** Returns URLs of documents, by their paths below `/openapi/v3/`. */
  addresses(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [path, { hash }] of this.#published) {
      if (hash !== undefined) found.set(path, `/openapi/v3/${path}${hash === "" ? "" : `?hash=${hash}`}`);
    }
    return found;
  }

  /** Returns the server of an OpenAPI v3 document: `/openapi/v3/apis/<group>/<version>`. */
  ownerOf(path: string): RemoteVersion | undefined {
    if (!path.startsWith("/openapi/v3/")) return undefined;
    const published = this.#published.get(path.slice("/openapi/v3/".length));
    return published?.hash === undefined ? undefined : published.remote;
  }

  /** Merges an OpenAPI v2 document with those of other servers, highest priority first. */
  extend(document: Swagger): Swagger {
    const { kindKey } = this.#parts;
    const others = [...this.#published.values()].sort((a, b) => compare(a.remote, b.remote));
    return others.reduce((merged, { swagger }) => swagger?.mergedInto(merged, kindKey) ?? merged, document);
  }

  /** Returns paths, below `v3/`, of documents that this server generates for servers without OpenAPI v3. */
  madePaths(): string[] {
    return [...this.#published].flatMap(([path, { hash, swagger }]) => (hash === undefined && swagger ? [path] : []));
  }

  /** Returns a generated document. */
  made(path: string): object | undefined {
    const { hash, swagger } = this.#published.get(path) ?? {};
    return hash === undefined ? swagger?.asV3() : undefined;
  }

  get isEmpty(): boolean {
    return this.#published.size === 0;
  }

  forget(remote: RemoteVersion): void {
    if (this.#published.delete(documentPath(remote))) this.generation += 1;
  }

  /** Requests the documents of a server. If that fails, throws and keeps the previous documents. */
  async refresh(remote: RemoteVersion): Promise<void> {
    const path = documentPath(remote);
    const before = this.#published.get(path);
    const kept = { ...before, remote };
    const hash = await this.#hashOf(remote, path);
    const swagger = await this.#swaggerOf(remote, before);
    const now = { ...kept, hash, ...swagger };
    this.#published.set(path, now);
    if (before === undefined || before.hash !== now.hash || before.swagger !== now.swagger) this.generation += 1;
  }

  async #hashOf(remote: RemoteVersion, path: string): Promise<string | undefined> {
    const answer = await this.#ask(remote, { path: "/openapi/v3" });
    if (answer.status !== OK) return undefined;
    const index = parseJson(answer.body.toString("utf8")).value as {
      readonly paths?: Readonly<Record<string, { readonly serverRelativeURL?: unknown } | undefined>>;
    } | null;
    const paths = index?.paths ?? {};
    if (!Object.hasOwn(paths, path)) return undefined;
    return HASH.exec(String(paths[path]?.serverRelativeURL))?.[1] ?? "";
  }

  async #swaggerOf(remote: RemoteVersion, before: Published | undefined): Promise<Pick<Published, "swagger" | "etag">> {
    const etag = before?.swagger && before.etag;
    const answer = await this.#ask(remote, { path: "/openapi/v2", accept: "application/json", ...(etag && { etag }) });
    if (answer.status === NOT_MODIFIED && before !== undefined) return {};
    if (answer.status !== OK) return { swagger: undefined };
    const document = parseJson(answer.body.toString("utf8")).value as Swagger;
    const { group, version } = remote;
    if (typeof document?.paths !== "object" || document.paths === null || isDeeperThan(document, MAX_DEPTH))
      throw new Error("no OpenAPI document");
    const { PublishedSwagger } = await import("./published-swagger.ts");
    return { swagger: new PublishedSwagger(document, `/apis/${group}/${version}/`), etag: answer.etag };
  }

  #ask(remote: RemoteVersion, question: Pick<Question, "path" | "accept" | "etag">): Promise<ExchangeAnswer> {
    return this.#parts.ask(remote, { user: ASKER, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, ...question });
  }
}

/** Checks the depth, which must be limited because documents are processed recursively. */
function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let left = depth; level.length > 0; left -= 1) {
    if (left === 0) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

function documentPath({ group, version }: RemoteVersion): string {
  return `apis/${group}/${version}`;
}

function compare(a: RemoteVersion, b: RemoteVersion): number {
  const byPriority = a.group === b.group ? b.versionPriority - a.versionPriority : b.groupPriority - a.groupPriority;
  return byPriority || (a.name < b.name ? -1 : 1);
}
