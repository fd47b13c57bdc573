import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { DefinitionFile, FieldSyntax, TypeDeclaration, TypeSyntax } from "../reader/syntax.ts";
import { fillIn, type Platform } from "./build-groups.ts";
import type { Markers, TypeRef } from "./contract.ts";
import { TypeInterpreter } from "./interpret-type.ts";
import type { FieldModel, FieldNumbers, StructModel, TypeModel } from "./model.ts";
import { moduleOf, type Names } from "./names.ts";

/** Interfaces that only lend their fields to kinds, and never travel under a name of their own. */
const LENDERS = new Set(["meta/v1.Namespaced", "meta/v1.ClusterScoped"]);
const TYPE_META = "meta/v1.TypeMeta";

/** Type parameters of a generic interface, and what stands for them. */
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

  /** Types that `known` returns are taken as they are. */
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

  /** The list of a kind whose list is not written: `ListOf<Kind>` of meta/v1, spelled out. */
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
      // `type PolicyList = ListOf<Policy>`: the generic interface spelled out under this name.
      return this.#struct({ ...declaration, extends: [is] }, file, ref, {});
    }
    const { type, markers, message, valueDescriptions } = this.#interpreter.interpret(is, file);
    const more = { ...(message && { message }), ...(valueDescriptions && { valueDescriptions }) };
    return { form: "alias", name, ref, description, markers, is: type, ...more, at };
  }

  #struct(declaration: TypeDeclaration, file: string, ref: TypeRef, numbers: FieldNumbers): StructModel {
    const { name, description, at } = declaration;
    const fields: FieldModel[] = [];
    const markers = this.#inherit(declaration, file, fields, numbers[name]?.inlined ?? {}, NOTHING);
    return { form: "struct", name, ref, description, markers, fields, at };
  }

  /**
   * Adds the fields of what a declaration extends, then its own. A base with a number of its own is a message on the wire and
   * stays one embedded field; any other base lends its fields as if they were written here.
   */
  #inherit(
    declaration: TypeDeclaration,
    file: string,
    fields: FieldModel[],
    inlined: { readonly [type: string]: number },
    substitution: Substitution,
  ): Markers {
    let markers: Markers = {};
    for (const base of declaration.extends) {
      if (base.form !== "word") continue;
      if (this.#names.origin(file, base.name) === "vocabulary") {
        const word = this.#names.vocabularyName(file, base.name);
        if (word === "AtomicStruct") markers = { ...markers, mapType: "atomic" };
        else if (word === "With") markers = { ...markers, ...this.#interpreter.markersOf(base, file) };
        else this.#diagnostics.report("unknown-marker", base.at, { name: base.name }, "AtomicStruct or With");
        continue;
      }
      const found = this.#names.declaration(file, base.name);
      if (found === undefined) {
        const suggestion = closest(base.name, this.#names.visible(file));
        this.#diagnostics.report("unknown-type", base.at, { name: base.name }, suggestion);
        continue;
      }
      const ref: TypeRef = `${moduleOf(found.file)}.${found.declaration.name}`;
      if (inlined[found.declaration.name] !== undefined) {
        fields.push({ name: "", type: ref, optional: false, markers: {}, description: "", at: base.at });
        continue;
      }
      const lent: FieldModel[] = [];
      const given: Substitution = new Map(
        found.declaration.parameters.flatMap((parameter, index) => {
          const argument = base.arguments[index];
          return argument === undefined ? [] : [[parameter, this.#resolve(argument, file)] as const];
        }),
      );
      this.#inherit(found.declaration, found.file, lent, {}, given);
      fields.push(...lent.map((field) => (ref === TYPE_META ? { ...field, offWire: true as const } : field)));
    }
    for (const syntax of declaration.fields) this.#add(this.#field(syntax, file, substitution), declaration, fields);
    return markers;
  }

  /** A field written again replaces what it inherits, in its place. */
  #add(field: FieldModel, declaration: TypeDeclaration, fields: FieldModel[]): void {
    const index = fields.findIndex((other) => other.name === field.name);
    if (index === -1) fields.push(field);
    else if (
      fields[index]!.at.file === field.at.file &&
      declaration.fields.some(({ at }) => at === fields[index]!.at)
    ) {
      this.#diagnostics.report("duplicate-field", field.at, { type: declaration.name, name: field.name });
    } else fields[index] = field;
  }

  /** A type argument, understood where it is written so that it can be used in another file. */
  #resolve(argument: TypeSyntax, file: string): TypeSyntax {
    return { form: "resolved", type: this.#interpreter.interpret(argument, file).type, at: argument.at };
  }

  #field(syntax: FieldSyntax, file: string, substitution: Substitution): FieldModel {
    const { name, optional, description, at } = syntax;
    const { type, markers, presence, published, optionalKeys, valueDescriptions } = this.#interpreter.interpret(
      substitute(syntax.type, substitution),
      file,
    );
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

/** Replaces type parameters by what stands for them. */
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
