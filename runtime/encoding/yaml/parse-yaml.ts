import type { Alias, Document, Pair, Scalar, Tags, YAMLMap, YAMLSeq } from "yaml";
import { goSyntax } from "../../lib/go-format.ts";
import { type JsonValue, setOwn } from "../../lib/json-object.ts";
import { type ParsedJson, parseJson } from "../json/parse-json.ts";
import { goNumber } from "./go-number.ts";
import { checkYamlDepth } from "./yaml-depth.ts";
import { translateYamlError, YamlError } from "./yaml-error.ts";
import { yamlLibrary } from "./yaml-library.ts";

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
  const source = typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  const json = asJson(source);
  if (json !== undefined) return { value: json.value, problems: [] };
  checkDirective(source);
  checkYamlDepth(source);
  try {
    const document = yamlLibrary().parseDocument(source, GO_YAML);
    const failure = document.errors.find((error) => error.code !== "MULTIPLE_DOCS");
    if (failure !== undefined) throw translateYamlError(failure, source);
    return new Converter(document, source).convert();
  } catch (error) {
    if (error instanceof RangeError) throw new YamlError("exceeded max depth of 10000");
    throw error;
  }
}

/** Digits that may be a number beyond what JSON's readers and YAML's agree on. */
const ENORMOUS = /\d{17}|\d[eE][-+]?\d{3}/;

/**
 * Much of what is called YAML is JSON, which is read many times faster. Repeated keys and enormous numbers are left to the
 * YAML parser.
 */
function asJson(text: string): ParsedJson | undefined {
  if (!/^\s*\{/.test(text) || ENORMOUS.test(text)) return undefined;
  checkEscapes(text);
  try {
    const parsed = parseJson(text);
    return parsed.duplicates === undefined ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Halves of characters beyond the first plane are JSON's way to escape those, and nothing to YAML. */
function checkEscapes(json: string): void {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return;
  for (const [text] of json.matchAll(/"(?:[^"\\]|\\.)*"/gs))
    if (/^"(?:[^\\]|\\[^u]|\\u(?![dD][89a-fA-F]))*\\u[dD][89a-fA-F]/s.test(text))
      throw new YamlError("found invalid Unicode character escape code");
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

function checkDirective(text: string): void {
  const version = /^%YAML\s+(\S*)/.exec(text)?.[1];
  if (version === undefined) return;
  if (!/^\d+\.\d+$/.test(version)) throw new YamlError("did not find expected digit or '.' character");
  if (!version.startsWith("1.")) throw new YamlError("found incompatible YAML document");
}

/** Nodes a small document may become through aliases before the ratio of Go's parser applies. */
const FREE_NODES = 1000;
const FREE_ALIASED = 100;

class Converter {
  readonly #yaml = yamlLibrary();
  readonly #document: Document;
  readonly #text: string;
  readonly #repeated: string[] = [];
  readonly #expanding = new Set<unknown>();
  #nodes = 0;
  #aliased = 0;
  #insideAlias = 0;

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
    if (isScalar(node)) return scalarValue(node);
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return (node as YAMLSeq).items.map((item) => this.#node(item));
    if (isAlias(node)) return this.#alias(node);
    return null;
  }

  #count(): void {
    this.#nodes++;
    if (this.#insideAlias > 0) this.#aliased++;
    const excessive =
      this.#aliased > FREE_ALIASED &&
      this.#nodes > FREE_NODES &&
      this.#aliased / this.#nodes > allowedAliasRatio(this.#nodes);
    if (excessive) throw new YamlError("document contains excessive aliasing");
  }

  #alias(alias: Alias): unknown {
    const target = alias.resolve(this.#document);
    if (target === undefined) throw new YamlError(`unknown anchor '${alias.source}' referenced`);
    if (this.#expanding.has(target)) throw new YamlError(`anchor '${alias.source}' value contains itself`);
    this.#expanding.add(target);
    this.#insideAlias++;
    const value = this.#node(target);
    this.#insideAlias--;
    this.#expanding.delete(target);
    return value;
  }

  #map(map: YAMLMap): unknown {
    const anchored = map.anchor !== undefined && !this.#expanding.has(map);
    if (anchored) this.#expanding.add(map);
    const object: { [key: string]: unknown } = {};
    const merged: { [key: string]: unknown }[] = [];
    for (const pair of map.items) {
      if (this.#isMergeKey(pair)) {
        const value = this.#node(pair.value);
        merged.push(...((Array.isArray(value) ? value : [value]) as { [key: string]: unknown }[]));
        continue;
      }
      const key = this.#key(pair.key);
      if (Object.hasOwn(object, key))
        this.#repeated.push(`  line ${this.#lineOf(pair)}: key "${key}" already set in map`);
      setOwn(object, key, this.#node(pair.value));
    }
    for (const source of merged) {
      if (typeof source !== "object" || source === null)
        throw new YamlError("map merge requires map or sequence of maps as the value");
      for (const key of Object.keys(source)) if (!Object.hasOwn(object, key)) setOwn(object, key, source[key]);
    }
    if (anchored) this.#expanding.delete(map);
    return object;
  }

  #isMergeKey(pair: Pair): boolean {
    return this.#yaml.isScalar(pair.key) && pair.key.source === "<<" && pair.key.type === "PLAIN";
  }

  /** JSON has only strings for keys. */
  #key(node: unknown): string {
    const value = this.#node(node);
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
    if (value === null) return "null";
    const shown = goSyntax(value as JsonValue).replaceAll("map[string]interface {}", "map[interface {}]interface {}");
    throw new YamlError(`invalid map key: ${shown}`);
  }

  #lineOf(pair: Pair): number {
    const range = this.#yaml.isScalar(pair.key) ? pair.key.range : undefined;
    return range ? this.#text.slice(0, range[0]).split("\n").length : 1;
  }
}

/** The larger the document, the smaller the part of it that may come from aliases. */
function allowedAliasRatio(nodes: number): number {
  const [low, high] = [400_000, 4_000_000];
  if (nodes <= low) return 0.99;
  if (nodes >= high) return 0.1;
  return 0.99 - 0.89 * ((nodes - low) / (high - low));
}

/** Among plain scalars, those that begin like a number: whether they are one is for Go to say. */
const NUMERIC = /^[-+.]?\d/;

function scalarValue(node: Scalar): unknown {
  const { value, source = "" } = node;
  if (node.type === "PLAIN" && node.tag === undefined && NUMERIC.test(source))
    return goNumber(source) ?? (typeof value === "string" ? value : source);
  if (node.tag?.endsWith(":binary")) return Buffer.from(String(value), "base64").toString("utf8");
  if (typeof value === "bigint") {
    const small = Number(value);
    return Number.isSafeInteger(small) ? small : value;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new YamlError(`unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`, "json");
  }
  if (typeof value === "symbol") return "<<";
  return value ?? null;
}
