import type { Alias, Document, Node, Pair, Scalar, Tags, YAMLMap, YAMLParseError, YAMLSeq } from "yaml";
import { goFloat, goSyntax } from "../../lib/go-format.ts";
import { goQuote } from "../../lib/go-quote.ts";
import { type JsonValue, setOwn } from "../../lib/json-object.ts";
import { MAX_READ_DEPTH } from "../../lib/max-depth.ts";
import { type ParsedJson, parseJson } from "../json/parse-json.ts";
import { resolveAliases } from "./resolve-aliases.ts";
import { scalarValue } from "./resolve-scalar.ts";
import { translateYamlError } from "./translate-yaml-error.ts";
import { checkYamlDepth, tooDeep } from "./yaml-depth.ts";
import { checkDirectives } from "./yaml-directives.ts";
import { YamlError } from "./yaml-error.ts";
import { yamlLibrary } from "./yaml-library.ts";
import { readYamlText } from "./yaml-text.ts";

export interface ParsedYaml {
  readonly value: unknown;
  /** What strict decoding complains of: keys set twice. */
  readonly problems: readonly string[];
}

/**
 * Parses the first YAML document of a text into plain JSON values, by the rules of YAML 1.1 as Go's parser reads them:
 * `yes` is true, times stay text, merge keys are merged. Throws `YamlError`. Aliases may repeat, but not explode.
 */
export function parseYaml(text: string | Uint8Array): ParsedYaml {
  const source = readYamlText(text);
  const json = asJson(source);
  if (json !== undefined) return { value: json.value, problems: [] };
  checkDirectives(source);
  checkYamlDepth(source);
  try {
    const document = yamlLibrary().parseDocument(source, GO_YAML);
    const failure = document.errors.find((error) => isOwnError(error, document, source));
    const end = failure && endOfBlock(failure, document, source);
    if (end !== undefined) return parseYaml(source.slice(0, end));
    if (failure !== undefined) throw translateYamlError(failure, source, document);
    return new Converter(document, source).convert();
  } catch (error) {
    // The package recurses, and has no limit for what is nested by indentation.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

/** Whether an error is one of the first document: nobody reads on after what ends by itself. */
function isOwnError({ code, pos }: YAMLParseError, { contents }: Document, text: string): boolean {
  if (code === "MULTIPLE_DOCS") return false;
  if (!yamlLibrary().isCollection(contents) || !contents.flow || !contents.range) return true;
  const [start, end] = contents.range;
  return pos[0] < end || end - 1 === start || text[end - 1] !== (text[start] === "{" ? "}" : "]");
}

/** Where a document of lines ends, if it does so by a line that begins before all of its own. */
function endOfBlock({ pos }: YAMLParseError, { contents }: Document, text: string): number | undefined {
  if (!yamlLibrary().isCollection(contents) || contents.flow || !contents.range) return undefined;
  const start = contents.range[0] + text.slice(contents.range[0]).search(/\S/);
  const columnOf = (at: number) => at - startOfLine(text, at);
  return pos[0] > start && columnOf(pos[0]) < columnOf(start) ? startOfLine(text, pos[0]) : undefined;
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Digits that may be a number beyond what JSON's readers and YAML's agree on. */
const ENORMOUS = /\d{17}|\d[eE][-+]?\d{3}/;

/**
 * Much of what is called YAML is JSON, which is read many times faster. Repeated keys and enormous numbers are left to the
 * YAML parser.
 */
function asJson(text: string): ParsedJson | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let parsed: ParsedJson;
  try {
    parsed = parseJson(text);
  } catch {
    return undefined;
  }
  checkEscapes(text);
  if (escapesSlashes(text)) throw new YamlError("found unknown escape character");
  if (ENORMOUS.test(text) && ENORMOUS.test(text.replaceAll(/"(?:[^"\\]|\\.)*"?/gs, '""'))) return undefined;
  return parsed.duplicates === undefined ? parsed : undefined;
}

/** Halves of characters beyond the first plane are JSON's way to escape those, and nothing to YAML. */
function checkEscapes(quoted: string): void {
  for (const [, short, long] of quoted.matchAll(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|.)/gs)) {
    const code = Number.parseInt(short ?? long ?? "0", 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw new YamlError("found invalid Unicode character escape code");
  }
}

/** JSON may write slashes with an escape, YAML may not. */
function escapesSlashes(json: string): boolean {
  if (!json.includes("\\/")) return false;
  return json.matchAll(/\\./gs).some(([pair]) => pair === "\\/");
}

/** A parsed document as plain JSON values. Throws `YamlError`. */
export function yamlValue(document: Document, text: string): unknown {
  return new Converter(document, text).convert().value;
}

/** How Go's parser reads YAML, as options of the YAML package. */
export const GO_YAML = {
  version: "1.1",
  schema: "yaml-1.1",
  customTags: goTags,
  merge: true,
  uniqueKeys: false,
  intAsBigInt: true,
  prettyErrors: false,
  logLevel: "error",
} as const;

/** Go knows no base-60 numbers, reads times as text, and has none of the collection types of YAML 1.1. */
function goTags(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag === "string") return true;
    if (tag.collection === undefined && "format" in tag && tag.format === "TIME") return false;
    return !/:(timestamp|omap|pairs|set|binary)$/.test(tag.tag);
  });
}

/** Nodes a small document may become through aliases before the ratio of Go's parser applies. */
const FREE_NODES = 1000;
const FREE_ALIASED = 100;
/** Characters that aliases may add: as many as a body may have. Go's parser counts nodes alone, however long their strings are. */
const MAX_ALIASED_LENGTH = 3 * 1024 * 1024;

class Converter {
  readonly #yaml = yamlLibrary();
  readonly #document: Document;
  readonly #text: string;
  readonly #repeated: string[] = [];
  readonly #expanding = new Set<unknown>();
  #targets: ReadonlyMap<Alias, Node> | undefined;
  #lineStarts: number[] | undefined;
  #nodes = 0;
  #aliased = 0;
  #aliasedLength = 0;
  #insideAlias = 0;
  #depth = 0;

  constructor(document: Document, text: string) {
    this.#document = document;
    this.#text = text;
  }

  convert(): ParsedYaml {
    const value = this.#node(this.#document.contents);
    const problems = this.#repeated.length === 0 ? [] : [`yaml: unmarshal errors:\n${this.#repeated.join("\n")}`];
    return { value, problems };
  }

  #node(node: unknown): unknown {
    this.#count();
    const { isScalar, isMap, isSeq, isAlias } = this.#yaml;
    if (isScalar(node)) return this.#scalar(node);
    if (isAlias(node)) return this.#expand(node, (target) => this.#node(target));
    if (!isMap(node) && !isSeq(node)) return null;
    if (++this.#depth > MAX_READ_DEPTH) throw tooDeep();
    const value = isMap(node) ? this.#map(node) : (node as YAMLSeq).items.map((item) => this.#node(item));
    this.#depth--;
    return value;
  }

  #scalar(node: Scalar): unknown {
    const value = jsonValue(node);
    if (typeof value !== "string") return value;
    if (node.type === "QUOTE_DOUBLE" && node.range && /[\ud800-\udfff]/.test(value))
      checkEscapes(this.#text.slice(node.range[0], node.range[1]));
    if (this.#insideAlias > 0) this.#aliasedLength += value.length;
    return value;
  }

  #count(): void {
    this.#nodes++;
    if (this.#insideAlias > 0) this.#aliased++;
    const excessive =
      this.#aliased > FREE_ALIASED &&
      this.#nodes > FREE_NODES &&
      this.#aliased / this.#nodes > allowedAliasRatio(this.#nodes);
    if (excessive || this.#aliasedLength > MAX_ALIASED_LENGTH)
      throw new YamlError("document contains excessive aliasing");
  }

  /** Makes something of what an alias stands for. */
  #expand<T>(alias: Alias, convert: (target: Node) => T): T {
    this.#targets ??= resolveAliases(this.#document.contents);
    const target = this.#targets.get(alias);
    if (target === undefined) throw new YamlError(`unknown anchor '${alias.source}' referenced`);
    if (this.#expanding.has(target)) throw new YamlError(`anchor '${alias.source}' value contains itself`);
    this.#expanding.add(target);
    this.#insideAlias++;
    const value = convert(target);
    this.#insideAlias--;
    this.#expanding.delete(target);
    return value;
  }

  #map(map: YAMLMap): unknown {
    const anchored = map.anchor !== undefined && !this.#expanding.has(map);
    if (anchored) this.#expanding.add(map);
    const object: { [key: string]: unknown } = {};
    this.#fill(object, map);
    if (anchored) this.#expanding.delete(map);
    return object;
  }

  /** What comes later counts, whether it is merged or said. */
  #fill(object: { [key: string]: unknown }, map: YAMLMap): void {
    for (const pair of map.items) {
      if (this.#isMergeKey(pair)) {
        this.#merge(object, pair.value);
        continue;
      }
      const { name, isText } = this.#key(pair);
      if (Object.hasOwn(object, name)) {
        const shown = isText ? goQuote(name) : name;
        this.#repeated.push(`  line ${this.#lineOf(pair)}: key ${shown} already set in map`);
      }
      setOwn(object, name, this.#node(pair.value));
    }
  }

  /** Of several maps the first counts most. */
  #merge(object: { [key: string]: unknown }, source: unknown): void {
    const { isSeq } = this.#yaml;
    const sources = isSeq(source) ? (source as YAMLSeq).items.toReversed() : [source];
    for (const one of sources) {
      this.#count();
      if (this.#yaml.isAlias(one)) this.#expand(one, (target) => this.#mergeMap(object, target));
      else this.#mergeMap(object, one);
    }
  }

  #mergeMap(object: { [key: string]: unknown }, map: unknown): void {
    if (!this.#yaml.isMap(map)) throw new YamlError("map merge requires map or sequence of maps as the value");
    this.#count();
    this.#fill(object, map);
  }

  #isMergeKey(pair: Pair): boolean {
    return this.#yaml.isScalar(pair.key) && pair.key.source === "<<" && pair.key.type === "PLAIN";
  }

  /** JSON has only strings for keys. */
  #key({ key: node, value: member }: Pair): { readonly name: string; readonly isText: boolean } {
    const key = this.#node(node);
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

  #lineOf(pair: Pair): number {
    const { isNode } = this.#yaml;
    const range = (isNode(pair.value) && pair.value.range) || (isNode(pair.key) && pair.key.range) || undefined;
    return range ? this.#lineAt(range[0]) : 1;
  }

  /** Lines are counted from 1. */
  #lineAt(position: number): number {
    const starts = (this.#lineStarts ??= lineStartsOf(this.#text));
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** The larger the document, the smaller the part of it that may come from aliases. */
function allowedAliasRatio(nodes: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (nodes <= low) return 0.99;
  if (nodes >= high) return 0.1;
  return 0.99 - 0.89 * ((nodes - low) / (high - low));
}

function jsonValue(node: Scalar): unknown {
  const value = scalarValue(node);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new YamlError(`unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`, "json");
  return value;
}

function shown(value: unknown): string {
  return goSyntax(value as JsonValue).replaceAll("map[string]interface {}", "map[interface {}]interface {}");
}

function floatKey(key: number): string {
  if (Number.isNaN(key)) return ".nan";
  if (!Number.isFinite(key)) return key > 0 ? ".inf" : "-.inf";
  return goFloat(key);
}
