import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { Literal, Location, TypeSyntax } from "../reader/syntax.ts";
import { APPLY_MARKER, type Draft } from "./apply-marker.ts";
import type { Markers, TypeExpr } from "./contract.ts";
import type { Presence, ValueDescriptions } from "./model.ts";
import type { Names } from "./names.ts";
import { type Container, isContainer, isMarker, MARKERS, type MarkerWord, SCALARS, WORDS } from "./vocabulary.ts";

/** An interpreted type: the type and its markers. */
export interface Interpretation {
  readonly type: TypeExpr;
  readonly markers: Markers;
  readonly presence?: Presence;
  readonly message?: true;
  readonly published?: true;
  readonly optionalKeys?: true;
  readonly valueDescriptions?: ValueDescriptions;
}

/**
 * Interprets types in the context of a file. Reports every misuse and continues with the closest valid meaning, so that one run finds all of
 * them.
 */
export class TypeInterpreter {
  readonly #names: Names;
  readonly #diagnostics: Diagnostics;

  constructor(names: Names, diagnostics: Diagnostics) {
    this.#names = names;
    this.#diagnostics = diagnostics;
  }

  interpret(syntax: TypeSyntax, file: string): Interpretation {
    const draft: Draft = { markers: {}, given: new Set() };
    this.#collect(syntax, file, draft);
    if (draft.type === undefined) {
      this.#diagnostics.report("no-type", syntax.at);
      draft.type = "json";
    }
    const { type, markers, presence, message, published, optionalKeys, valueDescriptions } = draft;
    return {
      type,
      markers,
      ...(presence && { presence }),
      ...(message && { message }),
      ...(published && { published }),
      ...(optionalKeys && { optionalKeys }),
      ...(valueDescriptions && { valueDescriptions }),
    };
  }

  /** Returns the type of a type argument. */
  argument(syntax: TypeSyntax, file: string, of: string): TypeExpr {
    return this.#item(syntax, file, of);
  }

  /** Returns the markers in `With<…>`. */
  markersOf(syntax: TypeSyntax & { form: "word" }, file: string): Markers {
    const [argument] = syntax.arguments;
    const draft: Draft = { markers: {}, given: new Set() };
    if (argument !== undefined) this.#collect(argument, file, draft);
    if (argument === undefined || draft.type !== undefined)
      this.#diagnostics.report("marker-arguments", syntax.at, { marker: "With", expected: "With<Marker & …>" });
    return draft.markers;
  }

  /**
   * Whether an alias names only markers, as in `type Short = MinLength<1> & MaxLength<5>`. Such an alias is not a type: `string & Short` has the
   * markers of both.
   */
  isMarkers(is: TypeSyntax | undefined, file: string, passed: ReadonlySet<TypeSyntax> = new Set()): boolean {
    if (is?.form === "all") return is.members.every((member) => this.isMarkers(member, file, passed));
    if (is?.form !== "word" || passed.has(is)) return false;
    if (this.#names.origin(file, is.name) === "vocabulary") return isMarker(this.#names.vocabularyName(file, is.name));
    const found = this.#names.declaration(file, is.name);
    return found !== undefined && this.isMarkers(found.declaration.is, found.file, new Set([...passed, is]));
  }

  #collect(syntax: TypeSyntax, file: string, draft: Draft): void {
    switch (syntax.form) {
      case "all":
        for (const member of syntax.members) this.#collect(member, file, draft);
        return;
      case "list":
        this.#setType({ list: this.#item(syntax.of, file, "a list") }, syntax.at, draft);
        return;
      case "map":
        this.#setType({ map: this.#item(syntax.of, file, "a map") }, syntax.at, draft);
        return;
      case "either": {
        const [first, ...others] = syntax.members.filter((member) => !this.#isNothing(member));
        if (first !== undefined && others.length === 0) this.#collect(first, file, draft);
        else this.#alternatives(first === undefined ? [] : [first, ...others], file, syntax.at, draft, true);
        return;
      }
      case "literal":
        this.#alternatives([syntax], file, syntax.at, draft, true);
        return;
      case "struct":
        // `string & {}` and `{}` are allowed and have no effect; any other struct needs a name.
        if (syntax.fields.length === 0) return;
        this.#diagnostics.report("unsupported-syntax", syntax.at, {
          what: "a struct without a name",
          expected: "an interface of its own",
        });
        this.#setType("json", syntax.at, draft);
        return;
      case "resolved":
        this.#setType(syntax.type, syntax.at, draft);
        return;
      case "word":
        this.#word(syntax, file, draft);
        return;
    }
  }

  #word(syntax: TypeSyntax & { form: "word" }, file: string, draft: Draft): void {
    const { name, at } = syntax;
    const origin = this.#names.origin(file, name);
    if (origin === "vocabulary" || origin === "keyword") {
      const word = this.#names.vocabularyName(file, name);
      const scalar = SCALARS[word];
      if (scalar !== undefined) {
        // The argument of SchemaOrArray<JSONSchemaProps> and similar types matters only to the compiler.
        const takesArgument = word.startsWith("SchemaOr");
        if (!takesArgument) this.#expectArguments(syntax, []);
        this.#setType(scalar, at, draft);
        if (word === "Integer" || word === "Numeric") draft.markers.schema = { format: "", ...draft.markers.schema };
        return;
      }
      if (word === "Array" || word === "ReadonlyArray" || word === "Record") {
        this.#plainContainer(word, syntax, file, draft);
        return;
      }
      if (isContainer(word)) {
        this.#container(word, syntax, file, draft);
        return;
      }
      if (isMarker(word)) {
        this.#marker(word, syntax, draft);
        return;
      }
      if (word === "AtomicStruct") {
        draft.markers.mapType = "atomic";
        return;
      }
      if (word === "EmptyStruct") {
        const parameters = {
          what: "EmptyStruct without a name",
          expected: "type Name = EmptyStruct, and this name here",
        };
        this.#diagnostics.report("unsupported-syntax", at, parameters);
        this.#setType("json", at, draft);
        return;
      }
      this.#diagnostics.report("unknown-marker", at, { name: word }, closest(word, WORDS));
      return;
    }
    if (origin !== undefined) {
      const found = this.#names.declaration(file, name);
      const { parameters = [], is } = found?.declaration ?? {};
      const example = `${name}<${parameters.join(", ")}>`;
      if (found !== undefined && is !== undefined && this.isMarkers(is, found.file)) {
        if (parameters.length > 0) {
          const expected = `${is.at.text} with its arguments, or a name without parameters for it`;
          this.#diagnostics.report("unsupported-syntax", at, { what: `the generic marker ${example}`, expected });
          return;
        }
        this.#expectArguments(syntax, []);
        this.#collect(is, found.file, draft);
        return;
      }
      if (parameters.length > 0) {
        this.#diagnostics.report("unsupported-syntax", at, {
          what: `a field of the generic type ${example}`,
          expected: `a name for it: interface Name extends ${example} {}`,
        });
        this.#setType("json", at, draft);
        return;
      }
      this.#expectArguments(syntax, []);
      this.#setType(origin, at, draft);
      return;
    }
    const candidates = [...this.#names.visible(file, name), ...WORDS];
    const why = this.#names.whyUnknown(file, name);
    this.#diagnostics.report("unknown-type", at, { name, why }, INSTEAD_OF.get(name) ?? closest(name, candidates));
    this.#setType("json", at, draft);
  }

  /** Reports a type with wrong arguments. */
  #expectArguments({ name, arguments: given, at }: TypeSyntax & { form: "word" }, wanted: readonly string[]): void {
    if (given.length === wanted.length) return;
    const expected = wanted.length === 0 ? name : `${name}<${wanted.join(", ")}>`;
    this.#diagnostics.report("marker-arguments", at, { marker: name, expected });
  }

  #plainContainer(word: string, syntax: TypeSyntax & { form: "word" }, file: string, draft: Draft): void {
    const isMap = word === "Record";
    this.#expectArguments(syntax, isMap ? ["string", "Type"] : ["Type"]);
    const [first] = syntax.arguments;
    const item = syntax.arguments.at(-1);
    if (isMap && first !== undefined && !(first.form === "word" && first.name === "string")) {
      const parameters = { what: "a map with other keys than strings", expected: "Record<string, Type>" };
      this.#diagnostics.report("unsupported-syntax", first.at, parameters);
    }
    const of = item === undefined ? "json" : this.#item(item, file, isMap ? "a map" : "a list");
    this.#setType(isMap ? { map: of } : { list: of }, syntax.at, draft);
  }

  /** Whether a member of a union is null or undefined. Reports it, because this is declared on the field. */
  #isNothing(member: TypeSyntax): boolean {
    const name = member.form === "literal" ? member.value : member.form === "word" ? member.name : "";
    if (name !== null && name !== "undefined") return false;
    const what = `${name === null ? "null" : "undefined"} in a type`;
    const expected = "name?: Type for a value that may be unset, with & Nullable if JSON shows it as null";
    this.#diagnostics.report("unsupported-syntax", member.at, { what, expected });
    return true;
  }

  #setType(type: TypeExpr, at: Location, draft: Draft): void {
    if (draft.type !== undefined) this.#diagnostics.report("two-types", at);
    else draft.type = type;
  }

  /** Returns the type of an entry. Reports markers, which only a named type can have. */
  #item(syntax: TypeSyntax, file: string, container: string): TypeExpr {
    const { type, markers, presence, message, published, optionalKeys } = this.interpret(syntax, file);
    const isMarked = Object.keys(markers).length > 0 || presence || message || published || optionalKeys;
    if (isMarked) this.#diagnostics.report("marker-on-item", syntax.at, { container });
    return type;
  }

  #container(word: Container, syntax: TypeSyntax & { form: "word" }, file: string, draft: Draft): void {
    const [first, ...rest] = syntax.arguments;
    if (first === undefined) {
      this.#diagnostics.report("marker-arguments", syntax.at, { marker: word, expected: `${word}<Type>` });
      this.#setType("json", syntax.at, draft);
      return;
    }
    const { markers } = draft;
    switch (word) {
      case "ListMap": {
        this.#setType({ list: this.#item(first, file, "a list") }, syntax.at, draft);
        markers.listType = "map";
        const keys = rest.flatMap((key) =>
          key.form === "literal" && typeof key.value === "string" ? [key.value] : [],
        );
        markers.listMapKeys = keys;
        if (keys.length === 0 || keys.length < rest.length) {
          this.#diagnostics.report("marker-arguments", syntax.at, { marker: word, expected: 'ListMap<T, "key">' });
        }
        return;
      }
      case "ListSet":
      case "ListAtomic":
        this.#setType({ list: this.#item(first, file, "a list") }, syntax.at, draft);
        markers.listType = word === "ListSet" ? "set" : "atomic";
        return;
      case "MapAtomic":
      case "MapGranular":
        this.#setType({ map: this.#item(first, file, "a map") }, syntax.at, draft);
        markers.mapType = word === "MapAtomic" ? "atomic" : "granular";
        return;
      case "StructAtomic":
      case "StructGranular":
        markers.mapType = word === "StructAtomic" ? "atomic" : "granular";
        this.#collect(first, file, draft);
        return;
      case "Message":
        draft.message = true;
        this.#collect(first, file, draft);
        return;
      case "Open":
        this.#alternatives([first], file, first.at, draft, false);
        return;
    }
  }

  /** A union of strings: a closed set, or the well-known values of an open one. */
  #alternatives(members: readonly TypeSyntax[], file: string, at: Location, draft: Draft, closed: boolean): void {
    const values: string[] = [];
    const descriptions = new Map<string, string>();
    for (const member of members.flatMap((each) => this.#spelledOut(each, file, []))) {
      if (member.form === "literal" && typeof member.value === "string") {
        values.push(member.value);
        if (member.description !== undefined) descriptions.set(member.value, member.description);
      } else this.#diagnostics.report("mixed-union", member.at);
    }
    this.#setType("string", at, draft);
    if (descriptions.size > 0) draft.valueDescriptions = descriptions;
    draft.markers.enum = values;
    if (closed) draft.markers.closed = true;
  }

  /** Returns the members of a union, including those of unions that it names: `Colour | "None"`. */
  #spelledOut(syntax: TypeSyntax, file: string, passed: readonly string[]): readonly TypeSyntax[] {
    if (syntax.form === "either") return syntax.members.flatMap((member) => this.#spelledOut(member, file, passed));
    const found = syntax.form === "word" ? this.#names.declaration(file, syntax.name) : undefined;
    const is = found?.declaration.is;
    if (found === undefined || passed.includes(found.declaration.name)) return [syntax];
    if (is?.form !== "either" && is?.form !== "literal") return [syntax];
    return this.#spelledOut(is, found.file, [...passed, found.declaration.name]);
  }

  #marker(word: MarkerWord, syntax: TypeSyntax & { form: "word" }, draft: Draft): void {
    const { at } = syntax;
    if (draft.given.has(word) && word !== "Rule") this.#diagnostics.report("marker-twice", at, { marker: word });
    const other = isPresence(word) ? [...draft.given].find((given) => isPresence(given) && given !== word) : undefined;
    if (other !== undefined) this.#diagnostics.report("presence-conflict", at, { first: other, second: word });
    draft.given.add(word);
    const values = this.#markerArguments(word, syntax);
    if (values !== undefined) APPLY_MARKER[word](draft, values[0], values[1], values[2]);
  }

  #markerArguments(word: MarkerWord, syntax: TypeSyntax & { form: "word" }): Literal[] | undefined {
    const wanted: readonly string[] = MARKERS[word].arguments;
    const values = syntax.arguments.map(word === "Gated" ? anyOf : literalOf);
    const fits =
      values.length <= wanted.length &&
      wanted.every((want, index) => {
        const value = values[index];
        const isLeftOut = values.length <= index || isNever(syntax.arguments[index]);
        if (value === undefined) return want.endsWith("?") && isLeftOut;
        return want === "value" || typeof value === want.replace("?", "");
      });
    if (fits) return values as Literal[];
    const expected = wanted.length === 0 ? word : `${word}<${wanted.join(", ")}>`;
    this.#diagnostics.report("marker-arguments", syntax.at, { marker: word, expected });
    return undefined;
  }
}

function isPresence(word: string): boolean {
  return word === "OmitZero" || word === "Always" || word === "Nullable";
}

/** Vocabulary types to use instead of TypeScript types that definitions cannot contain. */
const INSTEAD_OF: ReadonlyMap<string, string> = new Map([
  ["number", "Int32, Int64 or Double"],
  ["bigint", "Int64"],
  ["any", "Json"],
  ["object", "Json"],
  ["Date", "Time"],
  ["Map", "{ [key: string]: Type }"],
  ["ReadonlyMap", "{ [key: string]: Type }"],
  ["Set", "ListSet<Type>"],
  ["ReadonlySet", "ListSet<Type>"],
  ["Uint8Array", "Bytes"],
  ...["Pick", "Omit", "Partial", "Required", "Readonly"].map(
    (name) => [name, "an interface with these fields"] as const,
  ),
]);

/** `Gated<"A" | "B">` applies while either gate is on. Its value is "A,B". */
function anyOf(syntax: TypeSyntax): Literal | undefined {
  const members = syntax.form === "either" ? syntax.members : [syntax];
  const values = members.map(literalOf);
  return values.every((value) => typeof value === "string") ? values.join(",") : undefined;
}

/** Returns the value of a literal type. Type literals are objects (`Default<{ type: "RollingUpdate" }>`). */
function literalOf(syntax: TypeSyntax): Literal | undefined {
  if (syntax.form === "literal") return syntax.value;
  if (syntax.form !== "struct") return undefined;
  const entries = syntax.fields.map((field) => [field.name, literalOf(field.type)] as const);
  return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as Literal);
}

/** Whether an argument is `never`, which omits it before a later argument: `Rule<"self > 0", never, { reason: … }>`. */
function isNever(syntax: TypeSyntax | undefined): boolean {
  return syntax?.form === "word" && syntax.name === "never";
}
