import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { DefinitionFile, FieldSyntax, TypeDeclaration, TypeSyntax } from "../reader/syntax.ts";
import { fillIn, type Platform } from "./build-groups.ts";
import type { Markers, TypeRef } from "./contract.ts";
import { TypeInterpreter } from "./interpret-type.ts";
import type { FieldModel, FieldNumbers, Presence, StructModel, TypeModel } from "./model.ts";
import { moduleOf, type Names } from "./names.ts";

/** Interfaces that only add their fields to kinds and are not types of their own. */
const LENDERS = new Set(["meta/v1.Namespaced", "meta/v1.ClusterScoped"]);
const TYPE_META = "meta/v1.TypeMeta";

const PRESENCE_MARKERS: { readonly [presence in Presence]: string } = {
  omitZero: "OmitZero",
  always: "Always",
  nullable: "Nullable",
};

/** Type parameters of a generic interface with their arguments. */
type Substitution = ReadonlyMap<string, TypeSyntax>;
const NOTHING: Substitution = new Map();

/** Builds the types of a module from the files of its folder. */
export class TypeBuilder {
  readonly #names: Names;
  readonly #platform: Platform;
  readonly #diagnostics: Diagnostics;
  readonly #interpreter: TypeInterpreter;

  constructor(names: Names, platform: Platform, diagnostics: Diagnostics) {
    this.#names = names;
    this.#platform = platform;
    this.#diagnostics = diagnostics;
    this.#interpreter = new TypeInterpreter(names, diagnostics);
  }

  /** Builds the types of all files. Types that `known` returns are reused. */
  build(
    files: readonly DefinitionFile[],
    numbers: FieldNumbers,
    known: (file: string, name: string) => TypeModel | undefined = () => undefined,
  ): Map<string, TypeModel> {
    const types = new Map<string, TypeModel>();
    const origin = new Map<string, string>();
    for (const file of files) {
      for (const declaration of file.types) {
        const { name } = declaration;
        const ref: TypeRef = `${moduleOf(file.path)}.${name}`;
        if (declaration.parameters.length > 0 || LENDERS.has(ref)) continue;
        if (this.#interpreter.isMarkers(declaration.is, file.path)) continue;
        const other = origin.get(name);
        if (other !== undefined) this.#diagnostics.report("duplicate-type", declaration.at, { name, other });
        origin.set(name, file.path);
        const type =
          known(file.path, name) ??
          (declaration.is === undefined
            ? this.#struct(declaration, file.path, ref, numbers)
            : this.#alias(declaration, declaration.is, file.path, ref));
        types.set(name, type);
      }
    }
    return types;
  }

  /** Returns the list type of a kind that declares none: `ListOf<Kind>` of meta/v1, expanded. */
  listOf(kind: StructModel, plural: string, listOf: { declaration: TypeDeclaration; file: string }): StructModel {
    const [parameter] = listOf.declaration.parameters;
    const substitution: Substitution = new Map([[parameter ?? "T", { form: "resolved", type: kind.ref, at: kind.at }]]);
    const fields: FieldModel[] = [];
    this.#inherit(listOf.declaration, listOf.file, fields, {}, substitution);
    return {
      form: "struct",
      name: `${kind.name}List`,
      ref: `${kind.ref}List`,
      description: `A list of ${kind.name} objects, as returned by list requests.`,
      markers: {},
      fields: fields.map((field) => (field.name === "items" ? { ...field, description: `List of ${plural}.` } : field)),
      at: kind.at,
      implied: true,
    };
  }

  #alias(declaration: TypeDeclaration, is: TypeSyntax, file: string, ref: TypeRef): TypeModel {
    const { name, description, at } = declaration;
    if (is.form === "struct" && is.fields.length > 0) {
      const fields = is.fields.map((field) => this.#field(field, file, NOTHING));
      return { form: "struct", name, ref, description, markers: {}, fields, at };
    }
    if (is.form === "word" && this.#names.vocabularyName(file, is.name) === "EmptyStruct") {
      return { form: "struct", name, ref, description, markers: {}, fields: [], at };
    }
    if (is.form === "word" && is.arguments.length > 0 && this.#names.declaration(file, is.name) !== undefined) {
      // `type PolicyList = ListOf<Policy>`: the generic interface is expanded under this name.
      return this.#struct({ ...declaration, extends: [is] }, file, ref, {});
    }
    if (this.#isCyclic(is, file, new Set([declaration]))) {
      this.#diagnostics.report("cyclic-type", at, { name });
      return { form: "alias", name, ref, description, markers: {}, is: "json", at };
    }
    const { type, markers, message, valueDescriptions, presence, published, optionalKeys } =
      this.#interpreter.interpret(is, file);
    const ofFields = presence ?? (published ? "Published" : optionalKeys ? "OptionalKeys" : undefined);
    if (ofFields !== undefined) {
      const marker = PRESENCE_MARKERS[ofFields as Presence] ?? ofFields;
      const parameters = { marker, type: `the type ${name}`, expected: "a field" };
      this.#diagnostics.report("marker-target", at, parameters);
    }
    const more = { ...(message && { message }), ...(valueDescriptions && { valueDescriptions }) };
    return { form: "alias", name, ref, description, markers, is: type, ...more, at };
  }

  /** Whether an alias refers to itself, or to another cyclic alias, other than through the fields of a struct. */
  #isCyclic(is: TypeSyntax, file: string, passed: ReadonlySet<TypeDeclaration>): boolean {
    switch (is.form) {
      case "list":
      case "map":
        return this.#isCyclic(is.of, file, passed);
      case "all":
      case "either":
        return is.members.some((member) => this.#isCyclic(member, file, passed));
      case "word": {
        if (is.arguments.some((argument) => this.#isCyclic(argument, file, passed))) return true;
        const found = this.#names.declaration(file, is.name);
        if (found?.declaration.is === undefined) return false;
        if (passed.has(found.declaration)) return true;
        return this.#isCyclic(found.declaration.is, found.file, new Set([...passed, found.declaration]));
      }
      default:
        return false;
    }
  }

  #struct(declaration: TypeDeclaration, file: string, ref: TypeRef, numbers: FieldNumbers): StructModel {
    const { name, description, at } = declaration;
    const fields: FieldModel[] = [];
    const markers = this.#inherit(declaration, file, fields, numbers[name]?.inlined ?? {}, NOTHING);
    return { form: "struct", name, ref, description, markers, fields, at };
  }

  /**
   * Adds the fields of all bases of a declaration, then its own. A base with a field number is a message on the wire and stays one embedded
   * field; the fields of any other base are added as if they were declared here.
   */
  #inherit(
    declaration: TypeDeclaration,
    file: string,
    fields: FieldModel[],
    inlined: { readonly [type: string]: number },
    substitution: Substitution,
    heirs: readonly TypeDeclaration[] = [],
  ): Markers {
    let markers: Markers = {};
    for (const base of declaration.extends) {
      if (base.form !== "word") continue;
      if (this.#names.origin(file, base.name) === "vocabulary") {
        const word = this.#names.vocabularyName(file, base.name);
        if (word === "AtomicStruct") markers = { ...markers, mapType: "atomic" };
        else if (word === "With") markers = joined(markers, this.#interpreter.markersOf(base, file));
        else this.#diagnostics.report("unknown-marker", base.at, { name: base.name }, "AtomicStruct or With");
        continue;
      }
      const found = this.#names.declaration(file, base.name);
      if (found === undefined) {
        const suggestion = closest(base.name, this.#names.visible(file, base.name));
        const why = this.#names.whyUnknown(file, base.name);
        this.#diagnostics.report("unknown-type", base.at, { name: base.name, why }, suggestion);
        continue;
      }
      if (found.declaration === declaration || heirs.includes(found.declaration)) {
        this.#diagnostics.report("cyclic-type", declaration.at, { name: declaration.name });
        continue;
      }
      const { parameters } = found.declaration;
      if (base.arguments.length !== parameters.length) {
        const expected = parameters.length === 0 ? base.name : `${base.name}<${parameters.join(", ")}>`;
        this.#diagnostics.report("marker-arguments", base.at, { marker: base.name, expected });
      }
      const ref: TypeRef = `${moduleOf(found.file)}.${found.declaration.name}`;
      if (inlined[found.declaration.name] !== undefined) {
        fields.push({ name: "", type: ref, optional: false, markers: {}, description: "", at: base.at });
        continue;
      }
      const lent: FieldModel[] = [];
      const given: Substitution = new Map(
        parameters.flatMap((parameter, index) => {
          const argument = base.arguments[index];
          if (argument === undefined) return [[parameter, { form: "resolved", type: "json", at: base.at }] as const];
          return [[parameter, this.#resolve(substitute(argument, substitution), file, base.name)] as const];
        }),
      );
      const lender = this.#asInterface(found.declaration, found.file, base);
      markers = joined(markers, this.#inherit(lender, found.file, lent, {}, given, [...heirs, declaration]));
      for (const field of lent) {
        const same = field.name === "" ? undefined : fields.find(({ name }) => name === field.name);
        if (same === undefined) fields.push(ref === TYPE_META ? { ...field, offWire: true } : field);
        else if (!isAlike(same, field))
          this.#diagnostics.report("duplicate-field", base.at, { type: declaration.name, name: field.name });
      }
    }
    for (const syntax of declaration.fields) this.#add(this.#field(syntax, file, substitution), declaration, fields);
    return markers;
  }

  /** Returns a base as an interface: it may also be an alias of one, or of a struct (`type Named = { name: string }`). */
  #asInterface(declaration: TypeDeclaration, file: string, base: TypeSyntax & { form: "word" }): TypeDeclaration {
    const { is } = declaration;
    if (is === undefined) return declaration;
    if (is.form === "struct") return { ...declaration, fields: is.fields };
    const isEmpty = is.form === "word" && this.#names.vocabularyName(file, is.name) === "EmptyStruct";
    if (is.form === "word" && this.#names.declaration(file, is.name) !== undefined)
      return { ...declaration, extends: [is] };
    if (!isEmpty) {
      const parameters = { what: `extending ${base.name}, which is not an interface,`, expected: "an interface" };
      this.#diagnostics.report("unsupported-syntax", base.at, parameters);
    }
    return declaration;
  }

  /** Adds a field. One that is declared again replaces the inherited field at its position. */
  #add(field: FieldModel, declaration: TypeDeclaration, fields: FieldModel[]): void {
    const index = fields.findIndex((other) => other.name === field.name);
    if (index === -1) fields.push(field);
    else if (
      fields[index]!.at.file === field.at.file &&
      declaration.fields.some(({ at }) => at === fields[index]!.at)
    ) {
      this.#diagnostics.report("duplicate-field", field.at, { type: declaration.name, name: field.name });
    } else {
      const inherited = fields[index]!;
      const isOtherMeta = field.name === "metadata" && inherited.at.file.startsWith("api-definitions/meta/");
      if (inherited.offWire || (isOtherMeta && field.type !== inherited.type))
        this.#diagnostics.report("field-inherited", field.at, { type: declaration.name, name: field.name });
      fields[index] = inherited.offWire ? { ...field, offWire: true } : field;
    }
  }

  /** Interprets a type argument in the file that contains it, so that it can be used in another file. */
  #resolve(argument: TypeSyntax, file: string, of: string): TypeSyntax {
    return { form: "resolved", type: this.#interpreter.argument(argument, file, of), at: argument.at };
  }

  #field(syntax: FieldSyntax, file: string, substitution: Substitution): FieldModel {
    const { name, optional, description, at } = syntax;
    const { type, markers, presence, published, optionalKeys, valueDescriptions } = this.#interpreter.interpret(
      substitute(syntax.type, substitution),
      file,
    );
    if (name === "" || name === "__proto__") this.#diagnostics.report("field-name", at, { name: JSON.stringify(name) });
    return {
      name: fillIn(name, this.#platform),
      type,
      optional,
      ...(presence && { presence }),
      markers,
      ...(published && { published }),
      ...(optionalKeys && { optionalKeys }),
      ...(valueDescriptions && { valueDescriptions }),
      description,
      at,
    };
  }
}

/** Joins the markers of a struct and its bases: the rules of all apply. */
function joined(markers: Markers, more: Markers): Markers {
  const rules = [...(markers.rules ?? []), ...(more.rules ?? [])];
  const schema = { ...markers.schema, ...more.schema };
  return {
    ...markers,
    ...more,
    ...(rules.length > 0 && { rules: rules.filter((rule, index) => rules.findIndex(isSame(rule)) === index) }),
    ...(Object.keys(schema).length > 0 && { schema }),
  };
}

function isSame(one: object): (other: object) => boolean {
  return (other) => JSON.stringify(one) === JSON.stringify(other);
}

/** Whether two bases declare a field in the same way, so that it is one field. */
function isAlike({ at: _, description: __, ...one }: FieldModel, { at: ___, description: ____, ...other }: FieldModel) {
  return isSame(one)(other);
}

/** Replaces type parameters by their arguments. */
function substitute(syntax: TypeSyntax, given: Substitution): TypeSyntax {
  if (given.size === 0) return syntax;
  switch (syntax.form) {
    case "word": {
      const known = given.get(syntax.name);
      return known ?? { ...syntax, arguments: syntax.arguments.map((argument) => substitute(argument, given)) };
    }
    case "list":
    case "map":
      return { ...syntax, of: substitute(syntax.of, given) };
    case "all":
      return { ...syntax, members: syntax.members.map((member) => substitute(member, given)) };
    default:
      return syntax;
  }
}
