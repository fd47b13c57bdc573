import { goFloat } from "../../go/float.ts";
import { goSyntax } from "../../go/format.ts";
import { goQuote } from "../../go/quote.ts";
import { type JsonValue, setOwn } from "../../lib/json-object.ts";
import { parseJson } from "../json/parse-json.ts";
import type { ParsedJson } from "../json/parsed-json.ts";
import { MAX_DEPTH, MAX_READ_DEPTH } from "../max-depth.ts";
import { takeParsedYaml } from "./large-yaml.ts";
import type { ParsedYaml } from "./parsed-yaml.ts";
import { scalarValue } from "./resolve-scalar.ts";
import { YamlError } from "./yaml-error.ts";
import { parseYamlDocument, type YamlAlias, type YamlMap, type YamlNode, type YamlScalar } from "./yaml-parser.ts";
import { readYamlText } from "./yaml-text.ts";

/**
 * Parses the first YAML document of the input into plain JSON values, as Go's parser implements YAML 1.1: `yes` is true, times stay
 * strings, merge keys are merged. Throws `YamlError`. The expansion of aliases is limited. Takes linear time.
 */
export function parseYaml(text: string | Uint8Array): ParsedYaml {
  const parsed = typeof text === "string" ? undefined : takeParsedYaml(text);
  if (parsed !== undefined) return parsed;
  const source = readYamlText(text);
  const json = asJson(source);
  if (json !== undefined) return { value: json.value, problems: [] };
  return new Converter().convert(parseYamlDocument(source));
}

/** Characters and escapes that have a different meaning in YAML: tabs, characters that end a line, and escapes that YAML lacks (`\/`, surrogates). */
const FOR_YAML = /[\t\u0085\u2028\u2029]|\\(?:\/|u[dD][89a-fA-F])/;

/** Like FOR_YAML, outside of strings: space before a colon, which must be on the line of its key, and digits that may form a very large number. */
const FOR_YAML_OUTSIDE = /\s:|\d{17}|\d[eE][-+]?\d{3}/;

/**
 * Parses input that is JSON, which is faster; much input that is declared as YAML is. Returns undefined for input with duplicate keys, very large
 * numbers, or syntax that YAML interprets differently: the YAML parser handles those.
 */
function asJson(text: string): ParsedJson | undefined {
  if (!/^\s*\{/.test(text) || FOR_YAML.test(text)) return undefined;
  let parsed: ParsedJson;
  try {
    parsed = parseJson(text);
  } catch {
    return undefined;
  }
  if (parsed.duplicates !== undefined) return undefined;
  return FOR_YAML_OUTSIDE.test(text) && FOR_YAML_OUTSIDE.test(emptyStrings(text)) ? undefined : parsed;
}

/** Valid JSON with all strings empty. */
function emptyStrings(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const start = json.indexOf('"', at);
    if (start < 0) return parts.join("") + json.slice(at);
    parts.push(json.slice(at, start), '""');
    at = start + 1;
    while (json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
    at++;
  }
  return parts.join("");
}

/** The alias ratio applies to documents with more than `FREE_NODES` nodes, of which more than `FREE_ALIASED` come from aliases. */
const FREE_NODES = 1000;
const FREE_ALIASED = 100;
/** Limit on the characters that aliases add: the size limit of a body. Go's parser counts only nodes, regardless of string lengths. */
const MAX_ALIASED_LENGTH = 3 * 1024 * 1024;

type Members = { [key: string]: unknown };

class Converter {
  readonly #repeated: string[] = [];
  readonly #expanding = new Set<YamlNode>();
  #nodes = 0;
  #aliased = 0;
  #aliasedLength = 0;
  #insideAlias = 0;
  #depth = 0;

  convert(document: YamlNode | undefined): ParsedYaml {
    const value = document === undefined ? null : this.#node(document);
    const problems = this.#repeated.length === 0 ? [] : [`yaml: unmarshal errors:\n${this.#repeated.join("\n")}`];
    return { value, problems };
  }

  #node(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case "scalar":
        return this.#scalar(node);
      case "alias":
        return this.#expand(node, (target) => this.#node(target));
    }
    if (++this.#depth > MAX_READ_DEPTH) throw new YamlError(`exceeded max depth of ${MAX_DEPTH}`);
    const value = node.kind === "map" ? this.#map(node) : node.items.map((item) => this.#node(item));
    this.#depth--;
    return value;
  }

  #scalar(node: YamlScalar): unknown {
    const value = scalarValue(node);
    if (this.#insideAlias > 0) this.#aliasedLength += node.value.length;
    if (typeof value === "number" && !Number.isFinite(value))
      throw new YamlError(`unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`, "json");
    return value;
  }

  #count(): void {
    this.#nodes++;
    if (this.#insideAlias === 0) return;
    this.#aliased++;
    const excessive =
      this.#aliased > FREE_ALIASED &&
      this.#nodes > FREE_NODES &&
      this.#aliased / this.#nodes > allowedAliasRatio(this.#nodes);
    if (excessive || this.#aliasedLength > MAX_ALIASED_LENGTH)
      throw new YamlError("document contains excessive aliasing");
  }

  /** Converts the target of an alias. */
  #expand<T>({ name, target }: YamlAlias, convert: (target: YamlNode) => T): T {
    if (this.#expanding.has(target)) throw new YamlError(`anchor '${name}' value contains itself`);
    this.#expanding.add(target);
    this.#insideAlias++;
    const value = convert(target);
    this.#insideAlias--;
    this.#expanding.delete(target);
    return value;
  }

  #map(map: YamlMap): unknown {
    const object: Members = {};
    this.#fill(object, map);
    return object;
  }

  /** Later entries override earlier ones, whether they are merged or explicit. */
  #fill(object: Members, map: YamlMap): void {
    for (const { key, value } of map.entries) {
      if (isMergeKey(key)) {
        this.#merge(object, value);
        continue;
      }
      const { name, isText } = this.#key(key, value);
      if (Object.hasOwn(object, name)) {
        const shown = isText ? goQuote(name) : name;
        this.#repeated.push(`  line ${value.line}: key ${shown} already set in map`);
      }
      setOwn(object, name, this.#node(value));
    }
  }

  /** If several maps are merged, earlier ones take precedence. */
  #merge(object: Members, source: YamlNode): void {
    const sources = source.kind === "list" ? source.items.toReversed() : [source];
    for (const one of sources) {
      this.#count();
      if (one.kind === "alias") this.#expand(one, (target) => this.#mergeMap(object, target));
      else this.#mergeMap(object, one);
    }
  }

  #mergeMap(object: Members, map: YamlNode): void {
    if (map.kind !== "map") throw new YamlError("map merge requires map or sequence of maps as the value");
    this.#count();
    if (++this.#depth > MAX_READ_DEPTH) throw new YamlError(`exceeded max depth of ${MAX_DEPTH}`);
    this.#fill(object, map);
    this.#depth--;
  }

  /** Converts a key to a string, since JSON has no other keys. */
  #key(node: YamlNode, member: YamlNode): { readonly name: string; readonly isText: boolean } {
    const key = node.kind === "scalar" ? this.#keyScalar(node) : this.#node(node);
    if (typeof key === "string") return { name: key, isText: true };
    if (typeof key === "number" && !Number.isInteger(key)) return { name: floatKey(key), isText: false };
    if (typeof key === "number" || typeof key === "bigint" || typeof key === "boolean")
      return { name: String(key), isText: false };
    if (key === null) {
      const value = shown(this.#node(member));
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${value}`, "");
    }
    throw new YamlError(`invalid map key: ${shown(key)}`);
  }

  /** Unlike values, keys may be infinite or NaN. */
  #keyScalar(node: YamlScalar): unknown {
    this.#count();
    if (this.#insideAlias > 0) this.#aliasedLength += node.value.length;
    return scalarValue(node);
  }
}

function isMergeKey(key: YamlNode): boolean {
  return key.kind === "scalar" && key.value === "<<" && ((key.isPlain && key.tag === "") || key.tag === MERGE_TAG);
}

const MERGE_TAG = "tag:yaml.org,2002:merge";

/** The fraction of nodes that may come from aliases; it decreases with the size of the document. */
function allowedAliasRatio(nodes: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (nodes <= low) return 0.99;
  if (nodes >= high) return 0.1;
  return 0.99 - 0.89 * ((nodes - low) / (high - low));
}

function shown(value: unknown): string {
  return goSyntax(value as JsonValue).replaceAll("map[string]interface {}", "map[interface {}]interface {}");
}

function floatKey(key: number): string {
  if (Number.isNaN(key)) return ".nan";
  if (!Number.isFinite(key)) return key > 0 ? ".inf" : "-.inf";
  return goFloat(key);
}
