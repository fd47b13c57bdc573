import type { SchemaSource } from "../contract/api-registry.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { Json } from "./json.ts";
import { schemaV2 } from "./schema-v2.ts";

/** The two versions of OpenAPI differ in where schemas are located, and in what `schemaV2` removes. */
export type Dialect = "v2" | "v3";

const ROOTS = { v2: "#/definitions/", v3: "#/components/schemas/" };
/** Kinds of meta/v1 that belong to every version of every group. */
const EVERYWHERE = ["DeleteOptions", "WatchEvent"];

/** All schemas by full name, read on first use. */
export class Schemas {
  readonly #source: SchemaSource;
  readonly #vendor: string;
  readonly #packages = new Map<string, { readonly [name: string]: Json }>();
  readonly #found = { v2: new Map<string, Found>(), v3: new Map<string, Found>() };
  readonly #prefixes: ReadonlyMap<string, string>;

  constructor(source: SchemaSource, vendor: string) {
    this.#source = source;
    this.#vendor = vendor;
    this.#prefixes = new Map(source.modules().map((one) => [one.module, one.package]));
  }

  /** Returns the full name of a type: `io.k8s.api.apps.v1.Deployment` for `apps/v1.Deployment`. */
  nameOf(type: TypeRef): string {
    const dot = type.lastIndexOf(".");
    const prefix = this.#prefixes.get(type.slice(0, dot));
    if (prefix === undefined) throw new RangeError(`no module defines ${type}`);
    return prefix + type.slice(dot);
  }

  get(name: string, dialect: Dialect): Found | undefined {
    const known = this.#found[dialect].get(name);
    if (known !== undefined) return known;
    const schema = this.#read(name);
    if (schema === undefined) return undefined;
    const shaped = dialect === "v2" ? schemaV2(schema) : schema;
    const found = { schema: shaped, references: referencesIn(shaped, ROOTS[dialect]) };
    this.#found[dialect].set(name, found);
    return found;
  }

  #read(name: string): Json | undefined {
    const dot = name.lastIndexOf(".");
    const [packageName, short] = [name.slice(0, dot), name.slice(dot + 1)];
    let schemas = this.#packages.get(packageName);
    if (schemas === undefined) {
      schemas = this.#source.schemas(packageName);
      this.#packages.set(packageName, schemas);
    }
    const schema = schemas[short];
    const isMeta = EVERYWHERE.includes(short) && packageName === this.#prefixes.get("meta/v1");
    return schema !== undefined && isMeta ? { ...schema, ...this.#everywhere(short) } : schema;
  }

  #everywhere(kind: string): Json {
    const versions = this.#source.modules().flatMap(({ kinds }) => kinds ?? []);
    const sorted = versions.sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
    const kinds = sorted.map(({ group, version }) => ({ group, kind, version }));
    return { [`x-${this.#vendor}-group-version-kind`]: kinds };
  }
}

interface Found {
  readonly schema: Json;
  /** Names of the schemas to which it refers. */
  readonly references: readonly string[];
}

/** The schemas of one document: all that are referenced, directly or indirectly. */
export class DocumentSchemas {
  readonly #schemas: Schemas;
  readonly #dialect: Dialect;
  readonly #written = new Map<string, Json>();

  constructor(schemas: Schemas, dialect: Dialect) {
    this.#schemas = schemas;
    this.#dialect = dialect;
  }

  refTo(type: TypeRef): Json {
    const name = this.#schemas.nameOf(type);
    this.#write(name);
    return this.#pointer(name);
  }

  /** Adds a schema that is not a type of the API. */
  add(name: string, schema: Json): Json {
    this.#written.set(name, schema);
    return this.#pointer(name);
  }

  written(): ReadonlyMap<string, Json> {
    return this.#written;
  }

  #write(name: string): void {
    if (this.#written.has(name)) return;
    const found = this.#schemas.get(name, this.#dialect);
    if (found === undefined) return;
    this.#written.set(name, found.schema);
    for (const reference of found.references) this.#write(reference);
  }

  #pointer(name: string): Json {
    return { $ref: ROOTS[this.#dialect] + name };
  }
}

/** Collects the names of all references in a schema. A property named `$ref` is not a reference: its value is an object. */
function referencesIn(value: unknown, root: string, found: string[] = []): readonly string[] {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && typeof member === "string") found.push(member.slice(root.length));
    else referencesIn(member, root, found);
  }
  return found;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
