import { readFileSync } from "node:fs";
import type { ConfigKind } from "../contract/api-registry.ts";
import type { FieldError } from "../contract/field-error.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import type { PlainObject, Schemas } from "./type-schema.ts";

/** A configuration file that cannot be used. Every line of the message begins with the file's name. */
export class ConfigFileError extends Error {
  readonly code = "BadConfigFile";
}

/** Throws a ConfigFileError that lists the problems found in the contents of a file. Does nothing if there are none. */
export function refuseConfigFile(file: string, problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw new ConfigFileError(problems.map(({ field, message }) => `${file}: ${field}: ${message}`).join("\n"));
}

/** Returns the text of a configuration file. Throws a ConfigFileError if it cannot be read. */
export function readConfigText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads configuration files of the server. Applies types and defaults, and rejects undeclared fields. */
export class ConfigFileLoader {
  readonly #schemas: Schemas;
  readonly #readKinds: () => readonly ConfigKind[];

  /** `readKinds` is called once per file. Most servers have no such files. */
  constructor(schemas: Schemas, readKinds: () => readonly ConfigKind[]) {
    this.#schemas = schemas;
    this.#readKinds = readKinds;
  }

  /**
   * Returns the document in a file (YAML or JSON). It must be of one of the wanted kinds, which are given by kind or by type
   * (`apiserver/v1.ResourceQuotaConfiguration`). Throws a ConfigFileError that lists every unknown or repeated field, every value of the wrong
   * type and every violated rule.
   */
  load<T extends object = PlainObject>(
    file: string,
    text: string,
    wanted: readonly string[],
  ): { readonly kind: ConfigKind; readonly object: T } {
    const { value, problems: repeated } = within(file, () => parseYaml(text));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ConfigFileError(`${file}: it must be an object with apiVersion and kind`);
    }
    const kind = this.#kindOf(file, value as PlainObject, wanted);
    const schema = this.#schemas.of<T>(kind.type);
    const problems: string[] = [...repeated];
    const object = within(file, () => schema.decode(value, { problems }));
    schema.applyDefaults(object);
    const refused = schema.validate(object).map(({ field, message }: FieldError) => `${field}: ${message}`);
    const lines = [...problems, ...refused];
    if (lines.length > 0) throw new ConfigFileError(lines.map((line) => `${file}: ${line}`).join("\n"));
    return { kind, object };
  }

  #kindOf(file: string, { apiVersion, kind }: PlainObject, wanted: readonly string[]): ConfigKind {
    const kinds = this.#readKinds();
    const found = kinds.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    const isWanted = (one: ConfigKind) => wanted.includes(one.kind) || wanted.includes(one.type);
    if (found !== undefined && isWanted(found)) return found;
    const fitting = kinds.filter(isWanted).map((one) => `${apiVersionOf(one)} ${one.kind}`);
    const given = `${String(apiVersion ?? "")} ${String(kind ?? "")}`.trim();
    if (given === "")
      throw new ConfigFileError(`${file}: apiVersion and kind are missing; expected ${fitting.join(" or ")}`);
    throw new ConfigFileError(
      `${file}: ${given} cannot be used here${didYouMean(given, fitting)}; expected ${fitting.join(" or ")}`,
    );
  }
}

function within<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigFileError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
