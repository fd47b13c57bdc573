import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseYaml } from "../../encoding/yaml/parse-yaml.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** An entry of a kubeconfig with the file that contains it. Paths in the entry are relative to that file. */
export interface Entry {
  readonly fields: Fields;
  readonly file: string;
  readonly name: string;
}

/** One kubeconfig, or several merged. */
export interface Kubeconfig {
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
}

/** A kubeconfig is missing, invalid or incomplete. */
export class KubeconfigError extends Error {
  readonly code = "Kubeconfig";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "KubeconfigError";
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the files that `KUBECONFIG` names, or else `~/.kube/config`. */
export function kubeconfigFiles(environment: Environment): readonly string[] {
  const named = (environment.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  return named.length > 0 ? named : [join(environment.HOME || homedir(), ".kube", "config")];
}

/**
 * Reads and merges kubeconfigs. The first entry of a name and the first current context take precedence. If several files are given, missing ones are
 * ignored. Throws a `KubeconfigError` if none exists.
 */
export function readKubeconfigs(files: readonly string[]): Kubeconfig {
  const texts = files.flatMap((file) => {
    try {
      return [{ file, text: readFileSync(file, "utf8") }];
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT" && files.length > 1) return [];
      throw new KubeconfigError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  });
  if (texts.length === 0) throw new KubeconfigError(`none of these kubeconfigs exists: ${files.join(", ")}`);
  return mergeKubeconfigs(texts);
}

export function mergeKubeconfigs(texts: readonly { readonly file: string; readonly text: string }[]): Kubeconfig {
  const merged = {
    currentContext: "",
    clusters: new Map<string, Entry>(),
    users: new Map<string, Entry>(),
    contexts: new Map<string, Entry>(),
  };
  for (const { file, text } of texts) {
    const config = parseFields(file, text);
    merged.currentContext ||= String(config["current-context"] ?? "");
    for (const [list, inner] of [
      ["clusters", "cluster"],
      ["users", "user"],
      ["contexts", "context"],
    ] as const) {
      for (const entry of Array.isArray(config[list]) ? (config[list] as Fields[]) : []) {
        const name = String(entry?.name ?? "");
        // `user: null` or a missing user means a user without credentials.
        const fields = entry?.[inner] ?? {};
        if (typeof fields === "object" && !merged[list].has(name))
          merged[list].set(name, { fields: fields as Fields, file, name });
      }
    }
  }
  return merged;
}

function parseFields(file: string, text: string): Fields {
  let value: unknown;
  try {
    ({ value } = parseYaml(text));
  } catch (error) {
    throw new KubeconfigError(`${file} is not a kubeconfig: ${(error as Error).message}`, { cause: error });
  }
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new KubeconfigError(`${file} is not a kubeconfig`);
  return value as Fields;
}

/** Returns the cluster, user and namespace of a context; by default of the current context. */
export function selectContext(
  config: Kubeconfig,
  name = config.currentContext,
): { readonly cluster: Entry; readonly user: Entry | undefined; readonly namespace: string } {
  const context = config.contexts.get(name);
  if (context === undefined) {
    const known = [...config.contexts.keys()].map((one) => `"${one}"`).join(", ") || "none";
    throw new KubeconfigError(
      name === ""
        ? `the kubeconfig has no current-context: name one of its contexts (${known})`
        : `the kubeconfig has no context "${name}"; its contexts: ${known}`,
    );
  }
  const clusterName = textOf(context, "cluster");
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined || textOf(cluster, "server") === "")
    throw new KubeconfigError(`context "${name}": there is no cluster "${clusterName}" with a server`);
  const userName = textOf(context, "user");
  const user = config.users.get(userName);
  if (user === undefined && userName !== "")
    throw new KubeconfigError(`context "${name}": there is no user "${userName}"`);
  return { cluster, user, namespace: textOf(context, "namespace") || "default" };
}

/** Returns a field as a string; empty if it is not set. */
export function textOf({ fields }: Entry, field: string): string {
  const value = fields[field];
  return value === undefined || value === null ? "" : String(value);
}

/** Returns the decoded `-data` field, or the contents of the named file; undefined if neither is set. */
export function pemOf(entry: Entry, field: string): string | undefined {
  const data = textOf(entry, `${field}-data`);
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  const path = textOf(entry, field);
  return path === "" ? undefined : readRelative(entry, path);
}

/** Resolves a path of an entry relative to the directory of its file. */
export function pathOf({ file }: Entry, path: string): string {
  return resolve(dirname(file), path);
}

function readRelative(entry: Entry, path: string): string {
  try {
    return readFileSync(pathOf(entry, path), "utf8");
  } catch (error) {
    throw new KubeconfigError(`${entry.file}: ${(error as Error).message}`, { cause: error });
  }
}
