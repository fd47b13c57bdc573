import type { GroupVersionKind, ResourceDescriptor, SubresourceDescriptor } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { capitalize, groupTag, versionPath, versionWord } from "./openapi-names.ts";
import { ACTION_PARAMETERS, NAMESPACE, nameOf, PATH, type Parameter } from "./parameters.ts";

/** HTTP methods, in the order of OpenAPI. */
export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
export type Method = (typeof METHODS)[number];

/** One operation of the API, independent of the version of OpenAPI. */
export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly operationId: string;
  readonly tag: string;
  readonly description: string;
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly type: TypeRef; readonly required: boolean; readonly patch: boolean };
  /** The content of the response by status: a type, or plain text. */
  readonly answers: { readonly [status: number]: TypeRef | "text" };
  readonly produces: Produces;
  /** Set for kinds of the project's own groups. */
  readonly isOwn?: true;
}

/** What an operation produces: objects; objects or a stream of them; any content, from a proxied server; objects or text. */
export type Produces = "objects" | "stream" | "anything" | "log";

const META = "meta/v1";
const STATUS: TypeRef = `${META}.Status`;
const WATCH_EVENT: TypeRef = `${META}.WatchEvent`;
const DELETE_OPTIONS: TypeRef = `${META}.DeleteOptions`;
const PATCH_BODY: TypeRef = `${META}.Patch`;

export interface OperationContext {
  readonly domain: string;
  /** Returns the fields of an options kind as query parameters. */
  readonly optionParameters: (type: TypeRef) => readonly Parameter[];
  /** Whether a group is the project's own and not one of Kubernetes. */
  readonly isOwn: (group: string) => boolean;
}

/** Returns all operations of one resource. */
export function resourceOperations(context: OperationContext, resource: ResourceDescriptor): Operation[] {
  return new ResourceOperations(context, resource).all();
}

class ResourceOperations {
  readonly #context: OperationContext;
  readonly #kind: ResourceDescriptor;
  readonly #word: string;
  readonly #tag: string;
  readonly #base: string;

  constructor(context: OperationContext, kind: ResourceDescriptor) {
    this.#context = context;
    this.#kind = kind;
    this.#word = versionWord(kind.group, kind.version, context.domain);
    this.#tag = `${groupTag(kind.group, context.domain)}_${kind.version}`;
    this.#base = versionPath(kind.group, kind.version);
  }

  all(): Operation[] {
    return [
      ...this.#collection(),
      ...this.#object(),
      ...this.#watches(),
      ...this.#kind.subresources.flatMap((subresource) => this.#subresource(subresource)),
    ];
  }

  get #scopedKind(): string {
    return this.#kind.namespaced ? `Namespaced${this.#kind.kind}` : this.#kind.kind;
  }

  get #collectionPath(): string {
    return `${this.#base}${this.#kind.namespaced ? "/namespaces/{namespace}" : ""}/${this.#kind.resource}`;
  }

  get #scope(): Parameter[] {
    return this.#kind.namespaced ? [NAMESPACE] : [];
  }

  #can(verb: ResourceDescriptor["verbs"][number]): boolean {
    return this.#kind.verbs.includes(verb);
  }

  #operation(
    method: Method,
    path: string,
    operationId: string,
    rest: Pick<Operation, "action" | "description" | "parameters" | "answers"> & Partial<Operation>,
  ): Operation {
    const { group, version, kind } = this.#kind;
    const isOwn = this.#context.isOwn(group);
    const common = { tag: this.#tag, kind: { group, version, kind }, produces: "objects" } as const;
    return { method, path, operationId, ...common, ...(isOwn && { isOwn }), ...rest };
  }

  #collection(): Operation[] {
    const { kind, type, listType = type, namespaced, resource: plural } = this.#kind;
    const path = this.#collectionPath;
    const list = { action: "list", answers: { 200: listType }, produces: "stream" } as const;
    const found: Operation[] = [];
    if (this.#can("list") && namespaced) {
      found.push(
        this.#operation("get", `${this.#base}/${plural}`, `list${this.#word}${kind}ForAllNamespaces`, {
          ...list,
          description: `Lists or watches objects of kind ${kind} in all namespaces.`,
          parameters: ACTION_PARAMETERS.list,
        }),
      );
    }
    if (this.#can("list")) {
      found.push(
        this.#operation("get", path, `list${this.#word}${this.#scopedKind}`, {
          ...list,
          description: `Lists or watches objects of kind ${kind}.`,
          parameters: [...this.#scope, ...ACTION_PARAMETERS.list],
        }),
      );
    }
    if (this.#can("create")) {
      found.push(
        this.#operation("post", path, `create${this.#word}${this.#scopedKind}`, {
          action: "post",
          description: `Creates an object of kind ${kind}.`,
          parameters: [...this.#scope, ...ACTION_PARAMETERS.post],
          body: { type, required: true, patch: false },
          answers: { 200: type, 201: type, 202: type },
        }),
      );
    }
    if (this.#can("deletecollection")) {
      found.push(
        this.#operation("delete", path, `delete${this.#word}Collection${this.#scopedKind}`, {
          action: "deletecollection",
          description: `Deletes all objects of kind ${kind} that match the selectors.`,
          parameters: [...this.#scope, ...ACTION_PARAMETERS.deletecollection],
          body: { type: DELETE_OPTIONS, required: false, patch: false },
          answers: { 200: STATUS },
        }),
      );
    }
    return found;
  }

  #object(): Operation[] {
    const { kind, type } = this.#kind;
    const path = `${this.#collectionPath}/{name}`;
    const found = this.#readAndWrite(path, this.#scopedKind, this.#kind.verbs, type, `the specified ${kind}`);
    if (this.#can("delete")) {
      const answer = this.#kind.returnsDeleted ? type : STATUS;
      found.push(
        this.#operation("delete", path, `delete${this.#word}${this.#scopedKind}`, {
          action: "delete",
          description: `Deletes the specified ${kind}.`,
          parameters: [nameOf(kind), ...this.#scope, ...ACTION_PARAMETERS.delete],
          body: { type: DELETE_OPTIONS, required: false, patch: false },
          answers: { 200: answer, 202: answer },
        }),
      );
    }
    return found;
  }

  /** Operations get, put and patch, which objects and their subresources share. */
  #readAndWrite(path: string, word: string, verbs: readonly string[], type: TypeRef, what: string): Operation[] {
    const at = [nameOf(this.#kind.kind), ...this.#scope];
    const found: Operation[] = [];
    if (verbs.includes("get")) {
      found.push(
        this.#operation("get", path, `read${this.#word}${word}`, {
          action: "get",
          description: `Reads ${what}.`,
          parameters: [...at, ...ACTION_PARAMETERS.get],
          answers: { 200: type },
        }),
      );
    }
    if (verbs.includes("update")) {
      found.push(
        this.#operation("put", path, `replace${this.#word}${word}`, {
          action: "put",
          description: `Replaces ${what}.`,
          parameters: [...at, ...ACTION_PARAMETERS.put],
          body: { type, required: true, patch: false },
          answers: { 200: type, 201: type },
        }),
      );
    }
    if (verbs.includes("patch")) {
      found.push(
        this.#operation("patch", path, `patch${this.#word}${word}`, {
          action: "patch",
          description: `Partially updates ${what}.`,
          parameters: [...at, ...ACTION_PARAMETERS.patch],
          body: { type: PATCH_BODY, required: true, patch: true },
          answers: { 200: type, 201: type },
        }),
      );
    }
    return found;
  }

  /** The deprecated form of watching, under separate paths. */
  #watches(): Operation[] {
    if (!this.#can("watch")) return [];
    const { kind, namespaced, resource: plural } = this.#kind;
    const root = `${this.#base}/watch`;
    const collection = this.#collectionPath.replace(this.#base, root);
    const watch = (path: string, id: string, action: string, at: readonly Parameter[]): Operation =>
      this.#operation("get", path, id, {
        action,
        description: `Watches changes to ${action === "watch" ? "an object" : "a list of objects"} of kind ${kind}. Deprecated: use the \`watch\` parameter of a list request${action === "watch" ? ", with a field selector for the name" : ""}.`,
        parameters: [...at, ...ACTION_PARAMETERS.list],
        answers: { 200: WATCH_EVENT },
        produces: "stream",
      });
    const prefix = `watch${this.#word}`;
    const everywhere = watch(`${root}/${plural}`, `${prefix}${kind}ListForAllNamespaces`, "watchlist", []);
    return [
      ...(namespaced ? [everywhere] : []),
      watch(collection, `${prefix}${this.#scopedKind}List`, "watchlist", this.#scope),
      ...(this.#can("get")
        ? [watch(`${collection}/{name}`, `${prefix}${this.#scopedKind}`, "watch", [nameOf(kind), ...this.#scope])]
        : []),
    ];
  }

  #subresource(subresource: SubresourceDescriptor): Operation[] {
    const { name, kind: carriedKind, type, verbs, connect, optionsType } = subresource;
    const { kind } = carriedKind;
    const path = `${this.#collectionPath}/{name}/${name}`;
    const word = `${this.#scopedKind}${capitalize(name)}`;
    const carried = { kind: carriedKind };
    const at = [nameOf(this.#kind.kind), ...this.#scope];
    if (connect !== undefined) return this.#connections(subresource, path, word);
    const what =
      kind === this.#kind.kind
        ? `the ${name} of the specified ${kind}`
        : `the ${name} of the specified ${this.#kind.kind}`;
    const found = this.#readAndWrite(path, word, verbs, type, what).map(
      (operation): Operation => ({ ...operation, ...carried }),
    );
    if (verbs.includes("create")) {
      found.push(
        this.#operation("post", path, `create${this.#word}${word}`, {
          action: "post",
          description: `Creates ${name} of the specified ${this.#kind.kind}.`,
          parameters: [...at, ...ACTION_PARAMETERS.post],
          body: { type, required: true, patch: false },
          answers: { 200: type, 201: type, 202: type },
          ...carried,
        }),
      );
    }
    if (optionsType === undefined) return found;
    const options = this.#context.optionParameters(optionsType);
    return found.map((operation) => ({
      ...operation,
      parameters: [...operation.parameters, ...options],
      answers: { 200: "text" as const },
      produces: "log" as const,
    }));
  }

  #connections({ name, connect, kind: carried }: SubresourceDescriptor, path: string, word: string): Operation[] {
    if (connect === undefined) return [];
    const { optionsType } = connect;
    const kind = optionsType.slice(optionsType.lastIndexOf(".") + 1);
    const at = [nameOf(this.#kind.kind), ...this.#scope];
    const options = this.#context.optionParameters(optionsType);
    const connection = (method: string, suffix: string, tail: string, more: readonly Parameter[]): Operation =>
      this.#operation(
        method.toLowerCase() as Method,
        path + tail,
        `connect${this.#word}${capitalize(method.toLowerCase())}${word}${suffix}`,
        {
          action: "connect",
          description: `Connects ${method} requests to ${name} of the specified ${this.#kind.kind}.`,
          parameters: [...at, ...more, ...options],
          answers: { 200: "text" },
          produces: "anything",
          kind: { ...carried, kind },
        },
      );
    return connect.methods.flatMap((method) => [
      connection(method, "", "", []),
      ...(connect.path ? [connection(method, "WithPath", "/{path}", [PATH])] : []),
    ]);
  }
}
