import { apiVersionOf } from "../../contract/group-version.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { type CustomDocument, CustomDocuments } from "../../kinds/custom/openapi/custom-documents.ts";
import { PATTERN_DOCUMENT } from "../../kinds/custom/openapi/publish-paths.ts";
import type { ResourceEntry } from "../../kinds/resource-entry.ts";
import { inTurns, type Steps } from "../../lib/in-turns.ts";
import type { OpenApiContext } from "./openapi-context.ts";
import { printOpenApi } from "./print-openapi.ts";
import { type Droppable, hashSteps, IdleMemory, type PublishedDocument } from "./published-document.ts";
import { selectOpenApi } from "./select-openapi.ts";

type Pieces = readonly Uint8Array[];

/** A document whose hash is kept permanently, and whose bytes are kept while they are used. */
class KeptDocument implements PublishedDocument, Droppable {
  readonly hash: string;
  readonly #make: () => Promise<Pieces>;
  readonly #context: OpenApiContext;
  readonly #memory: IdleMemory;
  #json: Promise<Pieces> | undefined;
  #protobuf: Promise<Pieces> | undefined;

  constructor(hash: string, make: () => Promise<Pieces>, context: OpenApiContext, memory: IdleMemory) {
    this.hash = hash;
    this.#make = make;
    this.#context = context;
    this.#memory = memory;
  }

  json(): Promise<Pieces> {
    this.#memory.use(this);
    if (this.#json === undefined) {
      this.#json = this.#make();
      this.#json.catch(() => this.drop());
    }
    return this.#json;
  }

  protobuf(): Promise<Pieces> {
    this.#memory.use(this);
    if (this.#protobuf === undefined) {
      const json = this.json().then((pieces) => Buffer.concat(pieces).toString("utf8"));
      this.#protobuf = json.then(async (text) => [await this.#context.encodeV3(text)]);
      this.#protobuf.catch(() => this.drop());
    }
    return this.#protobuf;
  }

  drop(): void {
    this.#json = undefined;
    this.#protobuf = undefined;
  }
}

interface CustomHash {
  /** The definitions from which the document is made. */
  readonly definitions: readonly unknown[];
  readonly document: Promise<PublishedDocument>;
}

/**
 * The OpenAPI documents of version 3: one for each version of each group, and some others. Documents of custom kinds are made from their
 * definitions, and rebuilt only when these change.
 */
export class OpenApiV3 {
  readonly #context: OpenApiContext;
  readonly #memory = new IdleMemory();
  #builtIn: object | undefined;
  #generation = -1;
  /** Documents other than those of custom kinds, by path. */
  #documents = new Map<string, Promise<PublishedDocument | undefined>>();
  readonly #custom = new Map<string, CustomHash>();
  #maker: Promise<CustomDocuments | undefined> | undefined;

  constructor(context: OpenApiContext) {
    this.#context = context;
  }

  /** Discards the documents of built-in kinds if these kinds or the extension servers have changed. */
  #refresh(surface: ApiSurface): void {
    const { generation } = this.#context.remote;
    if (this.#builtIn !== surface.builtIn) {
      this.#custom.clear();
      this.#maker = undefined;
    } else if (this.#generation === generation) return;
    this.#builtIn = surface.builtIn;
    this.#generation = generation;
    this.#documents = new Map();
  }

  /** Returns a document below `v3/`; undefined if there is none. */
  async load(path: string): Promise<PublishedDocument | undefined> {
    const surface = this.#context.surface();
    this.#refresh(surface);
    if (!this.#isPossible(path, surface)) return undefined;
    return (await this.#loadOwn(path, surface)) ?? this.#loadCustom(path, surface);
  }

  /** Whether a document with this path can exist. */
  #isPossible(path: string, surface: ApiSurface): boolean {
    const { documents, remote } = this.#context;
    const [root = "", ...rest] = path.split("/");
    const [group = "", version] = root === "api" ? ["", ...rest] : rest;
    const isServed =
      (root === "api" || (root === "apis" && group !== "")) &&
      rest.length === (root === "api" ? 1 : version === undefined ? 1 : 2) &&
      (version === undefined ? surface.hasGroup(group) : surface.hasVersion(group, version));
    return isServed || documents.otherPaths.includes(path) || remote.madePaths().includes(path);
  }

  #loadOwn(path: string, surface: ApiSurface): Promise<PublishedDocument | undefined> {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const [root, group = "", version] = path.split("/");
    // Groups of custom kinds have documents only for their versions.
    const isCustom = root === "apis" && surface.isCustom(group) && !this.#context.remote.madePaths().includes(path);
    if (isCustom && version === undefined) return Promise.resolve(undefined);
    const loading = this.#documents;
    const document = this.#makeOwn(path, surface);
    loading.set(path, document);
    document.catch(() => loading.delete(path));
    return document;
  }

  async #makeOwn(path: string, surface: ApiSurface): Promise<PublishedDocument | undefined> {
    const made = await inTurns(this.#print(path, surface));
    if (made === undefined) return undefined;
    let first: Pieces | undefined = [made.json];
    const again = async (): Promise<Pieces> => {
      const pieces = first ?? [(await inTurns(this.#print(path, surface)))?.json ?? Buffer.alloc(0)];
      first = undefined;
      return pieces;
    };
    const document = new KeptDocument(made.hash, again, this.#context, this.#memory);
    void document.json();
    return document;
  }

  *#print(path: string, surface: ApiSurface): Steps<{ json: Buffer; hash: string } | undefined> {
    const { remote, documents } = this.#context;
    const made = remote.made(path);
    if (made !== undefined) return yield* printOpenApi(made);
    const built = yield* documents.build(`v3/${path}`);
    return built && (yield* printOpenApi(yield* selectOpenApi(built, surface)));
  }

  async #loadCustom(path: string, surface: ApiSurface): Promise<PublishedDocument | undefined> {
    const [root, group = "", version = ""] = path.split("/");
    if (root !== "apis" || version === "") return undefined;
    const entries = [...surface.customEntriesOf(group, version)];
    const definitions = entries.map(({ definition }) => definition);
    const known = this.#custom.get(path);
    if (known !== undefined && isSame(known.definitions, definitions)) return known.document;
    if (entries.length === 0) {
      this.#custom.delete(path);
      return undefined;
    }
    const maker = await this.#customDocuments();
    if (maker === undefined) return undefined;
    const made = { definitions, document: this.#makeCustom(entries, maker) };
    this.#custom.set(path, made);
    made.document.catch(() => this.#custom.delete(path));
    return made.document;
  }

  /** Does not keep the bytes: most documents are made only for the hash in the index. */
  async #makeCustom(entries: readonly ResourceEntry[], maker: CustomDocuments): Promise<PublishedDocument> {
    const make = async (): Promise<Pieces> => (await inTurns(maker.make(entries))).pieces;
    const hash = await inTurns(hashOfDocument(entries, maker));
    return new KeptDocument(hash, make, this.#context, this.#memory);
  }

  #customDocuments(): Promise<CustomDocuments | undefined> {
    const { documents, vendor } = this.#context;
    this.#maker ??= inTurns(documents.build(PATTERN_DOCUMENT)).then(
      (pattern) => pattern && new CustomDocuments(pattern as CustomDocument, vendor),
    );
    this.#maker.catch(() => {
      this.#maker = undefined;
    });
    return this.#maker;
  }

  /** Paths below `v3/`, sorted. Some of them may have no document. */
  possiblePaths(): string[] {
    const { documents, remote, surface } = this.#context;
    const current = surface();
    const paths = new Set([...documents.otherPaths, ...remote.madePaths()]);
    for (const { name, versions, custom } of current.groups) {
      if (name !== "" && custom !== true) paths.add(`apis/${name}`);
      for (const version of versions)
        paths.add(`${name === "" ? "api" : "apis"}/${apiVersionOf({ group: name, version })}`);
    }
    for (const path of this.#custom.keys()) if (!paths.has(path)) this.#custom.delete(path);
    return [...paths].sort();
  }
}

function* hashOfDocument(entries: readonly ResourceEntry[], maker: CustomDocuments): Steps<string> {
  const { pieces } = yield* maker.make(entries);
  return yield* hashSteps(pieces);
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
