import type { ApiObject } from "../contract/api-object.ts";
import type { RecordWrite } from "../resource/write-request.ts";

/** A write that changed an object. */
export interface Write {
  /** Verb as in RBAC, except `apply` for server-side apply, which RBAC calls `patch`. */
  readonly verb: string;
  /** For example `library.example.com/v1`. */
  readonly apiVersion: string;
  /** For example `books`. */
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  /** For example `status`; empty for the object itself. */
  readonly subresource: string;
  /** Name of the user; `system:apiserver` for the server's own controllers. */
  readonly user: string;
  /** Field manager of the write. */
  readonly manager: string;
  /** The object as written, in this version; its last state if it was removed. Do not modify it. */
  readonly object: ApiObject;
}

/** The writes to a plane since the start of the record. Dry runs and writes without changes are not included. */
export interface WriteRecord {
  readonly writes: readonly Write[];
  /** Discards the writes recorded so far. */
  clear(): void;
  /** Stops recording. */
  stop(): void;
}

/** Records of the writes to a server. There is no cost while none is active. */
export class WriteRecords {
  readonly #records = new Set<Write[]>();

  #count = 0;

  /** Number of writes so far, recorded or not. */
  get count(): number {
    return this.#count;
  }

  /** Returns the function that the write path calls with a write. To be called once per write, because it counts them. */
  readonly recorder = (): RecordWrite | undefined => {
    this.#count++;
    return this.#records.size === 0 ? undefined : this.#note;
  };

  begin(): WriteRecord {
    const writes: Write[] = [];
    this.#records.add(writes);
    return {
      writes,
      clear: () => void writes.splice(0),
      stop: () => void this.#records.delete(writes),
    };
  }

  readonly #note: RecordWrite = (request, verb, object) => {
    const { resource, subresource, user, fieldManager } = request;
    let converted: ApiObject | undefined;
    const write: Write = {
      verb: request.verb ?? verb,
      apiVersion: resource.apiVersion,
      resource: resource.groupResource.resource,
      namespace: object.metadata.namespace ?? "",
      name: object.metadata.name ?? "",
      subresource,
      user: user.name,
      manager: fieldManager,
      get object() {
        converted ??= resource.fromStored(object);
        return converted;
      },
    };
    for (const writes of this.#records) writes.push(write);
  };
}
