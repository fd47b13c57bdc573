import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { FileContents } from "../../auth/authenticate/authentication-config.ts";
import { parseGoBool } from "../../go/bool.ts";
import { parseDuration } from "../../go/duration.ts";
import type { KeyPairInFiles } from "../../lib/follow-key-pair.ts";
import { UsageError } from "../usage-error.ts";

/** Type of a value, as named in docs/flags.md. */
export type FlagType = "string" | "boolean" | "number" | "fraction" | "list" | "array" | "duration";

/** The part of a flag that appears in `--help` and docs/flags.md. */
export interface FlagText<D extends string | undefined = string | undefined> {
  /** Sentences: the effect of the flag, its unit, and the meaning of 0 or an empty value. */
  readonly help: string;
  readonly default?: D;
  /** The replacement for the flag. It still works, but the server logs this text if it is given. */
  readonly deprecated?: string;
}

/**
 * One flag of `serve`: its name, its help, and how its value is parsed. The name is that of kube-apiserver if the meaning is the same.
 *
 *     eventTtlSeconds: duration("event-ttl", { default: "1h0m0s", help: "How long Events are kept." }).to((ms) => ms / 1000),
 */
export class Flag<T = unknown> {
  readonly name: string;
  readonly type: FlagType;
  readonly help: string;
  readonly default: string | undefined;
  readonly deprecated: string | undefined;
  readonly #read: (texts: readonly string[], name: string) => T;

  constructor(name: string, type: FlagType, text: FlagText, read: (texts: readonly string[], name: string) => T) {
    this.name = name;
    this.type = type;
    this.help = text.help;
    this.default = text.default;
    this.deprecated = text.deprecated;
    this.#read = read;
  }

  /** Parses the values from the command line; if there are none, the default. Throws a UsageError. */
  read(texts: readonly string[] | undefined): T {
    return this.#read(texts ?? (this.default === undefined ? [] : [this.default]), this.name);
  }

  /** Returns the same flag with a converted value. `convert` throws a UsageError for invalid values. */
  to<U>(convert: (value: T, name: string) => U): Flag<U> {
    const { help, deprecated, default: fallback } = this;
    const text = { help, ...(fallback !== undefined && { default: fallback }), ...(deprecated && { deprecated }) };
    return new Flag(this.name, this.type, text, (texts, name) => convert(this.#read(texts, name), name));
  }
}

/** The value of a string flag is undefined only if the flag has no default. */
type Text<D> = D extends string ? string : string | undefined;

export function string<const D extends string | undefined = undefined>(name: string, text: FlagText<D>): Flag<Text<D>> {
  return new Flag(name, "string", text, (texts) => texts.at(-1) as Text<D>);
}

export function boolean(name: string, text: FlagText<"true" | "false">): Flag<boolean> {
  return new Flag(name, "boolean", text, (texts) => {
    const given = texts.at(-1) ?? "false";
    const value = parseGoBool(given);
    if (value === undefined) throw new UsageError(`--${name}=${given}: write true or false`);
    return value;
  });
}

/** A non-negative integer. */
export function number(name: string, text: FlagText): Flag<number> {
  return new Flag(name, "number", text, (texts) => {
    const given = texts.at(-1) ?? "0";
    if (!/^\d+$/.test(given)) throw new UsageError(`--${name}=${given}: not a number`);
    return Number(given);
  });
}

/** A number from 0 to `most`. */
export function fraction(name: string, most: number, text: FlagText): Flag<number> {
  return new Flag(name, "fraction", text, (texts) => {
    const given = texts.at(-1) ?? "0";
    if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(given) || Number(given) > most)
      throw new UsageError(`--${name}=${given}: write a number from 0 to ${most}`);
    return Number(given);
  });
}

/** A duration, converted to milliseconds. */
export function duration(name: string, text: FlagText): Flag<number> {
  return new Flag(name, "duration", text, (texts) => {
    const given = texts.at(-1) ?? "0s";
    let nanoseconds: bigint;
    try {
      nanoseconds = parseDuration(given);
    } catch {
      throw new UsageError(`--${name}=${given}: not a duration; write 30s or 1m`);
    }
    if (nanoseconds < 0n) throw new UsageError(`--${name} can not be negative value`);
    return Number(nanoseconds) / 1e6;
  });
}

/** Values separated by commas. The flag may be repeated. */
export function list(name: string, text: FlagText): Flag<readonly string[]> {
  return new Flag(name, "list", text, (texts) =>
    texts.flatMap((value) => value.split(",")).filter((value) => value !== ""),
  );
}

/** One value per occurrence of the flag, not split at commas. */
export function array(name: string, text: FlagText): Flag<readonly string[]> {
  return new Flag(name, "array", text, (texts) => texts);
}

/** One of several fixed values. */
export function choice<const T extends string>(name: string, choices: readonly T[], text: FlagText<T>): Flag<T> {
  return new Flag(name, "string", text, (texts) => {
    const given = texts.at(-1) ?? "";
    const chosen = choices.find((one) => one === given);
    if (chosen === undefined) throw new UsageError(`--${name}=${given}: write one of ${choices.join(", ")}`);
    return chosen;
  });
}

/** A path whose file is read immediately. An empty path means none. */
export function file(name: string, text: FlagText<undefined>): Flag<FileContents | undefined> {
  return string(name, text).to((path) =>
    path === undefined || path === "" ? undefined : { path, contents: readFlagFile(name, path) },
  );
}

/** A CA file in PEM. Throws a UsageError if it contains no certificate. */
export function authority(name: string, text: FlagText<undefined>): Flag<FileContents | undefined> {
  return file(name, text).to((given) => {
    if (given === undefined) return undefined;
    const { path, contents } = given;
    if (!/-----BEGIN CERTIFICATE-----/.test(contents))
      throw new UsageError(`--${name}=${path}: there is no certificate in it`);
    checkCredentials([`${name}=${path}`], { ca: contents });
    return given;
  });
}

/** Reads the file that a flag names. Throws a UsageError if that fails. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--${flag}=${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

type NamedFile = readonly [flag: string, file: FileContents | undefined];

/**
 * Returns a certificate and its key, each given with the flag that names its file. Throws a UsageError if only one is given, or if they do not match.
 */
export function keyPair([certFlag, cert]: NamedFile, [keyFlag, key]: NamedFile): KeyPairInFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError(`--${certFlag} and --${keyFlag} must be specified together`);
  checkCredentials([certFlag, keyFlag], { cert: cert.contents, key: key.contents });
  return {
    files: { certificateFile: cert.path, keyFile: key.path },
    pair: { certificatePem: cert.contents, keyPem: key.contents },
  };
}

/** Throws a UsageError for credentials that TLS rejects, and for a certificate without its key. */
export function checkCredentials(
  flags: readonly string[],
  credentials: {
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  },
): void {
  // Node.js would otherwise load its own CA list unnecessarily.
  if (Object.values(credentials).every((pem) => pem === undefined)) return;
  try {
    createSecureContext(credentials);
  } catch (error) {
    throw new UsageError(`${flags.map((flag) => `--${flag}`).join(", ")}: ${(error as Error).message}`);
  }
}
