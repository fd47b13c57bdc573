import type { ApiObject } from "../contract/api-object.ts";
import type { RecordWrite } from "../resource/write-request.ts";

/** A write that changed something. */
export interface Write {
  /** As in RBAC, and `apply` for server-side apply, which RBAC calls `patch`. */
  readonly verb: string;
  /** `library.example.com/v1` */
  readonly apiVersion: string;
  /** `books` */
  readonly resource: string;
  /** Empty for objects without one. */
  readonly namespace: string;
  readonly name: string;
  /** `status`; empty for the object itself. */
  readonly subresource: string;
  /** Name of the user; `system:apiserver` for the server's own controllers. */
  readonly user: string;
  /** Owner of the fields that were written. */
  readonly manager: string;
  /** The object as it was written, in this version; its last state if it was removed. Do not change it. */
  readonly object: ApiObject;
}

/** What was written to a plane since the record began. Writes that changed nothing, and dry runs, are not in it. */
export interface WriteRecord {
  readonly writes: readonly Write[];
  /** Forgets what was written so far. */
  clear(): void;
  /** Records no more. */
  stop(): void;
}

/** Records of what is written to a server; costs nothing while there is none. */
export class WriteRecords {
  readonly #records = new Set<Write[]>();

  #count = 0;

  /** Writes so far, recorded or not. */
  get count(): number {
    return this.#count;
  }

  /** What the write path is to tell of a write; called once for each. */
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
