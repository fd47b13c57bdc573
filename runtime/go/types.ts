/**
 * Go's types, as far as messages show them. A table has one entry per struct: its fields as `Name Type`, separated by semicolons, followed by the
 * JSON key if it differs from the name in lower camel case. `^key` is a key of the object that contains the struct's object, a type alone
 * is embedded, `*T!` is a pointer that is never nil, and `= T` defines an alias.
 */
export type GoTypeTable = Readonly<Record<string, string>>;

export type GoType =
  | {
      readonly kind: "scalar";
      readonly name: string;
      readonly zero: string | number | boolean;
      readonly isNamed: boolean;
    }
  | { readonly kind: "special"; readonly name: (typeof SPECIAL)[number] | "time.Time" }
  | { readonly kind: "list"; readonly name: string; readonly item: GoType }
  | { readonly kind: "map"; readonly name: string; readonly key: GoType; readonly value: GoType }
  | { readonly kind: "pointer"; readonly name: string; readonly to: GoType; readonly isAlways: boolean }
  | { readonly kind: "struct"; readonly name: string; readonly fields: () => readonly GoField[] };

export interface GoField {
  readonly name: string;
  readonly type: GoType;
  readonly source: { readonly from: "object" | "holder"; readonly key: string } | { readonly from: "embedded" };
}

const ZEROS: Readonly<Record<string, string | number | boolean>> = {
  string: "",
  bool: false,
  int: 0,
  int8: 0,
  int32: 0,
  int64: 0,
  uint8: 0,
  float64: 0,
  "types.UID": "",
};
const SPECIAL = ["v1.Time", "v1.MicroTime", "resource.Quantity", "intstr.IntOrString"] as const;

export class GoTypes {
  readonly #tables: Readonly<Record<string, GoTypeTable>>;
  readonly #named = new Map<string, GoType>();

  /** `tables` are keyed by name of the package. */
  constructor(tables: Readonly<Record<string, GoTypeTable>>) {
    this.#tables = tables;
  }

  /** Returns the names of all types in all tables. */
  names(): string[] {
    return Object.entries(this.#tables).flatMap(([home, table]) => Object.keys(table).map((name) => `${home}.${name}`));
  }

  /** Finds a type by its Go notation including the package: `[]core.Volume`. Throws if no table contains it. */
  find(text: string): GoType {
    return this.#parse(text, "");
  }

  #parse(text: string, home: string): GoType {
    if (text.startsWith("[]")) {
      const item = this.#parse(text.slice(2), home);
      return { kind: "list", name: `[]${item.name}`, item };
    }
    if (text.startsWith("*")) {
      const isAlways = text.endsWith("!");
      const to = this.#parse(isAlways ? text.slice(1, -1) : text.slice(1), home);
      return { kind: "pointer", name: `*${to.name}`, to, isAlways };
    }
    if (text.startsWith("map[")) {
      const end = text.indexOf("]");
      const [key, value] = [this.#parse(text.slice(4, end), home), this.#parse(text.slice(end + 1), home)];
      return { kind: "map", name: `map[${key.name}]${value.name}`, key, value };
    }
    const zero = ZEROS[text];
    if (zero !== undefined) return { kind: "scalar", name: text, zero, isNamed: text.includes(".") };
    const name = text.includes(".") ? text : `${home}.${text}`;
    let found = this.#named.get(name);
    if (found === undefined) {
      found = this.#declare(name);
      this.#named.set(name, found);
    }
    return found;
  }

  #declare(name: string): GoType {
    const special = SPECIAL.find((known) => known === name);
    if (special !== undefined) return { kind: "special", name: special };
    const [home = "", local = ""] = name.split(".");
    const text = this.#tables[home]?.[local]?.trim();
    if (text === undefined) throw new Error(`no table has the Go type ${name}`);
    if (text.startsWith("= ")) {
      const base = this.#parse(text.slice(2), home);
      return base.kind === "scalar" ? { ...base, name, isNamed: true } : ({ ...base, name } as GoType);
    }
    let fields: readonly GoField[] | undefined;
    const parts = text.split(";").map((part) => part.trim());
    return { kind: "struct", name, fields: () => (fields ??= parts.map((part) => this.#field(part, home))) };
  }

  #field(text: string, home: string): GoField {
    const [name = "", type, key = keyOf(name)] = text.split(/\s+/);
    if (type === undefined) {
      const embedded = this.#parse(name, home);
      const isObject = embedded.name === "v1.ObjectMeta";
      const source = isObject ? ({ from: "object", key: "metadata" } as const) : ({ from: "embedded" } as const);
      return { name: name.slice(name.indexOf(".") + 1), type: embedded, source };
    }
    const source = key.startsWith("^")
      ? ({ from: "holder", key: key.slice(1) } as const)
      : ({ from: "object", key } as const);
    return { name, type: this.#parse(type, home), source };
  }
}

/** Returns the JSON key of a field: `fsType` for `FSType`, `ip` for `IP`, `podIPs` for `PodIPs`. */
function keyOf(name: string): string {
  const capitals = /^[A-Z]+/.exec(name)?.[0].length ?? 0;
  const rest = name.slice(capitals);
  const length = rest === "" || rest === "s" || capitals === 1 ? capitals : capitals - 1;
  return name.slice(0, length).toLowerCase() + name.slice(length);
}
