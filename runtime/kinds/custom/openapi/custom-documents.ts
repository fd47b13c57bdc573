import { stringifyJson } from "../../../encoding/json/stringify-json.ts";
import type { Steps } from "../../../lib/in-turns.ts";
import type { ResourceEntry } from "../../resource-entry.ts";
import { CustomParts } from "./custom-parts.ts";
import type { JsonMember } from "./json-member.ts";

type Members = Readonly<Record<string, unknown>>;

/** An OpenAPI v3 document that contains the paths after which those of custom kinds are modeled. */
export interface CustomDocument {
  readonly openapi: string;
  readonly paths: Members;
  readonly components: { readonly schemas: Members };
}

const ROOT = "components/schemas/";
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;
const CHUNK = 64 * 1024;

/** A schema that built-in and custom kinds share. */
interface SharedSchema {
  readonly json: string;
  readonly references: readonly string[];
}

/** Creates the OpenAPI v3 documents of custom kinds: one per version of a group. */
export class CustomDocuments {
  readonly #parts: CustomParts;
  readonly #opening: string;
  readonly #vendor: string;
  /** Schemas shared with built-in kinds, printed when first needed. */
  readonly #shared = new Map<string, SharedSchema>();
  readonly #schemas: Members;

  constructor(pattern: CustomDocument, vendor: string) {
    const { paths, components } = pattern;
    this.#parts = new CustomParts({ format: "v3", vendor, paths, schemas: components.schemas });
    const info = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
    this.#opening = `{"openapi":${stringifyJson(pattern.openapi)},"info":${stringifyJson(info)},"paths":{`;
    this.#vendor = vendor;
    this.#schemas = components.schemas;
  }

  /** Creates the document of all kinds of one version. */
  *make(entries: readonly ResourceEntry[]): Steps<{ readonly pieces: readonly Buffer[] }> {
    const pieces: Buffer[] = [];
    let text = this.#opening;
    const flush = (): void => {
      pieces.push(Buffer.from(text));
      text = "";
    };
    const add = (members: Iterable<JsonMember>, isFirst: boolean): void => {
      let before = isFirst ? "" : ",";
      for (const [name, json] of members) {
        text += `${before}${stringifyJson(name)}:${json}`;
        before = ",";
        if (text.length >= CHUNK) flush();
      }
    };
    const schemas = new Map<string, string>();
    const references = new Set<string>();
    for (const [index, { descriptor, definition }] of entries.entries()) {
      if (definition === undefined) continue;
      const part = this.#parts.make(descriptor, definition.source);
      add(part.paths, index === 0);
      for (const [name, json] of part.schemas) schemas.set(name, json);
      for (const reference of part.references)
        if (reference.startsWith(ROOT)) references.add(reference.slice(ROOT.length));
      yield;
    }
    for (const [name, { json }] of this.#reachable(references)) if (!schemas.has(name)) schemas.set(name, json);
    text += `},"components":{"schemas":{`;
    const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
    yield;
    let isFirst = true;
    for (const member of sorted) {
      add([member], isFirst);
      isFirst = false;
      yield;
    }
    text += "}}}";
    flush();
    return { pieces };
  }

  /** Returns the schemas shared with built-in kinds that are referenced directly or indirectly. */
  #reachable(references: ReadonlySet<string>): Map<string, SharedSchema> {
    const found = new Map<string, SharedSchema>();
    const pending = [...references];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const schema = found.has(name) ? undefined : this.#schema(name);
      if (schema === undefined) continue;
      found.set(name, schema);
      pending.push(...schema.references);
    }
    return found;
  }

  #schema(name: string): SharedSchema | undefined {
    const known = this.#shared.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.#schemas, name)) return undefined;
    const json = stringifyJson(withoutForeignGroups(this.#schemas[name] as Members, this.#vendor));
    const references = [...new Set([...json.matchAll(REFERENCE)].map(([, other = ""]) => other))];
    const schema = { json, references };
    this.#shared.set(name, schema);
    return schema;
  }
}

/** Groups that Kubernetes serves by other servers than custom kinds, or not at all. */
const FOREIGN = new Set(["admission", "apiextensions", "apiregistration", "imagepolicy"]);

/** Removes from a schema that several groups share the groups that are not served together with custom kinds. */
function withoutForeignGroups(schema: Members, vendor: string): Members {
  const key = `x-${vendor}-group-version-kind`;
  const gvks = schema[key] as readonly { readonly group: string }[] | undefined;
  if (gvks === undefined || gvks.length === 1) return schema;
  return { ...schema, [key]: gvks.filter(({ group }) => !FOREIGN.has(group.split(".", 1)[0] ?? "")) };
}
