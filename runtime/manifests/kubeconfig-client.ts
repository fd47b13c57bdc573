import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { dirname, resolve } from "node:path";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";

/** An error response. */
export class ServerError extends Error {
  readonly code = "Server";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Reads JSON from the server a kubeconfig's current context names. Throws an Error with the reason if it cannot. */
export type ReadServer = (path: string) => Promise<unknown>;

interface Named<T> {
  readonly name: string;
  readonly cluster?: T;
  readonly user?: T;
  readonly context?: T;
}
type Settings = { readonly [setting: string]: string | boolean | object | undefined };
interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters?: readonly Named<Settings>[];
  readonly users?: readonly Named<Settings>[];
  readonly contexts?: readonly Named<Settings>[];
}

export function connectKubeconfig(file: string): ReadServer {
  const config = parseYaml(readFileSync(file)).value as Kubeconfig;
  const context = config.contexts?.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const user = config.users?.find(({ name }) => name === context?.user)?.user ?? {};
  if (cluster?.server === undefined) throw new Error("it has no current context, or the context has no cluster");
  if (user.exec !== undefined || user["auth-provider"] !== undefined) {
    throw new Error(
      "its user authenticates with an exec plugin, which is not supported: use a token or a client certificate",
    );
  }
  const pem = (settings: Settings, name: string): Buffer | undefined => {
    const data = settings[`${name}-data`];
    if (typeof data === "string") return Buffer.from(data, "base64");
    const path = settings[name];
    return typeof path === "string" ? readFileSync(resolve(dirname(file), path)) : undefined;
  };
  const identity = {
    ca: pem(cluster, "certificate-authority"),
    cert: pem(user, "client-certificate"),
    key: pem(user, "client-key"),
  };
  checkIdentity(identity);
  const agent = new Agent({
    ...identity,
    rejectUnauthorized: cluster["insecure-skip-tls-verify"] !== true,
    keepAlive: true,
  });
  const token =
    user.token ?? (typeof user.tokenFile === "string" ? tokenIn(resolve(dirname(file), user.tokenFile)) : "");
  const headers = {
    Accept: "application/json",
    ...(typeof token === "string" && token !== "" && { Authorization: `Bearer ${token}` }),
  };
  return (path) => readJson(`${String(cluster.server).replace(/\/$/, "")}${path}`, agent, headers);
}

const tokenIn = (file: string): string => readFileSync(file, "utf8").trim();

function checkIdentity(identity: SecureContextOptions): void {
  try {
    createSecureContext(identity);
  } catch (error) {
    throw new Error("its certificates and keys cannot be used", { cause: error });
  }
}

function readJson(url: string, agent: Agent, headers: Record<string, string>): Promise<unknown> {
  return new Promise((resolvePromise, reject) => {
    const outgoing = request(url, { agent, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (incoming.statusCode !== 200)
          reject(new ServerError(incoming.statusCode ?? 0, `${url}: ${incoming.statusCode} ${messageIn(text)}`));
        else resolvePromise(JSON.parse(text));
      });
    });
    outgoing.on("error", (error) => reject(new ServerError(0, `${url} cannot be read: ${error.message}`)));
    outgoing.end();
  });
}

/** The message of a Status; the beginning of any other body. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === "string") return message;
  } catch {
    // No Status: shown as it is.
  }
  return text.slice(0, 200).trim();
}
