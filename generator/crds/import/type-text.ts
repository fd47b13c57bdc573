import { isIntOrString } from "../canonical.ts";
import {
  DURATION_PATTERN,
  EMBEDDED,
  INT_OR_STRING,
  type JsonSchema,
  LIST_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  PRESERVE,
  QUANTITY_PATTERN,
  type SchemaRule,
  VALIDATIONS,
} from "../json-schema.ts";
import type { ImportedFile } from "./imported-file.ts";

type Keywords = { [keyword: string]: unknown };

/** Returns a keyword and removes it from the keywords that remain for `Schema`. */
type Take = (keyword: string) => unknown;

/** Name and description for a struct that is written as a named type. */
interface Naming {
  readonly name: string;
  readonly described: string | undefined;
}

/** A type as TypeScript source, and the markers that follow it. */
interface TypeText {
  readonly type: string;
  readonly markers: readonly string[];
}

/** Writes the types of one kind in one version into a file. */
export class TypeWriter {
  readonly #file: ImportedFile;
  /** Names of the types that are written, by their content. */
  readonly #written = new Map<string, string>();

  constructor(file: ImportedFile) {
    this.#file = file;
  }

  /** Writes the interface of the kind itself. */
  root(kind: string, base: string, schema: JsonSchema): void {
    const { properties = {}, required = [], type: _type, description, ...rest } = schema;
    const { apiVersion: _apiVersion, kind: _kind, metadata, ...own } = properties;
    const needed = required.filter((name) => name in own);
    const place = this.#file.reserve();
    const bases = [this.#file.meta(base), ...this.#with(rest, description)];
    const restriction = metadata && this.#metadata(metadata);
    const lines = [...(restriction ?? []), ...this.#fields({ properties: own, required: needed }, kind)];
    this.#file.fill(
      place,
      `${comment(description)}export interface ${kind} extends ${bases.join(", ")} {\n${lines.join("\n")}\n}`,
    );
  }

  #metadata({ type: _type, description: _description, ...restrictions }: JsonSchema): string[] | undefined {
    if (Object.keys(restrictions).length === 0) return undefined;
    const type = [this.#file.meta("ObjectMeta"), this.#word("Always"), this.#schema(restrictions)].join(" & ");
    return ["  /** Standard metadata of the object. */", `  metadata?: ${type};`];
  }

  /** Returns the fields of a struct in order. */
  #fields({ properties = {}, required = [] }: JsonSchema, owner: string): string[] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      const isRequired = required.includes(name);
      const { type, markers } = this.#type(schema, `${owner}${pascal(name)}`, isRequired);
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const text = joined(type, markers);
      return [
        ...comment(schema.description, "  ").split("\n").slice(0, -1),
        `  ${key}${isRequired ? "" : "?"}: ${text};`,
      ];
    });
  }

  /** Returns the type of an entry of a list or map. Entries cannot have markers, so markers are put on a named type. */
  #entry(schema: JsonSchema, name: string): string {
    const { type, markers } = this.#type(schema, name, false, schema.description);
    const isNamed = this.#file.declares(type);
    const isList = (schema.type === "array" && type.endsWith("]")) || /^List(Atomic|Set|Map)</.test(type);
    const isMarked = markers.length > 0 || /^(Integer|Numeric)$| \| /.test(type);
    if (!isList && !isMarked && (isNamed || schema.description === undefined)) return type;
    // In protobuf, an entry of a list or map cannot be a list unless the list is a message of its own.
    const text = joined(isList ? `${this.#word("Message")}<${type}>` : type, markers);
    return this.#declare(name, (own) => `${comment(schema.description)}export type ${own} = ${text};`);
  }

  /** `described` is the description of a struct itself, if it is not the description of a field. */
  #type(schema: JsonSchema, name: string, isRequired: boolean, described?: string): TypeText {
    const { description: _description, default: standard, [VALIDATIONS]: rules, ...keywords } = schema as Keywords;
    const rest: Keywords = { ...keywords };
    const take = (keyword: string): unknown => {
      const value = rest[keyword];
      delete rest[keyword];
      return value;
    };
    const type = this.#shape(schema, rest, take, { name, described });
    const text = schema.description;
    if (type === undefined) return this.#raw(schema);
    const markers: string[] = [];
    for (const [keyword, marker] of Object.entries(LIMITS)) {
      const isExclusive = rest[`exclusive${keyword === "minimum" ? "Minimum" : "Maximum"}`] === true;
      if (rest[keyword] === undefined || (isExclusive && /imum$/.test(keyword)) || !fits(marker, type, schema))
        continue;
      markers.push(`${this.#word(marker)}<${literal(take(keyword))}>`);
    }
    if (isRequired && schema.type === "array" && schema.minItems === undefined)
      markers.push(`${this.#word("MinItems")}<0>`);
    const isMap = schema.type === "object" && schema.additionalProperties !== undefined;
    if (isRequired && isMap && schema.minProperties === undefined) markers.push(`${this.#word("MinProperties")}<0>`);
    if (rest[PRESERVE] === true) {
      take(PRESERVE);
      markers.push(this.#word("PreserveUnknown"));
    }
    if (rest[EMBEDDED] === true) {
      take(EMBEDDED);
      markers.push(this.#word("EmbeddedObject"));
    }
    const plainDefault = typeof standard === "string" || typeof standard === "boolean" || typeof standard === "number";
    if (standard !== undefined && (!plainDefault || !isDefaultOf(standard, type))) rest.default = standard;
    else if (standard !== undefined) markers.push(`${this.#word("Default")}<${literal(standard)}>`);
    // The rules of a struct are written on the struct.
    const own = this.#file.declares(type) ? [] : ((rules as SchemaRule[] | undefined) ?? []);
    for (const rule of own) markers.push(this.#rule(rule));
    const others = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined && value !== false),
    );
    // A description that a comment cannot contain. Structs have their own.
    if (text !== undefined && !isComment(text) && !(described !== undefined && this.#file.declares(type)))
      others.description = text;
    if (Object.keys(others).length > 0) markers.push(this.#schema(others));
    return { type, markers };
  }

  /** Returns `Json` with the schema as marker, for values that no type describes. */
  #raw({ description, ...rest }: JsonSchema): TypeText {
    const schema = { ...rest, ...(description !== undefined && !isComment(description) && { description }) };
    return { type: this.#word("Json"), markers: [this.#schema(schema)] };
  }

  /** Returns the type without its markers; undefined if no type has this schema. Removes the keywords that the type states from `rest`. */
  #shape(schema: JsonSchema, rest: Keywords, take: Take, as: Naming): string | undefined {
    if (schema[INT_OR_STRING] === true && schema.type === undefined) {
      take(INT_OR_STRING);
      if (rest.anyOf !== undefined && isIntOrString(rest.anyOf)) take("anyOf");
      if (schema.pattern !== QUANTITY_PATTERN) return this.#word("IntOrString");
      take("pattern");
      return this.#word("Quantity");
    }
    switch (schema.type) {
      case "string":
        return this.#string(schema, take);
      case "boolean":
        take("type");
        return "boolean";
      case "integer":
      case "number": {
        take("type");
        const scalar = NUMBERS[`${schema.type} ${schema.format ?? ""}`];
        if (scalar !== undefined) take("format");
        return this.#word(scalar ?? (schema.type === "integer" ? "Integer" : "Numeric"));
      }
      case "array":
        return schema.items === undefined || isMap(schema.items) ? undefined : this.#list(schema, take, as.name);
      case "object":
        return this.#object(schema, rest, take, as);
      default: {
        const isAny = schema[PRESERVE] === true && Object.keys(rest).every((keyword) => keyword === PRESERVE);
        if (!isAny) return undefined;
        take(PRESERVE);
        return this.#word("Json");
      }
    }
  }

  #string(schema: JsonSchema, take: Take): string {
    take("type");
    const { enum: values } = schema;
    if (values !== undefined && values.length > 0 && values.every((value) => typeof value === "string")) {
      take("enum");
      return values.map((value) => JSON.stringify(value)).join(" | ");
    }
    if (schema.format === "date-time" || schema.format === "byte") {
      take("format");
      if (schema.format === "byte") return this.#word("Bytes");
      const hasFractions = typeof schema.default === "string" && /\.\d{6}Z$/.test(schema.default);
      return this.#word(hasFractions ? "MicroTime" : "Time");
    }
    if (schema.pattern === DURATION_PATTERN) {
      take("pattern");
      return this.#word("Duration");
    }
    return "string";
  }

  #list(schema: JsonSchema, take: Take, name: string): string {
    take("type");
    take("items");
    const items = schema.items as JsonSchema;
    const item = this.#entry(items, items.type === "array" ? `${name}Row` : singular(name));
    const keys = (schema[LIST_KEYS] as string[] | undefined) ?? [];
    const isScalar = ["string", "integer", "number", "boolean"].includes(items.type ?? "");
    switch (schema[LIST_TYPE]) {
      case "atomic":
        take(LIST_TYPE);
        return `${this.#word("ListAtomic")}<${item}>`;
      case "set":
        if (!isScalar) return `${item}[]`;
        take(LIST_TYPE);
        return `${this.#word("ListSet")}<${item}>`;
      case "map":
        if (keys.length === 0 || keys.length > 3 || !keys.every((key) => isKey(items, key))) return `${item}[]`;
        take(LIST_TYPE);
        take(LIST_KEYS);
        return `${this.#word("ListMap")}<${[item, ...keys.map((key) => JSON.stringify(key))].join(", ")}>`;
      default:
        return `${item}[]`;
    }
  }

  #object(schema: JsonSchema, rest: Keywords, take: Take, as: Naming): string | undefined {
    const { properties, additionalProperties, required = [] } = schema;
    if (properties !== undefined && Object.keys(properties).length > 0) {
      if (additionalProperties !== undefined || required.some((key) => !(key in properties))) return undefined;
      return this.#struct(schema, rest, take, as);
    }
    // A map of maps cannot be expressed in protobuf, where it is one JSON value.
    if (typeof additionalProperties === "object" && isMap(additionalProperties)) return undefined;
    take("type");
    take("properties");
    if (additionalProperties !== undefined && additionalProperties !== false) {
      const isOpen = additionalProperties === true;
      if (!isOpen) take("additionalProperties");
      const value = isOpen ? this.#word("Json") : this.#entry(additionalProperties, `${as.name}Value`);
      const kind = take(MAP_TYPE);
      if (kind === "atomic" || kind === "granular")
        return `${this.#word(kind === "atomic" ? "MapAtomic" : "MapGranular")}<${value}>`;
      return `{ [key: string]: ${value} }`;
    }
    if (schema[PRESERVE] === true) {
      take(PRESERVE);
      return this.#word("RawObject");
    }
    rest.type = "object";
    return this.#struct(schema, rest, take, as);
  }

  /** Declares a struct with all markers that apply wherever it is used. The default and `nullable` belong to the field. */
  #struct(schema: JsonSchema, rest: Keywords, take: Take, { name, described }: Naming): string {
    const { nullable: _nullable, default: _default, description: _description, ...own } = schema;
    for (const keyword of Object.keys(rest)) if (keyword !== "nullable") take(keyword);
    return this.#declare(
      name,
      (unique) => {
        const { properties, required, type: _type, ...markers } = own;
        const bases = this.#with(markers, described);
        const lines = this.#fields({ ...(properties && { properties }), ...(required && { required }) }, unique);
        const base = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
        return `${comment(described)}export interface ${unique}${base} {${lines.length > 0 ? `\n${lines.join("\n")}\n` : ""}}`;
      },
      JSON.stringify([own, described]),
    );
  }

  /** Returns `With<…>` for the markers of a struct. */
  #with(keywords: Keywords, description: string | undefined): string[] {
    const {
      [VALIDATIONS]: rules = [],
      [PRESERVE]: preserves,
      [EMBEDDED]: embedded,
      [MAP_TYPE]: mapType,
      ...rest
    } = keywords;
    const markers: string[] = [];
    if (mapType === "atomic") markers.push(this.#word("AtomicStruct"));
    else if (mapType !== undefined) rest[MAP_TYPE] = mapType;
    if (preserves === true) markers.push(this.#word("PreserveUnknown"));
    if (embedded === true) markers.push(this.#word("EmbeddedObject"));
    for (const keyword of ["minProperties", "maxProperties"] as const) {
      if (rest[keyword] === undefined) continue;
      markers.push(`${this.#word(LIMITS[keyword])}<${literal(rest[keyword])}>`);
      delete rest[keyword];
    }
    for (const rule of rules as SchemaRule[]) markers.push(this.#rule(rule));
    const others = Object.fromEntries(
      Object.entries(rest).filter(([, value]) => value !== undefined && value !== false),
    );
    if (description !== undefined && !isComment(description)) others.description = description;
    if (Object.keys(others).length > 0) markers.push(this.#schema(others));
    return markers.length === 0 ? [] : [`${this.#word("With")}<${markers.join(" & ")}>`];
  }

  #rule({ rule, message, ...options }: SchemaRule): string {
    const hasOptions = Object.keys(options).length > 0;
    const parts = [literal(rule), ...(message !== undefined ? [literal(message)] : hasOptions ? ["never"] : [])];
    return `${this.#word("Rule")}<${[...parts, ...(hasOptions ? [literal(options)] : [])].join(", ")}>`;
  }

  #schema(keywords: object): string {
    return `${this.#word("Schema")}<${literal(keywords)}>`;
  }

  #word(word: string): string {
    return this.#file.word(word);
  }

  /** Adds a type unless an equal one was added before. Returns its name. */
  #declare(name: string, write: (unique: string) => string, key = write("")): string {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const unique = this.#file.unique(name);
    this.#written.set(key, unique);
    const place = this.#file.reserve();
    this.#file.fill(place, write(unique));
    return unique;
  }
}

const LIMITS = {
  minimum: "Minimum",
  maximum: "Maximum",
  minLength: "MinLength",
  maxLength: "MaxLength",
  pattern: "Pattern",
  minItems: "MinItems",
  maxItems: "MaxItems",
  minProperties: "MinProperties",
  maxProperties: "MaxProperties",
} as const;

const NUMBERS: { readonly [type: string]: string } = {
  "integer int32": "Int32",
  "integer int64": "Int64",
  "number double": "Double",
};

/** Whether a limit applies to a type. Other limits remain keywords of `Schema`. */
function fits(marker: string, type: string, schema: JsonSchema): boolean {
  const isEither = schema[INT_OR_STRING] === true;
  switch (marker) {
    case "Minimum":
    case "Maximum":
      return schema.type === "integer" || schema.type === "number";
    case "MinLength":
    case "MaxLength":
    case "Pattern":
      return schema.type === "string" && !isEither && !type.startsWith('"');
    case "MinItems":
    case "MaxItems":
      return schema.type === "array";
    default:
      return schema.type === "object" && type !== "RawObject";
  }
}

function isDefaultOf(value: string | number | boolean, type: string): boolean {
  if (type === "Quantity" || type === "IntOrString") return typeof value === "string";
  return !/^(Json|RawObject|\{)/.test(type);
}

function isMap({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

/** Returns the type joined with its markers. */
function joined(type: string, markers: readonly string[]): string {
  if (markers.length === 0) return type;
  return [type.includes(" | ") ? `(${type})` : type, ...markers].join(" & ");
}

/** Whether a field can be a list key: a scalar that is required or has a default. */
function isKey(items: JsonSchema, key: string): boolean {
  const schema = items.properties?.[key];
  if (schema === undefined || !["string", "integer", "number", "boolean"].includes(schema.type ?? "")) return false;
  return (items.required ?? []).includes(key) || schema.default !== undefined;
}

/** Whether the description survives as a comment: words that begin with `@` would be read as tags. */
function isComment(text: string): boolean {
  return !/\*\/|(^|\s|\{)@|(^|\n)\s*\*/.test(text) && text.trim() !== "";
}

function comment(description: string | undefined, indent = ""): string {
  if (description === undefined || !isComment(description)) return "";
  const lines = description
    .trim()
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length === 1 && lines[0]!.length < 120) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** Returns a value as a literal type. */
function literal(value: unknown): string {
  if (typeof value === "bigint") return String(Number(value));
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
  return `{ ${members.map(([name, member]) => `${key(name)}: ${literal(member)}`).join("; ")} }`;
}

/** Returns the singular of the name of a list. Handles the most common English plurals. */
function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

/** `foo-bar.baz` as `FooBarBaz`. */
function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Field";
}
