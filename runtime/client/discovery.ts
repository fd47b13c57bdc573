import type { ResourceToken } from "../contract/resource-token.ts";
import { unlessAborted } from "../lib/unless-aborted.ts";
import { ConnectionError, isNotFound } from "./api-error.ts";
import type { UntypedObject } from "./object-types.ts";
import type { Requester } from "./requester.ts";

/** A kind or a plural resource name in a group-version. */
export type KindName = { readonly apiVersion: string } & (
  | { readonly kind: string; readonly plural?: undefined }
  | { readonly plural: string; readonly kind?: undefined }
);

/** The server does not serve the kind, or the client does not know its group and version. */
export class UnknownKindError extends Error {
  readonly code = "UnknownKind";

  constructor(message: string) {
    super(message);
    this.name = "UnknownKindError";
  }
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/** Finds resources of kinds that are known only at run time. Caches them by group-version. */
export class Discovery {
  readonly #requester: Requester;
  readonly #lists = new Map<string, Promise<ResourceList>>();

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Rejects with an `UnknownKindError` if the server does not serve it. */
  async find(name: KindName, signal?: AbortSignal): Promise<ResourceToken<UntypedObject>> {
    const { apiVersion } = name;
    const isKnown = this.#lists.has(apiVersion);
    // A kind that is missing in a cached list may have been added since.
    const found = (await this.#look(name, signal)) ?? (isKnown ? await this.#lookAgain(name, signal) : undefined);
    if (found !== undefined) return found;
    throw new UnknownKindError(`the server has no ${apiVersion} ${name.kind ?? name.plural}`);
  }

  #lookAgain(name: KindName, signal?: AbortSignal): Promise<ResourceToken<UntypedObject> | undefined> {
    this.#lists.delete(name.apiVersion);
    return this.#look(name, signal);
  }

  async #look(
    { apiVersion, kind, plural }: KindName,
    signal?: AbortSignal,
  ): Promise<ResourceToken<UntypedObject> | undefined> {
    // The request is shared: aborting one caller does not abort the others.
    const { resources } = await unlessAborted(this.#list(apiVersion), signal);
    const found = resources.find((one) => !one.name.includes("/") && (one.kind === kind || one.name === plural));
    if (found === undefined) return undefined;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    return { group, version, kind: found.kind, resource: found.name, namespaced: found.namespaced };
  }

  #list(apiVersion: string): Promise<ResourceList> {
    const known = this.#lists.get(apiVersion);
    if (known !== undefined) return known;
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const list = this.#read(path).catch((error: unknown) => {
      this.#lists.delete(apiVersion);
      if (isNotFound(error)) return { resources: [] };
      throw error;
    });
    this.#lists.set(apiVersion, list);
    return list;
  }

  async #read(path: string): Promise<ResourceList> {
    const list = await this.#requester.json<Partial<ResourceList> | null>({ method: "GET", path });
    if (!Array.isArray(list?.resources)) throw new ConnectionError(`GET ${path}: the response is no list of resources`);
    return list as ResourceList;
  }
}
