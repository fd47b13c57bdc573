import { spawn } from "node:child_process";
import { sep } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import type { Endpoint } from "../transport/http-transport.ts";
import { type Entry, type Environment, type Fields, KubeconfigError, pathOf } from "./kubeconfig.ts";
import type { Credentials, Login } from "./login.ts";

const VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

/** Timeout for programs that do not interact with the user. */
const LIMIT_MS = 5 * 60_000;

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

/**
 * Obtains credentials from a program that the kubeconfig names (`exec`). Caches them until they expire or the server rejects them. Concurrent
 * requests share one run of the program.
 */
export class ExecPlugin implements Login {
  readonly #entry: Entry;
  readonly #exec: Fields;
  readonly #endpoint: Endpoint;
  readonly #environment: Environment;
  readonly #clock: Clock;
  #cached: { readonly credentials: Credentials; readonly expires: number } | undefined;
  #running: Promise<Credentials> | undefined;

  constructor(user: Entry, endpoint: Endpoint, environment: Environment, clock: Clock) {
    this.#entry = user;
    this.#exec = user.fields.exec as Fields;
    this.#endpoint = endpoint;
    this.#environment = environment;
    this.#clock = clock;
    const version = String(this.#exec.apiVersion ?? "");
    if (!VERSIONS.includes(version)) this.#fail(`apiVersion "${version}" is not one of ${VERSIONS.join(", ")}`);
    if (this.#exec.interactiveMode === "Always" && process.stdin.isTTY !== true)
      this.#fail("it needs a terminal (interactiveMode: Always), and standard input is none");
  }

  credentials(): Credentials | Promise<Credentials> {
    if (this.#cached !== undefined && this.#clock.now() < this.#cached.expires) return this.#cached.credentials;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  renew(): boolean {
    this.#cached = undefined;
    return true;
  }

  async #run(): Promise<Credentials> {
    const printed = await this.#output();
    let credential: ExecCredential;
    try {
      credential = JSON.parse(printed) as ExecCredential;
    } catch (error) {
      return this.#fail("its output is not JSON", error);
    }
    const { status, apiVersion, kind } = credential;
    if (kind !== "ExecCredential" || apiVersion !== this.#exec.apiVersion)
      this.#fail(`it returned ${apiVersion} ${kind} instead of ${this.#exec.apiVersion} ExecCredential`);
    const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status ?? {};
    if (!token && !(cert && key)) this.#fail("it returned neither a token nor a certificate with its key");
    const credentials: Credentials = {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      ...(cert && key && { cert, key }),
    };
    const expires = expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp);
    this.#cached = { credentials, expires };
    return credentials;
  }

  #output(): Promise<string> {
    const { command, args } = this.#exec;
    const name = String(command ?? "");
    const path = name.includes(sep) ? pathOf(this.#entry, name) : name;
    const isInteractive = this.#exec.interactiveMode !== "Never" && process.stdin.isTTY === true;
    return new Promise((resolve, reject) => {
      const fail = (problem: string, cause?: unknown): void => {
        try {
          this.#fail(problem, cause);
        } catch (error) {
          reject(error);
        }
      };
      const child = spawn(path, Array.isArray(args) ? args.map(String) : [], {
        env: { ...this.#environment, ...this.#variables(), KUBERNETES_EXEC_INFO: this.#info(isInteractive) },
        stdio: [isInteractive ? "inherit" : "ignore", "pipe", "inherit"],
      });
      const chunks: Buffer[] = [];
      child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
      const cancel = isInteractive
        ? () => undefined
        : this.#clock.after(LIMIT_MS, () => {
            fail(`it did not end within ${LIMIT_MS / 1000} s`);
            child.kill("SIGKILL");
          });
      child.once("error", (error) => {
        cancel();
        fail(error.message, error);
      });
      child.once("close", (code, signal) => {
        cancel();
        if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
        else fail(`it ended with ${code ?? signal}`);
      });
    });
  }

  #variables(): Record<string, string> {
    const { env } = this.#exec;
    const entries = Array.isArray(env) ? (env as { name?: unknown; value?: unknown }[]) : [];
    return Object.fromEntries(entries.map(({ name, value }) => [String(name), String(value ?? "")]));
  }

  #info(interactive: boolean): string {
    const { server, ca, tlsServerName, insecureSkipTlsVerify, proxyUrl } = this.#endpoint;
    const cluster = {
      server,
      ...(tlsServerName !== undefined && { "tls-server-name": tlsServerName }),
      ...(insecureSkipTlsVerify && { "insecure-skip-tls-verify": true }),
      ...(ca !== undefined && { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
      ...(proxyUrl !== undefined && { "proxy-url": proxyUrl }),
    };
    return JSON.stringify({
      apiVersion: this.#exec.apiVersion,
      kind: "ExecCredential",
      spec: { interactive, ...(this.#exec.provideClusterInfo === true && { cluster }) },
    });
  }

  #fail(problem: string, cause?: unknown): never {
    const { command, installHint } = this.#exec;
    const hint = typeof installHint === "string" && installHint !== "" ? `\n${installHint}` : "";
    throw new KubeconfigError(
      `${this.#entry.file}: user "${this.#entry.name}": exec plugin ${String(command)}: ${problem}${hint}`,
      { cause },
    );
  }
}
