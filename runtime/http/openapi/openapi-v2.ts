import { setTimeout } from "node:timers";
import type { OpenApiParts } from "../../aggregation/openapi-references.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { CustomParts } from "../../kinds/custom/openapi/custom-parts.ts";
import type { JsonMember } from "../../kinds/custom/openapi/json-member.ts";
import type { ResourceEntry } from "../../kinds/resource-entry.ts";
import { inTurns, type Steps } from "../../lib/in-turns.ts";
import type { OpenApiContext } from "./openapi-context.ts";
import { printSections } from "./print-openapi.ts";
import { sectionHeads } from "./protobuf/section-heads.ts";
import type { SectionsV2 } from "./protobuf/sections-v2.ts";
import { hashOf, IdleMemory, type PublishedDocument } from "./published-document.ts";
import { selectOpenApi } from "./select-openapi.ts";

/** The JSON of a part: members of `paths`, and members of `definitions`. */
interface PartBytes {
  readonly paths: Buffer;
  readonly schemas: Buffer;
}

/** The part of one version of a custom kind. Its bytes are made when they are needed, and again after they were dropped. */
class Part {
  readonly hash: string;
  /** Definitions of the built-in document that this part refers to. That document is rebuilt when the set of references of all parts changes. */
  readonly references: readonly string[];
  readonly firstPath: string;
  readonly #make: () => ReturnType<CustomParts["make"]>;
  #json: PartBytes | undefined;
  protobuf: Pick<SectionsV2, "paths" | "definitions"> | undefined;

  /** `shared` returns the first list with the same references, to save memory: nearly all kinds have the same ones. */
  constructor(
    make: () => ReturnType<CustomParts["make"]>,
    shared: (references: readonly string[]) => readonly string[],
  ) {
    this.#make = make;
    const made = make();
    const own = new Set(made.schemas.map(([name]) => `definitions/${name}`));
    this.references = shared(made.references.filter((reference) => !own.has(reference)));
    this.firstPath = made.paths[0]?.[0] ?? "";
    this.#json = { paths: membersOf(made.paths), schemas: membersOf(made.schemas) };
    this.hash = hashOf([this.#json.paths, this.#json.schemas]);
  }

  get json(): PartBytes {
    if (this.#json === undefined) {
      const { paths, schemas } = this.#make();
      this.#json = { paths: membersOf(paths), schemas: membersOf(schemas) };
    }
    return this.#json;
  }

  /** The part as a separate JSON document. */
  get text(): string {
    const { paths, schemas } = this.json;
    return `{"paths":{${paths.toString("utf8")}},"definitions":{${schemas.toString("utf8")}}}`;
  }

  drop(): void {
    this.#json = undefined;
    this.protobuf = undefined;
  }
}

/** The document without custom kinds, split at the positions where custom kinds are inserted. */
interface Base {
  readonly hash: string;
  readonly sections: readonly [Buffer, Buffer, Buffer];
  /** Paths that extension servers serve; undefined if there are none. */
  readonly taken: ReadonlySet<string> | undefined;
  protobuf: Promise<SectionsV2> | undefined;
}

interface Versioned<T> {
  readonly key: readonly unknown[];
  readonly value: T;
}

/**
 * The OpenAPI document of version 2, which describes all kinds. It is assembled from one part for all built-in kinds and one for each
 * version of a custom kind. Parts are made when the document is first requested and kept as long as their kind does not change.
 */
export class OpenApiV2 {
  readonly #context: OpenApiContext;
  /** Parts by definition, then by version. */
  #parts = new WeakMap<object, Map<string, Part>>();
  /** Shared lists of references, by their content. */
  #references = new Map<string, readonly string[]>();
  readonly #memory = new IdleMemory();
  #current: Versioned<Promise<PublishedDocument>> | undefined;
  #raw: Versioned<Promise<OpenApiParts>> | undefined;
  #maker: Versioned<CustomParts> | undefined;
  #base: Versioned<Promise<Base>> | undefined;

  constructor(context: OpenApiContext) {
    this.#context = context;
  }

  load(): Promise<PublishedDocument> {
    const surface = this.#context.surface();
    const key = [surface, this.#context.remote.generation];
    if (this.#current === undefined || !isSame(this.#current.key, key)) {
      const current = { key, value: this.#assemble(surface) };
      this.#current = current;
      current.value.catch(() => {
        if (this.#current === current) this.#current = undefined;
      });
    }
    return this.#current.value;
  }

  async #assemble(surface: ApiSurface): Promise<PublishedDocument> {
    const entries = [...surface.customEntries()];
    const maker = entries.length === 0 ? undefined : await this.#makerOf(surface);
    const all = maker === undefined ? [] : await inTurns(this.#partsOf(entries, maker));
    const base = await this.#baseOf(surface, all);
    const { taken } = base;
    const parts = taken === undefined ? all : all.filter(({ firstPath }) => !taken.has(firstPath));
    return {
      hash: hashOf([base.hash, ...parts.map(({ hash }) => hash)]),
      json: () => inTurns(this.#json(base, parts)),
      protobuf: () => this.#protobuf(base, parts),
    };
  }

  *#partsOf(entries: readonly ResourceEntry[], maker: CustomParts): Steps<Part[]> {
    const parts: Part[] = [];
    for (const { descriptor, definition } of entries) {
      if (definition === undefined) continue;
      const known = this.#parts.get(definition) ?? new Map<string, Part>();
      this.#parts.set(definition, known);
      let part = known.get(descriptor.version);
      if (part === undefined) {
        part = new Part(
          () => maker.make(descriptor, definition.source),
          (references) => this.#sharedReferences(references),
        );
        known.set(descriptor.version, part);
        this.#memory.use(part);
        yield;
      }
      parts.push(part);
    }
    return parts;
  }

  #sharedReferences(references: readonly string[]): readonly string[] {
    const key = references.join();
    const known = this.#references.get(key);
    if (known === undefined) this.#references.set(key, references);
    return known ?? references;
  }

  /** The document of built-in kinds as an object. It is large, so it is kept only briefly. */
  #rawOf({ builtIn }: ApiSurface): Promise<OpenApiParts> {
    if (this.#raw === undefined || !isSame(this.#raw.key, [builtIn])) {
      const raw = { key: [builtIn], value: inTurns(this.#context.documents.build("v2")) as Promise<OpenApiParts> };
      this.#raw = raw;
      const forget = (): void => {
        if (this.#raw === raw) this.#raw = undefined;
      };
      raw.value.then(() => setTimeout(forget, RAW_KEPT_MS).unref(), forget);
    }
    return this.#raw.value;
  }

  async #makerOf(surface: ApiSurface): Promise<CustomParts> {
    const key = [surface.builtIn];
    if (this.#maker === undefined || !isSame(this.#maker.key, key)) {
      const { paths, definitions = {} } = await this.#rawOf(surface);
      const { vendor } = this.#context;
      this.#parts = new WeakMap();
      this.#references = new Map();
      this.#maker = { key, value: new CustomParts({ format: "v2", vendor, paths, schemas: definitions }) };
    }
    return this.#maker.value;
  }

  #baseOf(surface: ApiSurface, parts: readonly Part[]): Promise<Base> {
    const lists = new Set(parts.map((part) => part.references));
    const references = [...new Set([...lists].flat())].sort();
    const key = [surface.builtIn, this.#context.remote.generation, references.join()];
    if (this.#base === undefined || !isSame(this.#base.key, key)) {
      const base = { key, value: this.#makeBase(surface, references) };
      this.#base = base;
      base.value.catch(() => {
        if (this.#base === base) this.#base = undefined;
      });
    }
    return this.#base.value;
  }

  async #makeBase(surface: ApiSurface, references: readonly string[]): Promise<Base> {
    const { remote } = this.#context;
    const raw = await this.#rawOf(surface);
    const selected = await inTurns(selectOpenApi(raw, surface, references));
    const document = remote.isEmpty ? selected : remote.extend(selected);
    const sections = await inTurns(printSections(document));
    const taken = remote.isEmpty ? undefined : new Set(Object.keys(document.paths));
    return { hash: hashOf(sections), sections, taken, protobuf: undefined };
  }

  *#json({ sections }: Base, parts: readonly Part[]): Steps<Uint8Array[]> {
    const [first, middle, last] = sections;
    const [paths, schemas]: [Buffer[], Buffer[]] = [[], []];
    for (const part of parts) {
      const { json } = part;
      this.#memory.use(part);
      if (json.paths.length > 0) paths.push(COMMA, json.paths);
      if (json.schemas.length > 0) schemas.push(COMMA, json.schemas);
      yield;
    }
    return [first, ...paths, middle, ...schemas, last];
  }

  async #protobuf(base: Base, parts: readonly Part[]): Promise<readonly Uint8Array[]> {
    const { encodeV2 } = this.#context;
    base.protobuf ??= encodeV2([Buffer.concat(base.sections).toString("utf8")]).then(([sections]) => {
      if (sections === undefined) throw new Error("no OpenAPI document");
      return sections;
    });
    base.protobuf.catch(() => {
      base.protobuf = undefined;
    });
    const { before, after, ...own } = await base.protobuf;
    await this.#encodeParts(parts);
    const encoded = [own, ...parts.flatMap(({ protobuf }) => protobuf ?? [])];
    const paths = encoded.map((part) => part.paths);
    const definitions = encoded.map((part) => part.definitions);
    const heads = sectionHeads(lengthOf(paths), lengthOf(definitions));
    return [before, heads.paths, ...paths, heads.definitions, ...definitions, after];
  }

  /** Encodes the parts that are not encoded yet, in batches. */
  async #encodeParts(parts: readonly Part[]): Promise<void> {
    for (const part of parts) this.#memory.use(part);
    const pending = parts.filter(({ protobuf }) => protobuf === undefined);
    for (let from = 0; from < pending.length; from += PARTS_AT_A_TIME) {
      const batch = pending.slice(from, from + PARTS_AT_A_TIME);
      const texts = await inTurns(textsOf(batch));
      const encoded = await this.#context.encodeV2(texts);
      for (const [index, part] of batch.entries()) {
        part.protobuf = encoded[index];
        this.#memory.use(part);
      }
    }
  }
}

function* textsOf(parts: readonly Part[]): Steps<string[]> {
  const texts: string[] = [];
  for (const part of parts) {
    texts.push(part.text);
    yield;
  }
  return texts;
}

/** The parts of custom kinds and the base are made from the same raw document, shortly after each other. */
const RAW_KEPT_MS = 5_000;
/** Number of parts that are sent to the encoding thread in one batch. */
const PARTS_AT_A_TIME = 16;
const COMMA = Buffer.from(",");

function membersOf(members: readonly JsonMember[]): Buffer {
  return Buffer.from(members.map(([name, json]) => `${stringifyJson(name)}:${json}`).join(","));
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
