import { YamlError } from "./yaml-error.ts";
import { YamlScanner } from "./yaml-scanner.ts";
import type { Token, TokenType } from "./yaml-token.ts";

interface Placed {
  /** Counted from 1. */
  readonly line: number;
}

export interface YamlScalar extends Placed {
  readonly kind: "scalar";
  readonly value: string;
  /** The full tag; empty if there is none. */
  readonly tag: string;
  /** Whether it is written as a plain scalar: without quotes, and not as a block. */
  readonly isPlain: boolean;
}

export interface YamlList extends Placed {
  readonly kind: "list";
  readonly items: YamlNode[];
}

export interface YamlMap extends Placed {
  readonly kind: "map";
  readonly entries: { readonly key: YamlNode; readonly value: YamlNode }[];
}

export interface YamlAlias extends Placed {
  readonly kind: "alias";
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlNode = YamlScalar | YamlList | YamlMap | YamlAlias;

/** Parses the first document; undefined if there is none. Throws `YamlError` with the messages of Go's parser. */
export function parseYamlDocument(text: string): YamlNode | undefined {
  return new Parser(text).document();
}

/** Tokens that show, at a position where a node may be empty, that it is empty. */
const AFTER_BLOCK_PART: ReadonlySet<TokenType> = new Set<TokenType>(["?", ":", "block end"]);
const AFTER_INDENTLESS_ITEM: ReadonlySet<TokenType> = new Set<TokenType>(["-", "?", ":", "block end"]);
const AFTER_BLOCK_ITEM: ReadonlySet<TokenType> = new Set<TokenType>(["-", "block end"]);
const AFTER_LIST_KEY: ReadonlySet<TokenType> = new Set<TokenType>([":", ",", "]"]);
const AFTER_LIST_VALUE: ReadonlySet<TokenType> = new Set<TokenType>([",", "]"]);
const AFTER_MAP_KEY: ReadonlySet<TokenType> = new Set<TokenType>([":", ",", "}"]);
const AFTER_MAP_VALUE: ReadonlySet<TokenType> = new Set<TokenType>([",", "}"]);
const DOCUMENT_ENDS: ReadonlySet<TokenType> = new Set<TokenType>([
  "version",
  "tag prefix",
  "document start",
  "document end",
  "end of stream",
]);

interface Properties {
  readonly anchor: string;
  readonly tag: string;
  readonly line: number;
}

/** A recursive parser. The scanner limits the depth of nesting. */
class Parser {
  readonly #scanner: YamlScanner;
  readonly #anchors = new Map<string, YamlNode>();
  readonly #prefixes = new Map([
    ["!", "!"],
    ["!!", "tag:yaml.org,2002:"],
  ]);

  constructor(text: string) {
    this.#scanner = new YamlScanner(text);
  }

  document(): YamlNode | undefined {
    if (this.#next() === "document end") this.#fail("did not find expected node content");
    this.#directives();
    if (this.#next() === "end of stream") return undefined;
    const node = DOCUMENT_ENDS.has(this.#next()) ? this.#empty(this.#scanner.peek()) : this.#node(true, false);
    // Further documents are not parsed, but scanning the next token reports errors at the end of this one.
    this.#scanner.peek();
    return node;
  }

  #next(): TokenType {
    return this.#scanner.peek().type;
  }

  #take(): Token {
    return this.#scanner.take();
  }

  /** As in Go, errors of the parser name the line before that of the token; none for the first line. */
  #fail(problem: string, { line } = this.#scanner.peek()): never {
    throw new YamlError(`${line === 0 ? "" : `line ${line}: `}${problem}`);
  }

  #directives(): void {
    if (!DOCUMENT_ENDS.has(this.#next())) return;
    const given = new Set<string>();
    while (this.#next() === "version" || this.#next() === "tag prefix") {
      const token = this.#take();
      const handle = token.type === "version" ? "YAML" : token.value;
      if (given.has(handle))
        this.#fail(`found duplicate %${token.type === "version" ? "YAML" : "TAG"} directive`, token);
      given.add(handle);
      if (token.type === "tag prefix") this.#prefixes.set(token.value, token.suffix ?? "");
      else if (token.value !== "1.1") this.#fail("found incompatible YAML document", token);
    }
    if (this.#next() === "document start") this.#take();
    else if (this.#next() !== "end of stream" || given.size > 0) this.#fail("did not find expected <document start>");
  }

  #empty({ line }: Pick<Token, "line">): YamlScalar {
    return { kind: "scalar", value: "", tag: "", isPlain: true, line: line + 1 };
  }

  /** Parses a node; returns an empty node if one of these tokens comes next. */
  #nodeUnless(tokens: ReadonlySet<TokenType>, before: Token, isBlock: boolean, mayBeIndentless: boolean): YamlNode {
    return tokens.has(this.#next()) ? this.#empty(before) : this.#node(isBlock, mayBeIndentless);
  }

  #node(isBlock: boolean, mayBeIndentless: boolean): YamlNode {
    const token = this.#scanner.peek();
    if (token.type === "alias") return this.#alias();
    const properties = this.#properties();
    const type = this.#next();
    if (type === "-" && mayBeIndentless) return this.#indentlessList(properties);
    switch (type) {
      case "scalar":
        return this.#scalar(properties);
      case "[":
        return this.#flowList(properties);
      case "{":
        return this.#flowMap(properties);
      case "block list":
        if (isBlock) return this.#blockList(properties);
        break;
      case "block map":
        if (isBlock) return this.#blockMap(properties);
        break;
    }
    const { anchor, tag, line } = properties;
    if (anchor === "" && tag === "") this.#fail("did not find expected node content");
    const node: YamlScalar = { kind: "scalar", value: "", tag, isPlain: tag === "", line: line + 1 };
    return this.#anchored(properties, node);
  }

  #alias(): YamlAlias {
    const { value: name, line } = this.#take();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`unknown anchor '${name}' referenced`);
    return { kind: "alias", name, target, line: line + 1 };
  }

  /** An anchor and a tag, in either order. */
  #properties(): Properties {
    const { line } = this.#scanner.peek();
    let anchor = "";
    let tag = "";
    if (this.#next() === "anchor") anchor = this.#take().value;
    if (this.#next() === "tag") tag = this.#tag(this.#take());
    if (anchor === "" && tag !== "" && this.#next() === "anchor") anchor = this.#take().value;
    return { anchor, tag, line };
  }

  #tag(token: Token): string {
    const { value: handle, suffix = "" } = token;
    if (handle === "") return suffix;
    const prefix = this.#prefixes.get(handle);
    return prefix === undefined ? this.#fail("found undefined tag handle", token) : prefix + suffix;
  }

  /** Registers a node under its anchor, for collections before their contents are parsed. */
  #anchored<T extends YamlNode>({ anchor }: Properties, node: T): T {
    if (anchor !== "") this.#anchors.set(anchor, node);
    return node;
  }

  #scalar(properties: Properties): YamlScalar {
    const { value, isPlain = false } = this.#take();
    const { tag, line } = properties;
    return this.#anchored(properties, { kind: "scalar", value, tag, isPlain, line: line + 1 });
  }

  #list(properties: Properties): YamlList {
    return this.#anchored(properties, { kind: "list", items: [], line: properties.line + 1 });
  }

  #map(properties: Properties): YamlMap {
    return this.#anchored(properties, { kind: "map", entries: [], line: properties.line + 1 });
  }

  #blockList(properties: Properties): YamlList {
    const list = this.#list(properties);
    this.#take();
    while (this.#next() === "-") list.items.push(this.#nodeUnless(AFTER_BLOCK_ITEM, this.#take(), true, false));
    if (this.#next() !== "block end") this.#fail("did not find expected '-' indicator");
    this.#take();
    return list;
  }

  /** A list whose items are not indented further than its key. */
  #indentlessList(properties: Properties): YamlList {
    const list = this.#list(properties);
    while (this.#next() === "-") list.items.push(this.#nodeUnless(AFTER_INDENTLESS_ITEM, this.#take(), true, false));
    return list;
  }

  #blockMap(properties: Properties): YamlMap {
    const map = this.#map(properties);
    this.#take();
    while (this.#next() !== "block end") {
      if (this.#next() !== "?") this.#fail("did not find expected key");
      const key = this.#nodeUnless(AFTER_BLOCK_PART, this.#take(), true, true);
      map.entries.push({ key, value: this.#valueUnless(AFTER_BLOCK_PART, true) });
    }
    this.#take();
    return map;
  }

  /** Parses the value after a colon; returns an empty node if there is no colon. */
  #valueUnless(tokens: ReadonlySet<TokenType>, isBlock: boolean): YamlNode {
    if (this.#next() !== ":") return this.#empty(this.#scanner.peek());
    return this.#nodeUnless(tokens, this.#take(), isBlock, isBlock);
  }

  #flowList(properties: Properties): YamlList {
    const list = this.#list(properties);
    this.#take();
    while (this.#next() !== "]") {
      if (list.items.length > 0) this.#comma("]");
      if (this.#next() === "?") list.items.push(this.#pairInList());
      else if (this.#next() !== "]") list.items.push(this.#node(false, false));
    }
    this.#take();
    return list;
  }

  /** A single-pair map without braces, inside a list. As in Go, the token in the place of a missing key is skipped. */
  #pairInList(): YamlMap {
    const token = this.#take();
    const key = AFTER_LIST_KEY.has(this.#next()) ? this.#empty(this.#take()) : this.#node(false, false);
    return { kind: "map", entries: [{ key, value: this.#valueUnless(AFTER_LIST_VALUE, false) }], line: token.line + 1 };
  }

  #flowMap(properties: Properties): YamlMap {
    const map = this.#map(properties);
    this.#take();
    while (this.#next() !== "}") {
      if (map.entries.length > 0) this.#comma("}");
      if (this.#next() === "?") {
        const key = this.#nodeUnless(AFTER_MAP_KEY, this.#take(), false, false);
        map.entries.push({ key, value: this.#valueUnless(AFTER_MAP_VALUE, false) });
      } else if (this.#next() !== "}") {
        const key = this.#node(false, false);
        map.entries.push({ key, value: this.#empty(this.#scanner.peek()) });
      }
    }
    this.#take();
    return map;
  }

  #comma(closing: string): void {
    if (this.#next() !== ",") this.#fail(`did not find expected ',' or '${closing}'`);
    this.#take();
  }
}
