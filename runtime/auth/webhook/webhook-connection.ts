import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CurrentKeyPair } from "../../lib/current-key-pair.ts";
import type { ClientCredentials, TransportSecurity } from "../../outbound/exchange.ts";

/** URL, TLS options and credentials for a webhook. */
export interface WebhookConnection {
  readonly url: URL;
  /** TLS options for a new connection. */
  readonly tls: TransportSecurity;
  /** Returns the `Authorization` header; undefined if there is none. A token file is read for each request. */
  authorization(): string | undefined;
}

/** A kubeconfig is incomplete or contains unsupported fields. */
export class WebhookConnectionError extends Error {
  readonly code = "BadConfigFile";
}

/** The kubeconfig fields (kind Config) that are used here. */
export interface Kubeconfig {
  readonly "current-context": string;
  readonly contexts: readonly { readonly name: string; readonly context: { cluster: string; user: string } }[] | null;
  readonly clusters: readonly { readonly name: string; readonly cluster: Fields }[] | null;
  readonly users: readonly { readonly name: string; readonly user: Fields }[] | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the connection of a kubeconfig's current context. Paths in it are relative to its directory. */
export function connectionOfKubeconfig(file: string, kubeconfig: Kubeconfig): WebhookConnection {
  const fail = (problem: string): never => {
    throw new WebhookConnectionError(`${file}: ${problem}`);
  };
  const name = kubeconfig["current-context"];
  const context =
    named(kubeconfig.contexts, name)?.context ?? fail(`there is no context "${name}"; set current-context`);
  const cluster =
    named(kubeconfig.clusters, context.cluster)?.cluster ?? fail(`there is no cluster "${context.cluster}"`);
  const user = named(kubeconfig.users, context.user)?.user ?? {};
  refuseFields(file, cluster, ["proxy-url"]);
  const server = text(cluster, "server");
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) fail(`server "${server}" is not an http or https URL`);
  const ca = readField(file, cluster, "certificate-authority");
  const credentials = credentialsOfUser(file, user);
  const servername = text(cluster, "tls-server-name");
  return {
    url: new URL(server),
    get tls() {
      return {
        ...(ca && { ca }),
        ...credentials.tls,
        ...(servername !== "" && { servername }),
        ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
      };
    },
    authorization: credentials.authorization,
  };
}

/** Returns the credentials of a kubeconfig user. */
export function credentialsOfUser(file: string, user: Fields): ClientCredentials {
  refuseFields(file, user, ["exec", "auth-provider", "as", "as-uid", "as-groups", "as-user-extra"]);
  const clientTls = clientTlsOf(file, user);
  const tokenFile = text(user, "tokenFile");
  if (tokenFile !== "") readNamed(file, tokenFile);
  return {
    get tls() {
      return clientTls();
    },
    authorization() {
      if (tokenFile !== "") return `Bearer ${readNamed(file, tokenFile).toString("utf8").trim()}`;
      if (text(user, "token") !== "") return `Bearer ${text(user, "token")}`;
      if (text(user, "username") === "") return undefined;
      return `Basic ${Buffer.from(`${text(user, "username")}:${text(user, "password")}`).toString("base64")}`;
    },
  };
}

/** Files are read again when they change; embedded data is constant. */
function clientTlsOf(file: string, user: Fields): () => ClientCredentials["tls"] {
  const [cert, key] = [readField(file, user, "client-certificate"), readField(file, user, "client-key")];
  const isFile = (name: string) => text(user, name) !== "" && text(user, `${name}-data`) === "";
  if (cert !== undefined && key !== undefined && isFile("client-certificate") && isFile("client-key")) {
    const path = (name: string) => resolve(dirname(file), text(user, name));
    const current = new CurrentKeyPair({
      files: { certificateFile: path("client-certificate"), keyFile: path("client-key") },
      pair: { certificatePem: cert.toString(), keyPem: key.toString() },
    });
    return () => {
      const { certificatePem, keyPem } = current.get();
      return { cert: certificatePem, key: keyPem };
    };
  }
  const fixed = { ...(cert && { cert }), ...(key && { key }) };
  return () => fixed;
}

function refuseFields(file: string, fields: Fields, names: readonly string[]): void {
  for (const name of names)
    if (fields[name] !== undefined && fields[name] !== "")
      throw new WebhookConnectionError(`${file}: ${name} cannot be used for webhooks`);
}

/** Returns the decoded `-data` field, or the contents of the named file; undefined if neither is set. */
function readField(file: string, fields: Fields, name: string): Buffer | undefined {
  const data = text(fields, `${name}-data`);
  if (data !== "") return Buffer.from(data, "base64");
  const path = text(fields, name);
  return path === "" ? undefined : readNamed(file, path);
}

const ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Returns the connection of a server in a pod to the API server of its cluster. */
export function inClusterConnection(
  environment: Readonly<Record<string, string | undefined>>,
  directory = ACCOUNT_DIRECTORY,
): WebhookConnection {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port)
    throw new WebhookConnectionError(
      "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined",
    );
  const token = resolve(directory, "token");
  readNamed(directory, token);
  return {
    url: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    tls: { ca: readNamed(directory, resolve(directory, "ca.crt")) },
    authorization: () => `Bearer ${readNamed(directory, token).toString("utf8").trim()}`,
  };
}

function named<T extends { readonly name: string }>(list: readonly T[] | null, name: string): T | undefined {
  return (list ?? []).find((entry) => entry.name === name);
}

function text(fields: Fields, field: string): string {
  const value = fields[field];
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : String(value ?? "");
}

function readNamed(file: string, path: string): Buffer {
  try {
    return readFileSync(resolve(dirname(file), path));
  } catch (error) {
    throw new WebhookConnectionError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
