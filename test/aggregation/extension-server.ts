import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { createAuthority } from "../fixtures/certificates.ts";
import type { Answer, createClient } from "../fixtures/plane-client.ts";

export interface ExtensionServer {
  readonly port: number;
  /** Authority of its certificate, in PEM. */
  readonly authority: string;
  /** Requests of clients in order, without those that the aggregating server itself makes. */
  readonly seen: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a server of the group `echo.example.com` on loopback, with a certificate for the service `ext` in `default`. */
export async function startExtension(
  answer: (req: IncomingMessage, res: ServerResponse) => void,
  onUpgrade?: (req: IncomingMessage, socket: Socket) => void,
): Promise<ExtensionServer> {
  const { authority, issue } = createAuthority("extensions");
  const seen: IncomingMessage[] = [];
  const server = createServer(
    { ...issue("ext", "server", { names: ["ext.default.svc"] }), requestCert: true, rejectUnauthorized: false },
    (req, res) => {
      if (isOwnBusiness(req)) {
        const isVersion = req.url?.startsWith("/apis/") ?? false;
        res.writeHead(isVersion ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
        return;
      }
      seen.push(req);
      answer(req, res);
    },
  );
  if (onUpgrade) server.on("upgrade", (req, socket) => onUpgrade(req, socket as Socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    authority,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Whether the aggregating server made the request itself and did not forward it. */
function isOwnBusiness({ headers }: IncomingMessage): boolean {
  return /^system:(?:kube-)?aggregator$/.test(String(headers["x-remote-user"]));
}

export function certificateName(req: IncomingMessage): string {
  return String((req.socket as TLSSocket).getPeerCertificate().subject?.CN);
}

type Call = ReturnType<typeof createClient>;

export interface Registration {
  readonly group?: string;
  readonly version?: string;
  readonly port: number;
  readonly authority?: string;
  readonly insecure?: boolean;
  readonly service?: string;
  readonly groupPriority?: number;
  readonly versionPriority?: number;
}

/** Registers an APIService for a server that listens on a port of loopback. */
export async function register(call: Call, registration: Registration): Promise<string> {
  const { group = "echo.example.com", version = "v1", port, authority, insecure, service = "ext" } = registration;
  await call("POST", "/api/v1/namespaces/default/services", {
    body: { metadata: { name: service }, spec: { type: "ExternalName", externalName: "localhost" } },
  });
  const name = `${version}.${group}`;
  const created = await call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {
    body: {
      metadata: { name },
      spec: {
        group,
        version,
        groupPriorityMinimum: registration.groupPriority ?? 2000,
        versionPriority: registration.versionPriority ?? 10,
        service: { namespace: "default", name: service, port },
        ...(authority && { caBundle: Buffer.from(authority).toString("base64") }),
        ...(insecure && { insecureSkipTLSVerify: true }),
      },
    },
  });
  if (created.status !== 201) throw new Error(created.text);
  return name;
}

interface Available {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Returns the availability of an APIService once it has the expected reason. */
export async function availability(call: Call, name: string, reason: string): Promise<Available> {
  for (;;) {
    const { body } = await call("GET", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
    const conditions: (Available & { type: string })[] = body.status?.conditions ?? [];
    const available = conditions.find(({ type }) => type === "Available");
    if (available?.reason === reason) return available;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Repeats a request until the response is as expected. */
export async function eventually(ask: () => Promise<Answer>, isRight: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
