import type { Plane } from "../../runtime/plane.ts";
import { customDefinition } from "../fixtures/custom-definition.ts";

/** The parts of objects and lists that these tests read. */
export interface Read {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly creationTimestamp?: string;
  };
  readonly items: readonly Read[];
  readonly data?: Readonly<Record<string, string>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Sends a request as administrator, with a JSON body. */
export async function ask(plane: Pick<Plane, "fetch">, method: string, path: string, body?: unknown): Promise<Read> {
  const response = await plane.fetch(path, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Read;
}

export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

/** Returns the status of a request with a bearer token. */
export async function statusWith(plane: Pick<Plane, "fetch">, token: string): Promise<number> {
  const response = await plane.fetch("/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
  });
  await response.text();
  return response.status;
}

/** Returns a token of the service account `default/default`, which a controller creates. */
export async function issueToken(plane: Pick<Plane, "fetch">): Promise<string> {
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  await until(async () => (await plane.fetch(path)).ok);
  const { status } = await ask(plane, "POST", `${path}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  return String(status.token);
}

/** Resolves when a condition holds. */
export async function until(holds: () => Promise<boolean>, timeoutMs = 120_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function widgetDefinition(): object {
  return customDefinition("widgets.example.com", "Widget");
}

export const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

/** Creates the definition of widgets and one widget. */
export async function addWidget(plane: Pick<Plane, "fetch">): Promise<void> {
  await ask(plane, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgetDefinition());
  await until(async () => (await plane.fetch(WIDGETS)).ok);
  await ask(plane, "POST", WIDGETS, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, size: 3 });
}
