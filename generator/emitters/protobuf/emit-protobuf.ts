import type { Artifact } from "../../artifact.ts";
import type { TypeExpr } from "../../model/contract.ts";
import { describeField } from "../../model/describe.ts";
import type { FieldModel, Model, ModuleModel, StructModel, TypeModel, TypeNumbers } from "../../model/model.ts";
import { findType, isRef, isScalar, unalias } from "../../model/type-walk.ts";
import { loadTemplate } from "../template.ts";
import { SCALAR_MESSAGES, type ScalarMessage, WIRE_SCALARS } from "./scalar-messages.ts";

interface MessageView {
  readonly name: string;
  readonly description: readonly string[];
  readonly fields: readonly FieldView[];
  readonly reserved: readonly string[];
}

interface FieldView {
  readonly label: string;
  readonly type: string;
  readonly name: string;
  readonly number: number;
  readonly description: readonly string[];
}

/** A message, with the imports and the messages of scalars that it needs. */
interface WrittenMessage {
  readonly message: MessageView | undefined;
  readonly imports: ReadonlySet<string>;
  readonly scalars: ReadonlySet<ScalarMessage>;
}

const headerTemplate = loadTemplate<{ readonly package: string; readonly imports: readonly string[] }>(
  "header.hbs",
  import.meta.url,
);
const messageTemplate = loadTemplate<MessageView>("message.hbs", import.meta.url);

/** `generated/protobuf/<group>.<version>.proto`, for readers and for code generators of other languages. The server uses the type tables. */
export function emitProtobuf(model: Model): Artifact[] {
  const files = new Map<string, ProtoFile>();
  const fileOf = (packageName: string, name: string): ProtoFile => {
    const file = files.get(packageName) ?? new ProtoFile(model, packageName, name, fileOf);
    files.set(packageName, file);
    return file;
  };
  const modules = model.ownModules.filter((module) => module.group?.configuration !== true);
  const own = modules.map((module) => fileOf(module.protoPackage, `${module.name.replace("/", ".")}.proto`));
  for (const [index, module] of modules.entries()) own[index]?.add(module);
  return [...files.values()]
    .filter((file) => file.messages.size > 0)
    .map((file) => ({ path: `generated/protobuf/${file.name}`, text: file.print() }));
}

class ProtoFile {
  readonly name: string;
  readonly messages = new Map<string, MessageView>();
  readonly #package: string;
  readonly #model: Model;
  readonly #imports = new Set<string>();
  /** What the message being written needs. */
  #needed = { imports: new Set<string>(), scalars: new Set<ScalarMessage>() };
  readonly #fileOf: (packageName: string, name: string) => ProtoFile;

  constructor(
    model: Model,
    packageName: string,
    name: string,
    fileOf: (packageName: string, name: string) => ProtoFile,
  ) {
    this.#model = model;
    this.#package = packageName;
    this.name = name;
    this.#fileOf = fileOf;
  }

  add(module: ModuleModel): void {
    for (const type of module.types.values()) {
      const written = this.#model.memory.of("message", type, () => this.#write(type, module.numbers[type.name]));
      const { message, imports, scalars } = written;
      for (const name of imports) this.#imports.add(name);
      for (const scalar of scalars) this.#scalar(scalar);
      if (message !== undefined) this.messages.set(type.name, message);
    }
  }

  print(): string {
    const views = [...this.messages.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const print = (view: MessageView): string =>
      this.#model.memory.of("message text", view, () => messageTemplate(view));
    const header = headerTemplate({ package: this.#package, imports: [...this.#imports].sort() });
    return [header, ...views.map(print)].join("");
  }

  #write(type: TypeModel, numbers: TypeNumbers | undefined): WrittenMessage {
    this.#needed = { imports: new Set(), scalars: new Set() };
    return { message: this.#message(type, numbers), ...this.#needed };
  }

  #message(type: TypeModel, numbers: TypeNumbers | undefined): MessageView | undefined {
    const description = comment(type.description);
    if (type.form === "struct") {
      if (numbers?.offWire) return undefined;
      return { name: type.name, description, fields: this.#fields(type), reserved: reservedLines(numbers) };
    }
    if (!type.message || typeof type.is !== "object" || !("list" in type.is)) return undefined;
    const items = { label: "repeated ", type: this.#type(type.is.list), name: "items", number: 1, description: [] };
    return { name: type.name, description, fields: [items], reserved: [] };
  }

  #fields(struct: StructModel): FieldView[] {
    return struct.fields
      .flatMap((field) => (field.number === undefined ? [] : [this.#field(field, field.number)]))
      .sort((a, b) => a.number - b.number);
  }

  #field(field: FieldModel, number: number): FieldView {
    const name = field.protoName ?? field.name;
    const base = { name, number, description: comment(describeField(this.#model, field)) };
    const real = this.#onWire(field.type);
    if (typeof real !== "object") return { ...base, label: "optional ", type: this.#type(real) };
    if ("list" in real) return { ...base, label: "repeated ", type: this.#type(real.list) };
    return { ...base, label: "", type: `map<string, ${this.#type(real.map)}>` };
  }

  /** Returns the type behind aliases that are not messages of their own. */
  #onWire(type: TypeExpr): TypeExpr {
    if (!isRef(type)) return type;
    const named = findType(this.#model, type);
    return named?.form === "alias" && !named.message ? this.#onWire(named.is) : type;
  }

  #type(type: TypeExpr): string {
    const real = this.#onWire(type);
    if (isRef(real)) return this.#reference(real);
    const plain = isScalar(real) ? real : unalias(this.#model, real);
    if (!isScalar(plain)) throw new TypeError(`a list or map cannot be the entry of another in protobuf`);
    const wire = WIRE_SCALARS[plain];
    if (wire !== undefined) return wire;
    const message = SCALAR_MESSAGES[plain];
    if (message === undefined) throw new TypeError(`${plain} has no form in protobuf`);
    return this.#scalar(message);
  }

  #reference(ref: string): string {
    const [module, name] = [ref.slice(0, ref.lastIndexOf(".")), ref.slice(ref.lastIndexOf(".") + 1)];
    const found = this.#model.modules.get(module);
    if (found === undefined || found.protoPackage === this.#package) return name;
    this.#needed.imports.add(`${module.replace("/", ".")}.proto`);
    return `.${found.protoPackage}.${name}`;
  }

  /** Returns the name of a message that represents a scalar. Adds the message to the file of its package, which is created on first use. */
  #scalar(message: ScalarMessage): string {
    const packageName = message.package === "." ? this.#package : `${this.#model.domain}.${message.package}`;
    const file = this.#fileOf(packageName, `${message.package.split(".").at(-1)}.proto`);
    this.#needed.scalars.add(message);
    file.messages.set(message.name, scalarView(message));
    if (file === this) return message.name;
    this.#imports.add(file.name);
    return `.${packageName}.${message.name}`;
  }
}

function scalarView({ name, fields }: ScalarMessage): MessageView {
  const views = fields.map((field): FieldView => {
    const [, repeated, type, fieldName, number] = /^(repeated )?(\w+) (\w+) = (\d+)$/.exec(field) ?? [];
    return { label: repeated ?? "optional ", type: type!, name: fieldName!, number: Number(number), description: [] };
  });
  return { name, description: [], fields: views, reserved: [] };
}

function reservedLines(numbers: TypeNumbers | undefined): string[] {
  const reserved = numbers?.reserved ?? [];
  const taken = reserved.flatMap(({ number }) => (number === undefined ? [] : [number])).sort((a, b) => a - b);
  const names = reserved.flatMap(({ name }) => (name === undefined ? [] : [JSON.stringify(name)])).sort();
  return [...(taken.length > 0 ? [taken.join(", ")] : []), ...(names.length > 0 ? [names.join(", ")] : [])];
}

function comment(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}
